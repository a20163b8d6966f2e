#include "core/engine/runnerprecompiler.h"

#include "core/engine/childprocess.h"

#include <csignal>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <utility>

namespace sandfish {

RunnerPrecompiler::RunnerPrecompiler(EventLoop &loop, const EngineFacts &facts)
    : m_loop(loop)
{
    if (facts.interpreters.python.empty())
        return;
    const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    ChildProcessSpec spec;
    // The files never change below their folder's name, so no start has to compare times.
    spec.arguments = {facts.interpreters.python, "-I", "-S", "-m", "compileall", "-q", "--invalidation-mode",
        "unchecked-hash", facts.runners + "/python"};
    spec.environment = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8"};
    spec.descriptors = {{nothing.get(), 0}, {nothing.get(), 1}, {nothing.get(), 2}};
    const Result<pid_t> pid = startChildProcess(spec);
    if (!pid)
        return;
    m_pid = *pid;
    m_handle.reset(static_cast<int>(::syscall(SYS_pidfd_open, m_pid, 0)));
    m_watch = m_loop.watch(m_handle.get(), EventLoop::Readiness::Read, [this] { ended(); });
}

RunnerPrecompiler::~RunnerPrecompiler()
{
    if (m_pid == 0)
        return;
    ::kill(m_pid, SIGKILL);
    ended();
}

void RunnerPrecompiler::ended()
{
    m_loop.unwatch(std::exchange(m_watch, 0));
    ::waitpid(std::exchange(m_pid, 0), nullptr, 0);
}

} // namespace sandfish
