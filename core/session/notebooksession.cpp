#include "core/session/notebooksession.h"

#include "core/document/notebookdocument.h"
#include "core/session/executionqueue.h"
#include "core/session/sessionstate.h"

namespace sandfish {

NotebookSession::NotebookSession(NotebookDocument *document, Provider *provider, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, document))
{
    d->useProvider(provider);
}

NotebookSession::~NotebookSession()
{
    // The pool and the queue would tell of what goes away to a session that is half gone.
    d->queue->setContextSource(nullptr);
    d->pool.disconnect(this);
    d->queue->disconnect(this);
}

NotebookDocument *NotebookSession::document() const
{
    return d->document;
}

Provider *NotebookSession::provider() const
{
    return d->provider;
}

ExecutionQueue *NotebookSession::queue() const
{
    return d->queue;
}

Rewinder *NotebookSession::rewinder() const
{
    return d->rewinder;
}

StuckCellWatch *NotebookSession::interruptWatch() const
{
    return d->interruptWatch;
}

NotebookSession::State NotebookSession::state() const
{
    return d->state;
}

const SandboxInfo &NotebookSession::sandbox() const
{
    return d->sandbox;
}

std::vector<std::shared_ptr<Context>> NotebookSession::contexts() const
{
    std::vector<std::shared_ptr<Context>> all;
    const std::string own = d->document->language().toStdString();
    for (const auto &[language, context] : d->pool.contexts())
        all.insert(language == own ? all.begin() : all.end(), context);
    return all;
}

std::optional<std::int64_t> NotebookSession::variableCount() const
{
    std::optional<std::int64_t> total;
    for (const auto &[language, context] : d->pool.contexts()) {
        if (const auto count = d->variableCount->of(context->info().id))
            total = total.value_or(0) + *count;
    }
    return total;
}

const Error &NotebookSession::lastError() const
{
    return d->lastError;
}

std::chrono::milliseconds NotebookSession::timeInState() const
{
    return std::chrono::milliseconds(d->stateAge.elapsed());
}

void NotebookSession::setFolder(const QString &path, FolderAccess access)
{
    d->folder = path;
    d->folderAccess = access;
}

NotebookSession::FolderAccess NotebookSession::folderAccess() const
{
    return d->folderAccess;
}

NotebookSession::FolderAccess NotebookSession::effectiveFolderAccess() const
{
    return d->hasSandbox() ? d->boundAccess : d->wantedAccess();
}

void NotebookSession::setSandboxName(const QString &name)
{
    d->name = name;
}

void NotebookSession::setNetworkEnabled(bool isEnabled)
{
    d->hasNetwork = isEnabled;
}

bool NotebookSession::isNetworkEnabled() const
{
    return d->hasNetwork;
}

void NotebookSession::start()
{
    d->ensureSandbox();
}

void NotebookSession::attach(const SandboxId &sandbox)
{
    d->attach(sandbox);
}

void NotebookSession::attachBranch(const SandboxId &sandbox, const ContextInfo &context, FolderAccess access)
{
    d->attachBranch(sandbox, context, access);
}

const std::optional<ContextInfo> &NotebookSession::branchContext() const
{
    return d->branch;
}

void NotebookSession::reattach(const SandboxId &sandbox, FolderAccess access)
{
    d->reattach(sandbox, access);
}

bool NotebookSession::isSandboxUnused() const
{
    const bool isOwn = d->provider && d->hasSandbox() && d->ownSandbox == d->sandbox.id;
    return isOwn && !d->hasRun && d->state == State::Ready;
}

void NotebookSession::setProvider(Provider *provider)
{
    if (provider == d->provider)
        return;
    d->queue->cancelPending();
    d->forgetSandbox(State::NoSandbox, {Error::Kind::Cancelled, tr("Another service was chosen.").toStdString(), {}});
    d->useProvider(provider);
}

void NotebookSession::runCells(const std::vector<CellId> &ids, bool stopsOnError)
{
    if (d->state == State::Paused || d->state == State::Pausing) {
        emit resumeNeeded(ids);
        return;
    }
    d->queue->enqueue(ids, stopsOnError ? ExecutionQueue::OnError::Stop : ExecutionQueue::OnError::Continue);
}

void NotebookSession::interrupt()
{
    d->queue->interrupt();
    d->interruptWatch->interrupted();
}

void NotebookSession::restart()
{
    d->restart();
}

void NotebookSession::pause()
{
    d->pause();
}

void NotebookSession::resume()
{
    d->resume();
}

void NotebookSession::kill()
{
    d->kill();
}

} // namespace sandfish
