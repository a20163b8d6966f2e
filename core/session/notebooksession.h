#pragma once

#include "core/base/error.h"
#include "core/document/cell.h"
#include "core/protocol/sandboxinfo.h"
#include "core/providers/context.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace sandfish {

class ExecutionQueue;
class StuckCellWatch;
class NotebookDocument;
class Provider;
class Rewinder;

/// Everything one open notebook needs of a sandbox: creates or attaches it on the first run, keeps one context per
/// language, and drives pause, resume, restart and kill. What the toolbar, the chip and the banners show is read here.
/// Thread: GUI.
class NotebookSession : public QObject
{
    Q_OBJECT
public:
    /// What the window shows; Failed keeps lastError().
    enum class State
    {
        NoSandbox,
        Starting,
        Ready,
        Busy,
        Pausing,
        Paused,
        Resuming,
        Reconnecting,
        Failed,
        Gone
    };
    Q_ENUM(State)
    enum class FolderAccess
    {
        ReadWrite,
        ReadOnly,
        None
    };

    NotebookSession(NotebookDocument *document, Provider *provider, QObject *parent = nullptr);
    ~NotebookSession() override;

    NotebookDocument *document() const;
    Provider *provider() const;
    ExecutionQueue *queue() const;
    Rewinder *rewinder() const;
    StuckCellWatch *interruptWatch() const;
    State state() const;
    const SandboxInfo &sandbox() const;
    /// The open contexts, the notebook's own language first.
    std::vector<std::shared_ptr<Context>> contexts() const;
    /// Of the contexts of this notebook, as last counted; nothing: it is not known.
    std::optional<std::int64_t> variableCount() const;
    const Error &lastError() const;
    std::chrono::milliseconds timeInState() const;

    /// The notebook's own folder, bound into a local sandbox and used as working directory; empty: untitled.
    /// Takes effect with the next sandbox.
    void setFolder(const QString &path, FolderAccess access);
    /// As set; while the notebook is untrusted, what is bound is read-only at most.
    FolderAccess folderAccess() const;
    /// What the sandbox has; as a new one would get it if there is none.
    FolderAccess effectiveFolderAccess() const;
    void setSandboxName(const QString &name); ///< of the next sandbox, such as the notebook's
    void setNetworkEnabled(bool isEnabled);
    bool isNetworkEnabled() const;

    void start();                          ///< creates the sandbox and context ahead of the first run
    void attach(const SandboxId &sandbox); ///< uses a sandbox that exists
    /// Uses the sandbox that the notebook had when it was open before, with the folder bound by \a access. One that is
    /// gone, or that can write to folders while the notebook is untrusted, is no failure, but as if there had been
    /// none. Does nothing where there is a sandbox.
    void reattach(const SandboxId &sandbox, FolderAccess access);
    /// Uses one context of a sandbox that another notebook uses too, see Rewinder::branch(). \a access is that of the
    /// sandbox to its folder.
    void attachBranch(const SandboxId &sandbox, const ContextInfo &context, FolderAccess access);
    /// That context; nothing: this notebook has its sandbox for itself.
    const std::optional<ContextInfo> &branchContext() const;
    /// This session made its sandbox ahead of a run that never came. Others may have used it: see endUnusedSandbox().
    bool isSandboxUnused() const;
    void setProvider(Provider *provider);                                    ///< detaches; the old sandbox goes on
    void runCells(const std::vector<CellId> &ids, bool stopsOnError = true); ///< starts what is needed first
    void interrupt();
    void restart(); ///< forgets variables, clears the queue
    void pause();
    void resume();
    void kill();

signals:
    void stateChanged();
    void sandboxChanged();
    void contextsChanged(); ///< one was opened or let go of
    void failed(const sandfish::Error &error);
    /// Something the user should know that is no failure, such as that the variables of an old sandbox are gone.
    void noticed(const QString &text);
    /// A run was asked for while the sandbox is paused; the window offers to resume.
    void resumeNeeded(const std::vector<sandfish::CellId> &ids);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace sandfish
