#include "core/providers/daytona/daytonacontext.h"

#include "core/providers/daytona/daytonaexecution.h"
#include "core/providers/daytona/daytonalink.h"
#include "core/support/logging.h"

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Verb = HttpCall::Verb;

// What the socket of a closed context may still need to tell of the end of its run.
constexpr std::chrono::milliseconds kClosedGrace{1000};
// After a run that ended by its error alone: its end message must not reach the next run (protocols.md §3.6-6).
constexpr std::chrono::milliseconds kRest{250};

} // namespace

DaytonaContext::DaytonaContext(std::shared_ptr<DaytonaLink> link, SandboxId sandbox, ContextInfo info)
    : m_link(std::move(link))
    , m_sandbox(std::move(sandbox))
    , m_info(std::move(info))
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRest);
    connect(&m_rest, &QTimer::timeout, this, &DaytonaContext::startNext);
    m_awake.setInterval(m_link->config().awakeInterval);
    connect(&m_awake, &QTimer::timeout, this, &DaytonaContext::keepAwake);
    setState(m_info.state == ContextState::Dead ? State::Dead : State::Starting);
    if (state() != State::Dead)
        QTimer::singleShot(0, this, &DaytonaContext::startNext);
}

DaytonaContext::~DaytonaContext() = default;

Execution *DaytonaContext::execute(const ExecuteRequest &request)
{
    auto *execution = new DaytonaExecution(m_link, request, DaytonaExecution::Origin::User, this);
    m_waiting.emplace_back(execution);
    // What is refused at once is told to those who have connected to it by then.
    QTimer::singleShot(0, this, &DaytonaContext::startNext);
    return execution;
}

void DaytonaContext::startNext()
{
    if (m_running || m_isRestarting || m_rest.isActive())
        return;
    if (!std::exchange(m_hasLooked, true)) {
        lookInside();
        return;
    }
    while (!m_running && !m_waiting.empty()) {
        m_running = m_waiting.front();
        m_waiting.pop_front();
    }
    if (!m_running) {
        if (state() != State::Dead)
            setState(State::Idle);
        return;
    }
    setState(State::Busy);
    m_awake.start();
    m_running->start();
}

void DaytonaContext::lookInside()
{
    m_worker.reset();
    ExecuteRequest request;
    request.code = Daytona::workerCode();
    request.timeout = m_link->config().setupLimit;
    m_running = new DaytonaExecution(m_link, request, DaytonaExecution::Origin::Adapter, this);
    auto printed = std::make_shared<std::string>();
    connect(m_running.data(), &Execution::received, this, [printed](const std::vector<ExecutionEvent> &events) {
        for (const ExecutionEvent &event : events) {
            if (const auto *text = std::get_if<StreamText>(&event))
                *printed += text->text;
        }
    });
    connect(m_running.data(), &Execution::finished, this, [this, printed](const ExecutionSummary &summary) {
        if (summary.outcome == Outcome::Ok)
            takeWorker(*printed);
        else
            qCInfo(lcProvider) << "a context was not looked into:" << summary.reason.c_str();
    });
    setState(State::Starting);
    m_running->start();
}

void DaytonaContext::takeWorker(const std::string &printed)
{
    m_worker = Daytona::parseWorker(printed);
    if (!m_worker || m_worker->version == m_info.version)
        return;
    m_info.version = m_worker->version;
    emit infoChanged();
}

void DaytonaContext::executionEnded(const DaytonaExecution *execution)
{
    if (m_running != execution)
        return; // it was still waiting
    m_running.clear();
    m_awake.stop();
    const Daytona::RunTrace &trace = execution->trace();
    m_mayEndEarly = trace.hasError && !trace.hasCompleted && !trace.hasInterrupted;
    if (m_mayEndEarly)
        m_rest.start();
    if (m_isRestarting)
        return;
    const bool isIdle = m_waiting.empty() && m_hasLooked;
    if (isIdle && state() != State::Dead)
        setState(State::Idle);
    startNext();
}

void DaytonaContext::noteFate(Daytona::ContextFate fate)
{
    if (fate == Daytona::ContextFate::Reset)
        m_hasLooked = false;
    if (fate == Daytona::ContextFate::Gone)
        setState(State::Dead);
}

Request DaytonaContext::interrupt(QObject *receiver, Done<> done)
{
    const Completion<> completion(receiver, std::move(done));
    const bool isUsers = m_running && m_running->origin() == DaytonaExecution::Origin::User;
    if (!isUsers) {
        endWaiting(Outcome::Interrupted, tr("Interrupted before it began."));
        completion.finish({});
        return completion.request();
    }
    if (!m_worker) {
        completion.finish(noInterrupt());
        return completion.request();
    }
    m_running->setInterruptAsked(true);
    const Request inner = m_link->toolbox(m_sandbox, Verb::Post, u"/process/execute"_s,
        Daytona::interruptBody(*m_worker), this, [this, completion, running = m_running](const Result<Json> &answer) {
            const bool isSent = answer && integerOr(*answer, "exitCode", -1) == 0;
            if (!isSent && running)
                running->setInterruptAsked(false);
            if (isSent)
                completion.finish({});
            else
                completion.finish(answer ? noInterrupt() : answer.error());
        });
    completion.setStop([inner] { inner.cancel(); });
    return completion.request();
}

Error DaytonaContext::noInterrupt() const
{
    return {Error::Kind::Unsupported,
        tr("Daytona cannot interrupt this run: its process was not found. Let it go on, restart the context, which "
           "loses "
           "its variables, or kill the sandbox.")
            .toStdString(),
        {}};
}

Request DaytonaContext::restart(QObject *receiver, Done<> done)
{
    const Completion<> completion(receiver, std::move(done));
    m_isRestarting = true;
    endWaiting(Outcome::Aborted, tr("The context was restarted before this run began."));
    setState(State::Starting);
    const Request inner = m_link->toolbox(m_sandbox, Verb::Delete, Daytona::contextPath(m_info.id), {}, this,
        [this, completion](const Result<Json> &answer) {
            const bool isClosed = answer || answer.error().kind == Error::Kind::NotFound;
            if (isClosed) {
                openAnew(completion);
                return;
            }
            settleRestart(answer.error());
            completion.finish(answer.error());
        });
    completion.setStop([this, inner] {
        inner.cancel();
        settleRestart(Error{Error::Kind::Cancelled, "Cancelled.", {}});
    });
    return completion.request();
}

// The old one is closed: without a new one there is none.
void DaytonaContext::openAnew(const Completion<> &completion)
{
    if (!completion.isPending())
        return;
    const std::string body = Daytona::contextBody({"python", m_info.cwd});
    const Request inner = m_link->toolbox(m_sandbox, Verb::Post, u"/process/interpreter/context"_s, body, this,
        [this, completion](const Result<Json> &answer) {
            ContextInfo made = answer ? Daytona::parseContext(*answer) : ContextInfo();
            if (made.id.isEmpty()) {
                const Error error = answer ? Error{Error::Kind::Protocol,
                                        tr("The answer about the new context cannot be understood.").toStdString(), {}}
                                           : answer.error();
                settleRestart(Error{Error::Kind::NotFound, error.message, error.detail});
                completion.finish(error);
                return;
            }
            m_info = std::move(made);
            m_hasLooked = false;
            emit infoChanged();
            settleRestart({});
            completion.finish({});
        });
    completion.setStop([this, inner] {
        inner.cancel();
        settleRestart(Error{Error::Kind::NotFound, "Cancelled.", {}});
    });
}

void DaytonaContext::settleRestart(const Result<> &result)
{
    m_isRestarting = false;
    if (result && m_running) {
        m_running->endSoonAsInterrupted(kClosedGrace);
        return;
    }
    const bool isGone = !result && result.error().kind == Error::Kind::NotFound;
    setState(isGone ? State::Dead : m_running ? State::Busy : State::Idle);
    startNext();
}

void DaytonaContext::endWaiting(Outcome outcome, const QString &reason)
{
    const auto waiting = std::exchange(m_waiting, {});
    for (const auto &execution : waiting) {
        if (execution)
            execution->end({outcome, 0, {}, reason.toStdString()});
    }
}

void DaytonaContext::keepAwake()
{
    m_link->control(
        Verb::Post, Daytona::sandboxPath(m_sandbox, u"/last-activity"_s), {}, this, [](const Result<Json> &answer) {
            if (!answer)
                qCInfo(lcProvider) << "the idle time was not reset:" << answer.error().message.c_str();
        });
}

} // namespace sandfish
