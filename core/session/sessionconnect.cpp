#include "core/session/sessionstate.h"

#include "core/document/notebookdocument.h"

#include <algorithm>
#include <utility>

namespace sandfish {
namespace {

bool hasWritableFolder(const SandboxInfo &info)
{
    return std::any_of(info.folders.begin(), info.folders.end(),
        [](const FolderBind &folder) { return folder.access == FolderBind::Access::ReadWrite; });
}

} // namespace

bool NotebookSession::Private::canBindFolders() const
{
    return provider && provider->capabilities().testFlag(Provider::Capability::FolderBinds);
}

NotebookSession::FolderAccess NotebookSession::Private::wantedAccess() const
{
    if (!canBindFolders() || folder.isEmpty())
        return FolderAccess::None;
    return folderAccess == FolderAccess::ReadWrite && !document->isTrusted() ? FolderAccess::ReadOnly : folderAccess;
}

std::string NotebookSession::Private::workingFolder() const
{
    return boundAccess == FolderAccess::None ? std::string() : folder.toStdString();
}

SandboxSpec NotebookSession::Private::spec() const
{
    SandboxSpec wanted;
    wanted.name = name.toStdString();
    wanted.hasNetwork = hasNetwork;
    if (boundAccess != FolderAccess::None)
        wanted.folders.push_back({folder.toStdString(),
            boundAccess == FolderAccess::ReadOnly ? FolderBind::Access::ReadOnly : FolderBind::Access::ReadWrite});
    return wanted;
}

void NotebookSession::Private::ensureSandbox()
{
    if (hasSandbox() || flow)
        return;
    if (!provider) {
        fail({Error::Kind::Unsupported,
            tr("No sandbox service is chosen. Choose one in the context menu of the toolbar.").toStdString(), {}});
        return;
    }
    flow = std::make_unique<ConnectFlow>(provider);
    connectFlowTo();
    boundAccess = wantedAccess();
    isNewSandbox = true;
    hasRun = false;
    setState(State::Starting);
    flow->create(spec());
}

void NotebookSession::Private::attach(const SandboxId &id)
{
    queue->cancelPending();
    forgetSandbox(State::NoSandbox, {Error::Kind::Cancelled, tr("Another sandbox was chosen.").toStdString(), {}});
    if (!provider)
        return;
    hadVariables = isNewSandbox = false;
    flow = std::make_unique<ConnectFlow>(provider);
    connectFlowTo();
    boundAccess = FolderAccess::None;
    setState(State::Starting);
    flow->attach(id);
}

void NotebookSession::Private::attachBranch(const SandboxId &id, const ContextInfo &context, FolderAccess access)
{
    attach(id);
    boundAccess = access;
    branch = context;
}

void NotebookSession::Private::reattach(const SandboxId &id, FolderAccess access)
{
    if (hasSandbox() || flow || !provider)
        return;
    isNewSandbox = false;
    isReattaching = true;
    flow = std::make_unique<ConnectFlow>(provider);
    connectFlowTo();
    boundAccess = access;
    setState(State::Starting);
    flow->attach(id);
}

void NotebookSession::Private::connectFlowTo()
{
    connect(flow.get(), &ConnectFlow::finished, q, [this](const SandboxInfo &info) { flowFinished(info); });
    connect(flow.get(), &ConnectFlow::failed, q, [this](const Error &error) { flowFailed(error); });
}

void NotebookSession::Private::flowFinished(const SandboxInfo &info)
{
    flow.release()->deleteLater();
    // The file may have been replaced since: nobody trusted what it holds now with the folders of the sandbox.
    const bool isWritable = boundAccess == FolderAccess::ReadWrite || hasWritableFolder(info);
    if (std::exchange(isReattaching, false) && isWritable && !document->isTrusted())
        startAfresh();
    else
        use(info);
}

void NotebookSession::Private::flowFailed(const Error &error)
{
    flow.release()->deleteLater();
    const bool isMissing = error.kind == Error::Kind::NotFound || error.kind == Error::Kind::Gone;
    if (std::exchange(isReattaching, false) && isMissing)
        startAfresh();
    else
        fail(error);
}

void NotebookSession::Private::startAfresh()
{
    setState(State::NoSandbox);
    // Elsewhere a sandbox may cost money: there one is made for a run alone.
    if (canBindFolders() || !queue->isIdle())
        ensureSandbox();
}

void NotebookSession::Private::use(const SandboxInfo &info)
{
    sandbox = info;
    if (isNewSandbox)
        ownSandbox = info.id;
    emit q->sandboxChanged();
    if (std::exchange(hadVariables, false))
        emit q->noticed(tr("A new sandbox was started. The variables of the old one are gone; run the cells you need "
                           "again."));
    const bool isPaused = info.state == SandboxState::Paused;
    queue->setHeld(ExecutionQueue::Hold::Pause, isPaused);
    setState(isPaused ? State::Paused : State::Ready);
    if (isPaused)
        return;
    if (isNewSandbox)
        contextsAdopted({});
    else
        adoptContexts();
}

void NotebookSession::Private::adoptContexts()
{
    provider->listContexts(sandbox.id, q, [this, id = sandbox.id](const Result<std::vector<ContextInfo>> &contexts) {
        if (id != sandbox.id)
            return;
        std::vector<ContextInfo> adopted = contexts ? *contexts : std::vector<ContextInfo>();
        // The others belong to the notebook that this one was branched from.
        if (branch)
            std::erase_if(adopted, [this](const ContextInfo &each) { return each.id != branch->id; });
        contextsAdopted(adopted);
    });
}

void NotebookSession::Private::contextsAdopted(const std::vector<ContextInfo> &contexts)
{
    pool.setSandbox(provider, sandbox.id, branch ? branch->cwd : workingFolder(), contexts);
    queue->setHeld(ExecutionQueue::Hold::Pause, state == State::Paused || state == State::Pausing);
    settle();
}

} // namespace sandfish
