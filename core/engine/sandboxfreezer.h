#pragma once

#include "core/engine/cgroup.h"
#include "core/engine/supervisorlink.h"

#include <chrono>
#include <functional>

namespace sandfish {

/// Stops and continues every process of a sandbox: by its control group where there is one, else by signals that the
/// supervisor sends. Thread: the loop's. Calls must not overlap.
class SandboxFreezer
{
public:
    using Done = std::function<void(Result<>)>;

    /// \a cgroup may be null.
    SandboxFreezer(EventLoop &loop, SupervisorLink &link, Cgroup *cgroup);
    ~SandboxFreezer();

    /// \a done comes once every process stands still; after an error all of them run.
    void freeze(Done done);
    void thaw(Done done);
    /// Asks the kernel to move the frozen memory to swap; \a done gets true once it has, at once false where the host
    /// cannot. Works beside the loop, for it can take seconds.
    void handMemoryBack(std::int64_t residentBytes, std::function<void(bool)> done);

private:
    void checkFrozen();
    void haltAll();

    EventLoop &m_loop;
    SupervisorLink &m_link;
    Cgroup *m_cgroup;
    Done m_done;
    UniqueFd m_reclaimed;
    EventLoop::WatchId m_reclaimWatch = 0;
    EventLoop::TimerId m_timer = 0;
    std::chrono::steady_clock::time_point m_startedAt;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
};

} // namespace sandfish
