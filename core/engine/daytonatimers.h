#pragma once

#include "core/engine/sandboxregistry.h"

#include <map>
#include <optional>

namespace sandfish {

/// When each sandbox was last used through the Daytona face, and the stops, pauses and deletions that its intervals
/// bring. Code and commands that run count as use, whoever has started them. Thread: the loop's.
class DaytonaTimers
{
public:
    using SandboxPtr = SandboxRegistry::SandboxPtr;

    DaytonaTimers(EventLoop &loop, SandboxRegistry &registry);
    ~DaytonaTimers();

    /// The sandbox is used now.
    void touch(const LocalSandbox &sandbox);
    SystemTime lastActivity(const LocalSandbox &sandbox) const;
    /// Looks after every sandbox at once, as it does every 10 s anyway.
    void check();

private:
    using Clock = std::chrono::steady_clock;
    struct Use
    {
        Clock::time_point last = Clock::now();
        SystemTime lastTime = std::chrono::system_clock::now();
        std::optional<Clock::time_point> stoppedSince;
    };

    void checkOne(const SandboxPtr &sandbox);

    EventLoop &m_loop;
    SandboxRegistry &m_registry;
    std::map<std::string, Use> m_uses;
    EventLoop::TimerId m_timer = 0;
};

} // namespace sandfish
