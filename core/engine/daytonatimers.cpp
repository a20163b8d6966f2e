#include "core/engine/daytonatimers.h"

#include <algorithm>

namespace sandfish {
namespace {

constexpr std::chrono::seconds kLookInterval(10);

bool isAtWork(LocalSandbox &sandbox)
{
    const auto &contexts = sandbox.contexts();
    return sandbox.commands() > 0 || std::any_of(contexts.begin(), contexts.end(), [](const auto &context) {
        return context->info().state == ContextState::Busy;
    });
}

} // namespace

DaytonaTimers::DaytonaTimers(EventLoop &loop, SandboxRegistry &registry)
    : m_loop(loop)
    , m_registry(registry)
{
    check();
}

DaytonaTimers::~DaytonaTimers()
{
    m_loop.cancelTimer(m_timer);
}

void DaytonaTimers::touch(const LocalSandbox &sandbox)
{
    m_uses[sandbox.spec().id.value] = Use{};
    if (m_timer == 0)
        check();
}

SystemTime DaytonaTimers::lastActivity(const LocalSandbox &sandbox) const
{
    const auto found = m_uses.find(sandbox.spec().id.value);
    return found == m_uses.end() ? sandbox.spec().startedAt : found->second.lastTime;
}

void DaytonaTimers::check()
{
    bool isNeeded = false;
    for (const SandboxPtr &sandbox : m_registry.all()) {
        if (!sandbox->spec().daytona || sandbox->isEnding())
            continue;
        isNeeded = true;
        checkOne(sandbox);
    }
    std::erase_if(m_uses, [this](const auto &use) { return !m_registry.find(use.first); });
    m_loop.cancelTimer(m_timer);
    m_timer = isNeeded ? m_loop.startTimer(kLookInterval, [this] { check(); }) : 0;
}

void DaytonaTimers::checkOne(const SandboxPtr &sandbox)
{
    using std::chrono::duration_cast;
    using std::chrono::milliseconds;
    const Clock::time_point now = Clock::now();
    Use &use = m_uses[sandbox->spec().id.value];
    if (isAtWork(*sandbox))
        use = Use{};
    if (sandbox->state() != SandboxState::Stopped)
        use.stoppedSince.reset();
    else if (!use.stoppedSince)
        use.stoppedSince = now;
    const auto stopped = duration_cast<milliseconds>(now - use.stoppedSince.value_or(now));
    const auto idle = duration_cast<milliseconds>(now - use.last);
    const auto nothing = [](const Result<> &) {};
    // The calls may end the sandbox at once, and with it what is looked at here.
    switch (daytonaDue(*sandbox->spec().daytona, sandbox->state(), idle, stopped, std::chrono::system_clock::now())) {
    case DaytonaDue::Stop:
        m_loop.post([sandbox, nothing] { sandbox->stop(nothing); });
        break;
    case DaytonaDue::Pause:
        m_loop.post([sandbox, nothing] { sandbox->pause(nothing); });
        break;
    case DaytonaDue::Delete:
        m_loop.post([sandbox, nothing] { sandbox->kill(nothing); });
        break;
    case DaytonaDue::Nothing:
        break;
    }
}

} // namespace sandfish
