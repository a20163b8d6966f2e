// How a context gets its runner, and gives it up.
#include "core/engine/kernelcontext.h"
#include "core/engine/pythonzygote.h"

#include <utility>

namespace sandfish {
namespace {

constexpr std::chrono::seconds kStartPatience(30);
// A sandbox that nobody uses gives the memory of its ready interpreter back.
constexpr std::chrono::seconds kWarmTime(60);

} // namespace

void KernelContext::warmUp()
{
    if (m_process || m_isShutDown)
        return;
    startKernel();
    m_services.clock.cancel(m_coolTimer);
    m_coolTimer = m_services.clock.start(kWarmTime, [this] { coolDown(); });
}

void KernelContext::coolDown()
{
    if (!isUnused())
        return;
    retireKernel();
    m_state = ContextState::Idle;
}

bool KernelContext::takeRunner(KernelContext &other)
{
    if (m_language == Language::Bash || other.m_language != m_language || m_process || !other.isUnused())
        return false;
    other.m_services.clock.cancel(std::exchange(other.m_startTimer, 0));
    m_process = std::exchange(other.m_process, nullptr);
    m_process->setHandlers(handlers());
    m_version = std::exchange(other.m_version, {});
    m_state = std::exchange(other.m_state, ContextState::Idle);
    m_source = other.m_source;
    if (other.m_realCwd != m_realCwd)
        m_folderMessage = folderMessage(m_realCwd);
    if (!std::exchange(other.m_isReady, false))
        m_startTimer = m_services.clock.start(kStartPatience, [this] { m_process->kill(); });
    else
        becomeReady();
    return true;
}

void KernelContext::beginProcess(Source source)
{
    m_isReady = false;
    m_source = source;
    m_executionCount = 0;
    m_state = ContextState::Starting;
    m_folderMessage.clear();
    m_forks.reset();
    m_process = std::make_shared<KernelProcess>(m_services.loop, m_services.link, handlers());
    m_startTimer = m_services.clock.start(kStartPatience, [this] { m_process->kill(); });
}

void KernelContext::startKernel()
{
    HolderLink *zygote = m_language == Language::Python ? m_services.zygote.take() : nullptr;
    if (!zygote) {
        startProgram();
        return;
    }
    beginProcess(Source::Zygote);
    m_process->resume(*zygote, m_realCwd, KernelProcess::Randomness::Fresh, "Python");
}

void KernelContext::startProgram()
{
    beginProcess(Source::Program);
    Result<KernelProcess::Launch> launch = kernelLaunch(m_language, m_services, m_realCwd);
    if (launch) {
        m_process->start(launch.take());
        return;
    }
    m_services.loop.post([this, alive = m_isAlive, reason = launch.error().message] {
        if (*alive && m_process)
            handleEnd({std::nullopt, reason});
    });
}

void KernelContext::becomeReady()
{
    m_services.clock.cancel(std::exchange(m_startTimer, 0));
    m_isReady = true;
    m_state = ContextState::Idle;
    if (!m_folderMessage.empty())
        m_process->send(std::exchange(m_folderMessage, {}));
    if (!m_stateFile.empty()) {
        loadState(std::exchange(m_stateFile, {}));
        return;
    }
    answerResumed({});
    runNext();
}

// Takes the runner out of service without hearing from it again; it is destroyed in a later turn.
void KernelContext::retireKernel()
{
    m_services.clock.cancel(std::exchange(m_startTimer, 0));
    m_services.clock.cancel(std::exchange(m_timeoutTimer, 0));
    m_ladder.reset();
    setOwner(nullptr);
    m_isReady = false;
    m_version.clear();
    m_stateFile.clear();
    m_ahead.reset();
    m_queries.failAll({Error::Kind::Conflict, "The interpreter has ended."});
    dropPending();
    answerResumed(Error{Error::Kind::Conflict, "The context was started anew, rewound or deleted meanwhile."});
    if (std::shared_ptr<KernelProcess> old = std::exchange(m_process, nullptr)) {
        old->abandon();
        m_services.loop.post([old] {});
    }
}

} // namespace sandfish
