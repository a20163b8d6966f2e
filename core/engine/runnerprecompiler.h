#pragma once

#include "core/engine/enginefacts.h"
#include "core/engine/eventloop.h"
#include "core/engine/uniquefd.h"

namespace sandfish {

/// Compiles the Python runner once for each interpreter, in the background: a sandbox sees it read-only, and every
/// interpreter would compile it anew at its start. A failure costs that time and nothing else. Thread: the loop's.
class RunnerPrecompiler
{
public:
    RunnerPrecompiler(EventLoop &loop, const EngineFacts &facts);
    /// Ends what is still running.
    ~RunnerPrecompiler();

private:
    void ended();
    bool isCompiled() const;

    EventLoop &m_loop;
    std::string m_stampPath; // holds the interpreter that has compiled
    std::string m_interpreter;
    pid_t m_pid = 0;
    UniqueFd m_handle;
    EventLoop::WatchId m_watch = 0;
};

} // namespace sandfish
