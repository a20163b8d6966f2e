#include "core/engine/kernelcontext.h"

#include "core/engine/pythonzygote.h"
#include "core/engine/randomid.h"

#include <algorithm>
#include <utility>

namespace sandfish {
namespace {

constexpr std::size_t kMaxQueued = 1000;
constexpr std::size_t kMaxQueuedBytes = 64u << 20;

} // namespace

KernelContext::KernelContext(
    ContextServices services, ContextId id, Language language, std::string cwd, std::string realCwd)
    : m_services(std::move(services))
    , m_id(std::move(id))
    , m_language(language)
    , m_cwd(std::move(cwd))
    , m_realCwd(std::move(realCwd))
    , m_ladder(m_services.clock, language)
    , m_queries(m_services.clock, [this] { runNext(); })
{
}

KernelContext::~KernelContext()
{
    *m_isAlive = false;
    m_ladder.reset();
    for (PausableClock::TimerId id : {m_startTimer, m_timeoutTimer, m_coolTimer})
        m_services.clock.cancel(id);
}

ContextInfo KernelContext::info() const
{
    return {m_id, std::string(languageName(m_language)), m_cwd, m_running ? ContextState::Busy : m_state, m_version,
        m_executionCount};
}

KernelProcess::Handlers KernelContext::handlers()
{
    KernelProcess::Handlers handlers;
    handlers.text = [this](StreamText::Channel channel, std::string_view bytes) { handleText(channel, bytes); };
    handlers.event = [this](const Json &event) { handleEvent(event); };
    handlers.turnEnded = [this] {
        if (m_owner)
            m_owner->endTurn();
    };
    handlers.ended = [this](const KernelEnd &end) { handleEnd(end); };
    return handlers;
}

Result<KernelContext::ExecutionPtr> KernelContext::enqueue(ExecutionSpec spec)
{
    std::size_t bytes = spec.code.size();
    for (const ExecutionPtr &waiting : m_queue)
        bytes += waiting->spec().code.size();
    if (m_queue.size() >= kMaxQueued || (bytes > kMaxQueuedBytes && !m_queue.empty()))
        return Error{Error::Kind::RateLimited,
            "Too many executions are waiting in this context. Wait until some have run, or interrupt the first."};
    auto execution =
        std::make_shared<KernelExecution>(m_services.loop, randomUuid(), std::move(spec), m_services.logLimits);
    m_queue.push_back(execution);
    m_services.loop.post([this, alive = m_isAlive] {
        if (*alive)
            runNext();
    });
    return execution;
}

void KernelContext::runNext()
{
    if (m_queue.empty() || m_running || m_isShutDown)
        return;
    if (!m_process) {
        startKernel();
        return;
    }
    if (!m_isReady || m_ladder.isSettling() || !m_queries.isEmpty() || m_pending.checkpoint)
        return;
    m_running = m_queue.front();
    m_queue.pop_front();
    keepStateBefore(*m_running);
    m_runningId = m_nextRunnerId++;
    m_hasTimedOut = false;
    m_process->reopenInput();
    if (!m_running->spec().allowsInput)
        m_process->endInput();
    if (m_language == Language::Bash && m_running->spec().code.find('\0') != std::string::npos) {
        m_running->start(++m_executionCount);
        failRunning(Outcome::CodeError, "SyntaxError", "Bash code cannot hold a NUL character.");
        return;
    }
    m_process->send(executeMessage(m_language, m_runningId, m_running->spec()));
}

void KernelContext::handleText(StreamText::Channel channel, std::string_view bytes)
{
    if (m_owner)
        m_owner->addText(channel, bytes);
}

void KernelContext::handleEvent(const Json &event)
{
    const std::string name = stringOr(event, "ev", "");
    if (name == "ready") {
        m_version = stringOr(event, "version", "");
        becomeReady();
    } else if (name == "started") {
        handleStarted(event);
    } else if (name == "done") {
        handleDone(event);
    } else if (name == "owner") {
        setOwner(byRunnerId(event));
    } else if (name == "idle") {
        if (m_ladder.idleSeen())
            runNext();
    } else if (name == "checkpoint") {
        handleCheckpoint(event);
    } else if (name == "reply") {
        m_queries.handleReply(event);
    } else if (std::optional<ExecutionEvent> output = outputEventFrom(event)) {
        const ExecutionPtr execution = byRunnerId(event);
        const bool isRequest = std::holds_alternative<InputRequest>(*output);
        if (execution && (!isRequest || execution->spec().allowsInput))
            execution->addEvent(std::move(*output));
    }
}

KernelContext::ExecutionPtr KernelContext::byRunnerId(const Json &event) const
{
    const auto id = static_cast<int>(integerOr(event, "id", 0));
    if (m_running && id == m_runningId)
        return m_running;
    return m_history.byRunnerId(id);
}

void KernelContext::setOwner(ExecutionPtr execution)
{
    if (m_owner && m_owner != execution)
        m_owner->endTurn();
    m_owner = std::move(execution);
}

void KernelContext::handleStarted(const Json &event)
{
    if (!m_running || byRunnerId(event) != m_running)
        return;
    setOwner(m_running);
    m_running->start(++m_executionCount, beforeRunning());
    if (const std::string notice = std::exchange(m_notice, {}); !notice.empty())
        m_running->addEvent(Notice{notice});
    if (const auto limit = m_running->spec().timeout)
        m_timeoutTimer = m_services.clock.start(*limit, [this] { handleTimeout(); });
    m_ladder.started(*m_process, m_runningId);
}

void KernelContext::handleDone(const Json &event)
{
    if (!m_running || byRunnerId(event) != m_running)
        return;
    RunnerDone result = runnerDoneFrom(event, m_language);
    m_services.zygote.want(result.modules);
    result.done.executionCount = m_executionCount;
    if (m_hasTimedOut) {
        const std::string limit = secondsText(*m_running->spec().timeout);
        result.done.outcome = Outcome::TimedOut;
        result.done.reason = "The cell ran longer than " + limit + " and was interrupted. Its variables are kept.";
        result.error = ErrorOutput{"TimeoutError", result.done.reason, {}};
    }
    finishRunning(std::move(result.error), std::move(result.done));
}

void KernelContext::finishRunning(std::optional<ErrorOutput> error, WireDone done)
{
    m_services.clock.cancel(std::exchange(m_timeoutTimer, 0));
    m_ladder.ended();
    // Text that comes now is late output of this execution, until another one starts.
    const ExecutionPtr execution = std::exchange(m_running, nullptr);
    m_history.add(m_runningId, execution);
    if (error)
        execution->addEvent(std::move(*error));
    execution->finish(std::move(done));
    m_services.loop.post([this, alive = m_isAlive] {
        if (*alive)
            runNext();
    });
    keepStateAhead(*execution);
}

void KernelContext::failRunning(Outcome outcome, const std::string &name, const std::string &reason)
{
    if (!m_running)
        return;
    WireDone done;
    done.executionCount = std::max(m_executionCount, 1);
    done.outcome = outcome;
    done.reason = reason;
    finishRunning(ErrorOutput{name, reason, {}}, std::move(done));
}

void KernelContext::failQueue(const std::string &reason)
{
    for (const ExecutionPtr &execution : std::exchange(m_queue, {})) {
        m_running = execution;
        m_runningId = m_nextRunnerId++;
        failRunning(Outcome::Aborted, "KernelError", reason);
    }
}

KernelContext::ExecutionPtr KernelContext::find(const std::string &executionId) const
{
    const auto matches = [&](const ExecutionPtr &execution) { return execution && execution->id() == executionId; };
    if (matches(m_running))
        return m_running;
    for (const ExecutionPtr &execution : m_queue) {
        if (matches(execution))
            return execution;
    }
    return m_history.byId(executionId);
}

void KernelContext::interrupt()
{
    if (m_running)
        m_ladder.interrupt();
}

void KernelContext::cancel(const ExecutionPtr &execution)
{
    if (execution == m_running) {
        m_ladder.interrupt();
        return;
    }
    const auto found = std::find(m_queue.begin(), m_queue.end(), execution);
    if (found == m_queue.end())
        return;
    m_queue.erase(found);
    WireDone done;
    done.outcome = Outcome::Aborted;
    done.reason = "The execution was cancelled before it started.";
    execution->finish(std::move(done));
}

Result<> KernelContext::sendInput(std::string_view text)
{
    if (!m_running || !m_running->spec().allowsInput)
        return Error{Error::Kind::Conflict, "No cell of this context waits for input."};
    return m_process->writeInput(text);
}

Result<> KernelContext::endInput()
{
    if (!m_running || !m_running->spec().allowsInput)
        return Error{Error::Kind::Conflict, "No cell of this context waits for input."};
    m_process->endInput();
    return {};
}

void KernelContext::restart()
{
    failRunning(Outcome::Aborted, "KernelRestarted", "The context was restarted while the cell ran.");
    retireKernel();
    m_checkpoints.keepNewest(0);
    m_before.clear();
    m_notice.clear();
    startKernel();
}

void KernelContext::shutDown(const std::string &reason)
{
    m_isShutDown = true;
    failRunning(Outcome::Aborted, "KernelEnded", reason);
    failQueue(reason);
    retireKernel();
    m_checkpoints.clear();
    m_state = ContextState::Dead;
}

void KernelContext::query(const std::string &operation, const Json &parameters, Answer answer)
{
    if (!m_process || !m_isReady || m_running || !m_queue.empty() || m_ladder.isSettling()) {
        answer(Error{Error::Kind::Conflict, "The context is busy. Ask again when no cell runs."});
        return;
    }
    const int id = m_nextRunnerId++;
    const Result<std::string> message = queryMessage(m_language, id, operation, parameters);
    if (!message) {
        answer(message.error());
        return;
    }
    m_queries.add(id, std::move(answer));
    m_process->send(*message);
}

void KernelContext::handleTimeout()
{
    m_timeoutTimer = m_services.clock.start(m_running->spec().interruptGrace, [this] { m_process->kill(); });
    m_hasTimedOut = true;
    m_ladder.interrupt();
}

} // namespace sandfish
