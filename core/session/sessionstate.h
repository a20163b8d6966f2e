#pragma once

#include "core/providers/provider.h"
#include "core/session/connectflow.h"
#include "core/session/contextpool.h"
#include "core/session/executionqueue.h"
#include "core/session/notebooksession.h"
#include "core/session/rewinder.h"
#include "core/session/stuckcellwatch.h"
#include "core/session/variablecount.h"

#include <QElapsedTimer>
#include <QPointer>

namespace sandfish {

/// The state machine behind a session: which sandbox there is, what is under way with it, what it means for the queue.
/// How it comes to its sandbox is in sessionconnect.cpp.
struct NotebookSession::Private : ContextSource
{
    Private(NotebookSession *session, NotebookDocument *notebook);

    Request contextFor(const std::string &language, QObject *receiver, Done<std::shared_ptr<Context>> done) override;

    void useProvider(Provider *newProvider);
    bool hasSandbox() const { return !sandbox.id.isEmpty(); }
    FolderAccess wantedAccess() const;

    void ensureSandbox();
    void attach(const SandboxId &id);
    void attachBranch(const SandboxId &id, const ContextInfo &context, FolderAccess access);
    void reattach(const SandboxId &id, FolderAccess access);
    void pause();
    void resume();
    void restart();
    void kill();
    /// Lets go of the sandbox without ending it.
    void forgetSandbox(State next, const Error &reason);

    SandboxSpec spec() const;
    std::string workingFolder() const;
    bool canBindFolders() const;
    void connectFlowTo();
    void flowFinished(const SandboxInfo &info);
    void flowFailed(const Error &error);
    /// There is no sandbox to come back to.
    void startAfresh();
    void use(const SandboxInfo &info);
    /// Takes over the contexts that the sandbox has already, then lets calls that wait open theirs.
    void adoptContexts();
    void contextsAdopted(const std::vector<ContextInfo> &contexts);
    void paused(const Result<SandboxInfo> &info);
    void resumed(const Result<SandboxInfo> &info);
    void restartContext(const std::string &language, const std::shared_ptr<Context> &context);
    void contextLost(const Error &error);
    void sandboxLost(const Error &error);
    void takeSandbox(const SandboxInfo &info);
    void fail(const Error &error);
    void setState(State next);
    /// Ready, Busy or Reconnecting, when nothing is under way.
    void settle();

    NotebookSession *q;
    NotebookDocument *document;
    QPointer<Provider> provider;
    ExecutionQueue *queue;
    ContextPool pool;
    Rewinder *rewinder = nullptr;
    StuckCellWatch *interruptWatch = nullptr;
    VariableCount *variableCount = nullptr;
    std::unique_ptr<ConnectFlow> flow; ///< while Starting
    bool isNewSandbox = false;         ///< has no contexts of its own yet
    bool isReattaching = false;        ///< until it is known whether the sandbox may be used
    bool hasRun = false;               ///< a cell asked for a context since the sandbox was made
    std::optional<ContextInfo> branch; ///< the one context of the sandbox that is this notebook's
    SandboxId ownSandbox;              ///< the last one that this session made
    Request request;                   ///< pause, resume, kill or a look at a lost sandbox
    State state = State::NoSandbox;
    QElapsedTimer stateAge;
    SandboxInfo sandbox;
    Error lastError;
    QString folder;
    QString name;
    FolderAccess folderAccess = FolderAccess::ReadWrite;
    FolderAccess boundAccess = FolderAccess::None;
    bool hasNetwork = true;
    bool hadVariables = false; ///< an earlier sandbox of this notebook is gone
};

} // namespace sandfish
