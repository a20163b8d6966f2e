#pragma once

#include "core/base/error.h"
#include "core/protocol/sandboxinfo.h"

#include <QObject>

#include <functional>

class QMenu;

namespace sandfish {

class NotebookTab;
class Provider;
class SandboxModel;
struct AppContext;

/// Acts on sandboxes: by the toolbar and the chip on the one of the notebook in front, by the tree on any. Asks before
/// a loss. Thread: GUI.
class SandboxController : public QObject
{
    Q_OBJECT
public:
    /// \a tabOf gives the tab that uses a sandbox, or null; everything outlives the controller.
    SandboxController(const AppContext &context, SandboxModel *model,
        std::function<NotebookTab *(const SandboxId &)> tabOf, QWidget *window);

    void togglePause(NotebookTab *tab);
    void restart(NotebookTab *tab, bool runsAllAfterwards);
    void kill(NotebookTab *tab);
    void startNew(NotebookTab *tab);
    void showDetails(NotebookTab *tab);

    void pauseSandbox(Provider *provider, const SandboxInfo &info);
    void resumeSandbox(Provider *provider, const SandboxInfo &info);
    void killSandbox(Provider *provider, const SandboxInfo &info);
    void attach(NotebookTab *tab, Provider *provider, const SandboxInfo &info);

    /// The menu of the context chip; the caller owns it.
    QMenu *chipMenu(NotebookTab *tab);
    QMenu *languageMenu(NotebookTab *tab);

signals:
    void failed(const sandfish::Error &error);

private:
    void addContexts(QMenu *menu, NotebookTab *tab);
    void addOtherSandboxes(QMenu *menu, NotebookTab *tab);
    void addFolderAccess(QMenu *menu, NotebookTab *tab);
    void addNetwork(QMenu *menu, NotebookTab *tab);
    void addMove(QMenu *menu, NotebookTab *tab);
    QString detailsText(NotebookTab *tab) const;

    const AppContext &m_context;
    SandboxModel *m_model;
    std::function<NotebookTab *(const SandboxId &)> m_tabOf;
    QWidget *m_window;
};

} // namespace sandfish
