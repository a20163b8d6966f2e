#pragma once

#include "core/protocol/sandboxinfo.h"

#include <QWidget>

class QMenu;
class QModelIndex;
class QPoint;
class QTreeView;

namespace sandfish {

class Provider;
class SandboxModel;
class ThemeSource;

/// The dock of sandboxes: the tree, and what can be done with a sandbox. It decides nothing: acts are signals.
/// Thread: GUI.
class SandboxPanel : public QWidget
{
    Q_OBJECT
public:
    /// \a source and \a model outlive the panel.
    SandboxPanel(const ThemeSource *source, SandboxModel *model, QWidget *parent = nullptr);

    QTreeView *tree() const { return m_tree; }
    /// Selects and opens the sandbox of the document in front; an empty id: there is none.
    void setCurrentSandbox(const SandboxId &id);
    /// The acts for a row, in the order of the menu; disabled ones say why in their tooltip. The caller owns it.
    QMenu *menuFor(const QModelIndex &index);

signals:
    void pauseRequested(sandfish::Provider *provider, const sandfish::SandboxInfo &info);
    void resumeRequested(sandfish::Provider *provider, const sandfish::SandboxInfo &info);
    void killRequested(sandfish::Provider *provider, const sandfish::SandboxInfo &info);
    void attachRequested(sandfish::Provider *provider, const sandfish::SandboxInfo &info);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void showMenu(const QPoint &position);
    void showCurrent();
    void expandProviders();
    void applyTheme();

    const ThemeSource *m_source;
    SandboxModel *m_model;
    QTreeView *m_tree;
    SandboxId m_current;
    bool m_isCurrentShown = false; ///< what the user selects afterwards stays
};

} // namespace sandfish
