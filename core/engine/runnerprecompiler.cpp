#include "core/engine/runnerprecompiler.h"

#include "core/engine/childprocess.h"
#include "core/engine/statefiles.h"

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <utility>

namespace sandfish {
namespace {

// Another version, at the same path too, has compiled files of its own.
std::string identityOf(const std::string &program)
{
    struct stat facts;
    if (::stat(program.c_str(), &facts) != 0)
        return {};
    return program + ' ' + std::to_string(facts.st_size) + ' ' + std::to_string(facts.st_mtim.tv_sec) + '.'
        + std::to_string(facts.st_mtim.tv_nsec) + '\n';
}

} // namespace

RunnerPrecompiler::RunnerPrecompiler(EventLoop &loop, const EngineFacts &facts)
    : m_loop(loop)
    , m_stampPath(facts.runners + "/python-compiled")
    , m_interpreter(identityOf(facts.interpreters.python))
{
    if (facts.interpreters.python.empty() || isCompiled())
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
    int status = 0;
    const bool isDone =
        ::waitpid(std::exchange(m_pid, 0), &status, 0) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    // Without the stamp the next daemon compiles again.
    if (isDone) {
        [[maybe_unused]] const Result<> written = writeFileAtomically(m_stampPath, m_interpreter);
    }
}

bool RunnerPrecompiler::isCompiled() const
{
    const Result<std::string> stamp = readSmallFile(m_stampPath);
    return stamp && !m_interpreter.empty() && *stamp == m_interpreter;
}

} // namespace sandfish
