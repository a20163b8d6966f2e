#include "core/engine/isolation.h"

#include "core/engine/childprocess.h"
#include "core/engine/landlock.h"
#include "core/engine/mountplan.h"
#include "core/engine/programlookup.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <utility>

namespace sandfish {
namespace {

constexpr int kProbeMilliseconds = 5000;

constexpr std::array kNames{
    std::pair{IsolationLevel::Full, std::string_view("full")},
    std::pair{IsolationLevel::SharedNetwork, std::string_view("shared-net")},
    std::pair{IsolationLevel::Landlock, std::string_view("landlock")},
    std::pair{IsolationLevel::None, std::string_view("none")},
};

Result<IsolationLevel> levelFromName(std::string_view name)
{
    if (name.empty())
        return IsolationLevel::Full;
    for (const auto &[level, known] : kNames) {
        if (known == name)
            return level;
    }
    return Error{Error::Kind::BadRequest,
        "SANDFISH_ISOLATION is \"" + std::string(name) + "\". Use full, shared-net, landlock or none."};
}

std::string readAll(int fd)
{
    std::string text;
    char buffer[4096];
    for (ssize_t count = ::read(fd, buffer, sizeof(buffer)); count > 0; count = ::read(fd, buffer, sizeof(buffer)))
        text.append(buffer, static_cast<std::size_t>(count));
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

bool waitForEnd(pid_t pid)
{
    const UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    pollfd wait{process.get(), POLLIN, 0};
    const bool isEnded = ::poll(&wait, 1, kProbeMilliseconds) > 0;
    if (!isEnded)
        ::kill(pid, SIGKILL);
    int status = 0;
    ::waitpid(pid, &status, 0);
    return isEnded && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Runs the line; the reason of a failure in the program's own words.
Result<> tryLine(std::vector<std::string> arguments)
{
    arguments.insert(arguments.end(), {"--", "/usr/bin/true"});
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return Error{Error::Kind::Io, std::strerror(errno)};
    const UniqueFd readEnd(ends[0]);
    UniqueFd writeEnd(ends[1]);
    const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    ChildProcessSpec spec;
    spec.arguments = std::move(arguments);
    spec.descriptors = {{nothing.get(), 0}, {nothing.get(), 1}, {writeEnd.get(), 2}};
    const Result<pid_t> pid = startChildProcess(spec);
    writeEnd.reset();
    if (!pid)
        return pid.error();
    if (waitForEnd(*pid))
        return {};
    const std::string said = readAll(readEnd.get());
    return Error{Error::Kind::Unsupported, said.empty() ? "bwrap failed without a message" : said};
}

Result<> tryBubblewrap(const Isolation &candidate)
{
    SandboxMounts mounts;
    mounts.hasNetwork = candidate.level != IsolationLevel::Full;
    return tryLine(bubblewrapArguments(candidate, mounts));
}

bool hasSeccompFilter()
{
    return ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

/// The best bubblewrap level at or below \a best; nothing if there is none. Appends what went wrong to \a reason.
std::optional<Isolation> probeBubblewrap(IsolationLevel best, std::string &reason)
{
    const std::string program = findProgram("bwrap");
    if (program.empty()) {
        reason = "bubblewrap is not installed";
        return std::nullopt;
    }
    for (IsolationLevel level : {IsolationLevel::Full, IsolationLevel::SharedNetwork}) {
        if (level < best)
            continue;
        for (bool isModern : {true, false}) {
            const Isolation candidate{level, reason, program, isModern, hasSeccompFilter()};
            const Result<> tried = tryBubblewrap(candidate);
            if (tried)
                return candidate;
            reason = tried.error().message;
        }
    }
    return std::nullopt;
}

} // namespace

std::string_view isolationLevelName(IsolationLevel level)
{
    for (const auto &[known, name] : kNames) {
        if (known == level)
            return name;
    }
    return "none";
}

Result<Isolation> probeIsolation(std::string_view forced)
{
    const Result<IsolationLevel> best = levelFromName(forced);
    if (!best)
        return best.error();
    std::string reason;
    if (*best > IsolationLevel::Full)
        reason = "SANDFISH_ISOLATION asks for it";
    if (*best <= IsolationLevel::SharedNetwork) {
        if (std::optional<Isolation> found = probeBubblewrap(*best, reason)) {
            if (found->level == IsolationLevel::Full)
                found->reason.clear();
            return *found;
        }
    }
    Isolation isolation;
    isolation.hasSeccomp = hasSeccompFilter();
    isolation.reason = reason;
    if (*best <= IsolationLevel::Landlock && landlockAbi() > 0 && isolation.hasSeccomp) {
        isolation.level = IsolationLevel::Landlock;
        return isolation;
    }
    if (*best <= IsolationLevel::Landlock)
        isolation.reason += "; this kernel has no Landlock";
    isolation.hasSeccomp = false;
    return isolation;
}

} // namespace sandfish
