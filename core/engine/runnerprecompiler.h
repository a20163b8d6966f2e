#pragma once

#include "core/engine/enginefacts.h"
#include "core/engine/eventloop.h"
#include "core/engine/uniquefd.h"

namespace sandfish {

/// Compiles the Python runner once, in the background: a sandbox sees it read-only, and every interpreter would compile
/// it anew at its start. A failure costs that time and nothing else. Thread: the loop's.
class RunnerPrecompiler
{
public:
    RunnerPrecompiler(EventLoop &loop, const EngineFacts &facts);
    /// Ends what is still running.
    ~RunnerPrecompiler();

private:
    void ended();

    EventLoop &m_loop;
    pid_t m_pid = 0;
    UniqueFd m_handle;
    EventLoop::WatchId m_watch = 0;
};

} // namespace sandfish
