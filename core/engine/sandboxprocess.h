#pragma once

#include "core/engine/enginefacts.h"
#include "core/engine/mountplan.h"
#include "core/engine/sandboxlimits.h"
#include "core/engine/sandboxrecord.h"
#include "core/engine/supervisorlink.h"

#include <functional>
#include <memory>
#include <string>

namespace sandfish {

/// The processes of one sandbox as a whole: bubblewrap, the supervisor, and the control group. Thread: the loop's.
class SandboxProcess
{
public:
    using Done = std::function<void(Result<>)>;

    SandboxProcess(EventLoop &loop, const EngineFacts &facts, std::string id);
    ~SandboxProcess();

    /// Starts the supervisor; \a done once it serves and is confined. \a ended comes once and last, when the last
    /// process of the sandbox is gone, whoever ended it, also after a failed start. The object may be destroyed after
    /// that.
    void start(const LocalSandboxSpec &spec, Done done, std::function<void()> ended);
    /// SIGKILL to everything; \a ended follows in milliseconds, also for a paused sandbox.
    void kill();

    SupervisorLink &link() { return *m_link; }
    Cgroup *cgroup() { return m_cgroup.get(); }
    std::int64_t residentBytes() const;
    /// True when the sandbox is near its bound of memory or processes, or the computer near the end of its memory.
    bool isUnderPressure() const;
    /// Processes of the user's, as the daemon sees them.
    std::vector<pid_t> processes() const;

private:
    SandboxMounts mountsFor(const LocalSandboxSpec &spec) const;
    Result<> launch(const SandboxMounts &mounts);
    Json confinement(const SandboxMounts &mounts, const SandboxLimits &limits) const;
    void fail(Error error);
    void childEnded();
    std::string lastLogLine() const;

    EventLoop &m_loop;
    const EngineFacts &m_facts;
    std::string m_id;
    SandboxLimits m_limits;
    std::unique_ptr<Cgroup> m_cgroup;
    std::unique_ptr<SupervisorLink> m_link;
    pid_t m_child = 0; // bubblewrap, or the supervisor itself without namespaces
    pid_t m_supervisor = 0;
    UniqueFd m_childHandle;
    UniqueFd m_supervisorHandle;
    EventLoop::WatchId m_childWatch = 0;
    EventLoop::TimerId m_timer = 0;
    Done m_done;
    std::function<void()> m_ended;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
};

} // namespace sandfish
