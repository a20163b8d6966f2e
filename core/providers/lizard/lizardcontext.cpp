#include "core/providers/lizard/lizardcontext.h"

#include "core/providers/lizard/lizardexecution.h"
#include "core/providers/lizard/lizardlink.h"

#include <QTimer>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;
using Verb = HttpCall::Verb;

// What a restarted kernel may still need to send the end of the run it broke off.
constexpr std::chrono::milliseconds kRestartGrace{1000};

Context::State stateFrom(ContextState state)
{
    switch (state) {
    case ContextState::Starting:
        return Context::State::Starting;
    case ContextState::Busy:
        return Context::State::Busy;
    case ContextState::Dead:
        return Context::State::Dead;
    case ContextState::Idle:
    case ContextState::Unknown:
        break;
    }
    return Context::State::Idle;
}

} // namespace

LizardContext::LizardContext(std::shared_ptr<LizardLink> link, SandboxId sandbox, ContextInfo info)
    : m_link(std::move(link))
    , m_sandbox(std::move(sandbox))
    , m_info(std::move(info))
{
    setState(stateFrom(m_info.state));
}

LizardContext::~LizardContext() = default;

Execution *LizardContext::execute(const ExecuteRequest &request)
{
    auto *execution = new LizardExecution(m_link, request, this);
    const bool isSeed = m_link->isConnected() && !m_link->engine();
    if (isSeed && m_info.language == "python" && !std::exchange(m_hasWarned, true))
        execution->announce(tr("This service may run the last line of a cell twice.").toStdString());
    m_waiting.emplace_back(execution);
    startNext();
    return execution;
}

void LizardContext::startNext()
{
    while (!m_running && !m_isRestarting && !m_isRewinding && !m_waiting.empty()) {
        m_running = m_waiting.front();
        m_waiting.pop_front();
        if (!m_running)
            continue;
        setState(State::Busy);
        connect(m_running.data(), &Execution::stateChanged, this, [this](Execution::State state) {
            if (state == Execution::State::Running)
                readVersion();
        });
        m_running->start();
    }
}

// A context that was made a moment ago knows no version yet: its interpreter was starting.
void LizardContext::readVersion()
{
    if (!m_info.version.empty() || !m_link->engine())
        return;
    m_link->code(m_sandbox, Verb::Get, u"/v1/contexts"_s, {}, this, [this](const Result<Json> &answer) {
        const std::vector<ContextInfo> contexts = answer ? Lizard::parseContexts(*answer) : std::vector<ContextInfo>();
        for (const ContextInfo &listed : contexts) {
            if (listed.id != m_info.id || listed.version.empty())
                continue;
            m_info.version = listed.version;
            emit infoChanged();
        }
    });
}

void LizardContext::executionEnded(const LizardExecution *execution, const ExecutionSummary &summary)
{
    if (m_running != execution)
        return; // it was still waiting
    m_running.clear();
    if (m_isRestarting || m_isRewinding)
        return;
    const bool isDead = state() == State::Dead || (summary.outcome == Outcome::Crashed && !m_link->engine());
    if (m_waiting.empty())
        setState(isDead ? State::Dead : State::Idle);
    startNext();
}

Request LizardContext::interrupt(QObject *receiver, Done<> done)
{
    if (!m_link->engine() || !m_link->engine()->has("interrupt"))
        return Context::interrupt(receiver, std::move(done));
    return m_link->code(m_sandbox, Verb::Post, Lizard::contextPath(m_info.id, u"/interrupt"_s), {}, receiver,
        [done = std::move(done)](const Result<Json> &answer) { done(answer ? Result<>() : Result<>(answer.error())); });
}

Request LizardContext::restart(QObject *receiver, Done<> done)
{
    m_isRestarting = true;
    abortWaiting(tr("The context was restarted before this run began.").toStdString());
    setState(State::Starting);
    const Completion<> completion(receiver, std::move(done));
    const Request inner = m_link->code(m_sandbox, Verb::Post, Lizard::contextPath(m_info.id, u"/restart"_s), {}, this,
        [this, completion](const Result<Json> &answer) {
            const Result<> result = answer ? Result<>() : Result<>(answer.error());
            settleRestart(result);
            completion.finish(result);
        });
    completion.setStop([this, inner] {
        inner.cancel();
        settleRestart(Error{Error::Kind::Cancelled, "Cancelled.", {}});
    });
    return completion.request();
}

void LizardContext::settleRestart(const Result<> &result)
{
    m_isRestarting = false;
    if (result && m_running) {
        m_running->endSoonAsInterrupted(kRestartGrace, tr("The context was restarted.").toStdString());
        return;
    }
    const bool isGone = !result && result.error().kind == Error::Kind::NotFound;
    if (isGone)
        setState(State::Dead);
    else
        goOn();
}

void LizardContext::settleRewind(const Result<> &result)
{
    m_isRewinding = false;
    if (result && m_running)
        m_running->endSoonAsInterrupted(kRestartGrace, tr("The context was rewound to before this run.").toStdString());
    else
        goOn();
}

void LizardContext::goOn()
{
    setState(m_running ? State::Busy : State::Idle);
    startNext();
}

void LizardContext::abortWaiting(const std::string &reason)
{
    const auto waiting = std::exchange(m_waiting, {});
    for (const auto &execution : waiting) {
        if (execution)
            execution->end({Outcome::Aborted, 0, {}, reason});
    }
}

} // namespace sandfish
