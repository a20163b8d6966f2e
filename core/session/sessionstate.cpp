#include "core/session/sessionstate.h"

namespace sandfish {
namespace {

using namespace std::chrono_literals;

QString clockText(std::chrono::milliseconds time)
{
    return QStringLiteral("%1:%2").arg(time / 1min).arg(time / 1s % 60, 2, 10, QLatin1Char('0'));
}

// The service could not be asked: a sandbox that is far away goes on meanwhile.
bool isNetworkTrouble(Error::Kind kind)
{
    return kind == Error::Kind::Unreachable || kind == Error::Kind::Timeout || kind == Error::Kind::Unavailable
        || kind == Error::Kind::TlsError || kind == Error::Kind::ConnectionLost;
}

bool isEnded(SandboxState state)
{
    return state == SandboxState::Gone || state == SandboxState::Stopped || state == SandboxState::Failed;
}

} // namespace

NotebookSession::Private::Private(NotebookSession *session, NotebookDocument *notebook)
    : q(session)
    , document(notebook)
    , queue(new ExecutionQueue(notebook, session))
{
    rewinder = new Rewinder(document, queue, &pool, q);
    interruptWatch = new StuckCellWatch(queue, q);
    variableCount = new VariableCount(queue, &pool, q);
    stateAge.start();
    queue->setContextSource(this);
    connect(queue, &ExecutionQueue::queueChanged, q, [this] { settle(); });
    connect(queue, &ExecutionQueue::failed, q, [this](const Error &error) {
        // What went wrong with the sandbox was told when it did.
        if (error.message != lastError.message || (state != State::Failed && state != State::Gone))
            emit q->failed(error);
    });
    connect(&pool, &ContextPool::changed, q, [this] { settle(); });
    connect(&pool, &ContextPool::changed, q, &NotebookSession::contextsChanged);
    connect(&pool, &ContextPool::infoChanged, q, &NotebookSession::sandboxChanged);
    connect(&pool, &ContextPool::lost, q, [this](const Error &error) { contextLost(error); });
}

void NotebookSession::Private::useProvider(Provider *newProvider)
{
    if (provider)
        provider->disconnect(q);
    provider = newProvider;
    if (provider)
        connect(provider, &Provider::sandboxChanged, q, [this](const SandboxInfo &info) { takeSandbox(info); });
}

Request NotebookSession::Private::contextFor(
    const std::string &language, QObject *receiver, Done<std::shared_ptr<Context>> done)
{
    const Request wanted = pool.contextFor(language, receiver, std::move(done));
    ensureSandbox();
    hasRun = true;
    return wanted;
}

void NotebookSession::Private::pause()
{
    const bool canPause = provider && provider->capabilities().testFlag(Provider::Capability::Pause);
    if (!canPause || !hasSandbox() || (state != State::Ready && state != State::Busy && state != State::Reconnecting))
        return;
    queue->setHeld(ExecutionQueue::Hold::Pause, true);
    queue->expectLoss(ExecutionSummary{Outcome::Interrupted, 0, {},
        tr("Interrupted by pause after %1").arg(clockText(queue->runningFor())).toStdString()});
    setState(State::Pausing);
    request = provider->pause(sandbox.id, q, [this](const Result<SandboxInfo> &info) { paused(info); });
}

void NotebookSession::Private::paused(const Result<SandboxInfo> &info)
{
    if (state != State::Pausing)
        return;
    if (!info) {
        queue->setHeld(ExecutionQueue::Hold::Pause, false);
        queue->expectLoss(std::nullopt);
        setState(State::Ready);
        settle();
        lastError = info.error();
        emit q->failed(info.error());
        return;
    }
    sandbox = *info;
    setState(State::Paused);
    emit q->sandboxChanged();
}

void NotebookSession::Private::resume()
{
    if (state != State::Paused || !provider)
        return;
    setState(State::Resuming);
    request = provider->resume(sandbox.id, q, [this](const Result<SandboxInfo> &info) { resumed(info); });
}

void NotebookSession::Private::resumed(const Result<SandboxInfo> &info)
{
    if (state != State::Resuming)
        return;
    if (!info) {
        const Error::Kind kind = info.error().kind;
        if (kind == Error::Kind::NotFound || kind == Error::Kind::Gone) {
            sandboxLost(info.error());
            return;
        }
        setState(State::Paused);
        lastError = info.error();
        emit q->failed(info.error());
        return;
    }
    if (sandbox.pauseKeeps == PauseKeeps::FilesOnly) {
        pool.reset({Error::Kind::Cancelled, {}, {}});
        emit q->noticed(
            tr("The files of the sandbox were kept, its variables were not; run the cells you need again."));
    }
    sandbox = *info;
    setState(State::Ready);
    isNewSandbox = false;
    pool.dropDead();
    queue->expectLoss(std::nullopt);
    adoptContexts();
    emit q->sandboxChanged();
}

void NotebookSession::Private::restart()
{
    queue->cancelPending();
    for (const auto &[language, context] : std::map(pool.contexts()))
        restartContext(language, context);
}

// A service that cannot restart a context gets a new one, which is the same for the user.
void NotebookSession::Private::restartContext(const std::string &language, const std::shared_ptr<Context> &context)
{
    context->restart(q, [this, language, context](const Result<> &result) {
        if (result) {
            rewinder->forget(context->info().id);
            return;
        }
        if (result.error().kind != Error::Kind::Unsupported) {
            lastError = result.error();
            emit q->failed(result.error());
            return;
        }
        queue->abandonRunning({Outcome::Interrupted, 0, {}, tr("Interrupted by restart.").toStdString()});
        pool.drop(language);
        if (provider)
            provider->closeContext(context->sandboxId(), context->info().id, q, [](const Result<> &) {});
    });
}

void NotebookSession::Private::kill()
{
    queue->cancelPending();
    const SandboxId id = sandbox.id;
    queue->abandonRunning({Outcome::Interrupted, 0, {}, tr("The sandbox was shut down.").toStdString()});
    forgetSandbox(State::Gone, {Error::Kind::Cancelled, tr("The sandbox was shut down.").toStdString(), {}});
    if (!provider || id.isEmpty())
        return;
    request = provider->kill(id, q, [this](const Result<> &result) {
        if (result || result.error().kind == Error::Kind::NotFound || result.error().kind == Error::Kind::Cancelled)
            return;
        lastError = result.error();
        emit q->failed(result.error());
    });
}

void NotebookSession::Private::forgetSandbox(State next, const Error &reason)
{
    request.cancel();
    isReattaching = false;
    if (flow) {
        flow->disconnect(q);
        flow->cancel();
        flow.release()->deleteLater();
    }
    const bool had = hasSandbox();
    hadVariables = hadVariables || (had && !pool.contexts().empty());
    sandbox = {};
    branch.reset();
    setState(had || next == State::Failed ? next : State::NoSandbox);
    pool.reset(reason);
    rewinder->forgetAll();
    queue->setHeld(ExecutionQueue::Hold::Pause, false);
    if (had)
        emit q->sandboxChanged();
}

// The context says that its connection is gone; whether the sandbox is gone too only the service knows.
void NotebookSession::Private::contextLost(const Error &error)
{
    if (state == State::Pausing || state == State::Paused || !provider || !hasSandbox())
        return;
    request = provider->info(sandbox.id, q, [this, error, id = sandbox.id](const Result<SandboxInfo> &info) {
        if (id != sandbox.id || (!info && info.error().kind == Error::Kind::Cancelled))
            return;
        if (info ? isEnded(info->state) : canBindFolders() || !isNetworkTrouble(info.error().kind)) {
            sandboxLost(error);
            return;
        }
        if (info && info->state == SandboxState::Paused) {
            takeSandbox(*info);
            return;
        }
        pool.dropDead();
        lastError = error;
        emit q->failed(error);
        settle();
    });
}

void NotebookSession::Private::sandboxLost(const Error &error)
{
    queue->cancelPending();
    queue->abandonRunning({Outcome::ConnectionLost, 0, {},
        tr("The sandbox has ended. The output up to here is kept; the variables are gone.").toStdString()});
    forgetSandbox(State::Gone, error);
    lastError = error;
    emit q->failed(error);
}

void NotebookSession::Private::takeSandbox(const SandboxInfo &info)
{
    if (info.id != sandbox.id || info == sandbox)
        return;
    if (isEnded(info.state)) {
        sandboxLost({Error::Kind::Gone, tr("The sandbox has ended. The next run starts a new one.").toStdString(), {}});
        return;
    }
    const bool isUnderWay = state == State::Pausing || state == State::Resuming || state == State::Starting;
    sandbox = info;
    if (!isUnderWay && info.state == SandboxState::Paused && state != State::Paused) {
        queue->setHeld(ExecutionQueue::Hold::Pause, true);
        setState(State::Paused);
    } else if (!isUnderWay && info.state == SandboxState::Running && state == State::Paused) {
        setState(State::Resuming);
        resumed(info);
        return;
    }
    emit q->sandboxChanged();
}

void NotebookSession::Private::fail(const Error &error)
{
    lastError = error;
    forgetSandbox(State::Failed, error);
    emit q->failed(error);
}

void NotebookSession::Private::setState(State next)
{
    if (state == next)
        return;
    state = next;
    stateAge.restart();
    emit q->stateChanged();
}

void NotebookSession::Private::settle()
{
    if (state != State::Ready && state != State::Busy && state != State::Reconnecting)
        return;
    setState(pool.isReconnecting() ? State::Reconnecting : queue->running() ? State::Busy : State::Ready);
}

} // namespace sandfish
