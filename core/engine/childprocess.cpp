#include "core/engine/childprocess.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace sandfish {
namespace {

constexpr rlim_t kMaxOpenFiles = 65536;
constexpr rlim_t kMaxFileBytes = rlim_t(64) << 30;
constexpr int kReportDescriptor = 1000;
constexpr int kFirstFree = 3;

enum class Step : int
{
    Descriptors,
    Cgroup,
    Directory,
    Exec
};

struct Failure
{
    Step step;
    int number;
};

std::vector<char *> pointersTo(const std::vector<std::string> &texts)
{
    std::vector<char *> pointers;
    for (const std::string &text : texts)
        pointers.push_back(const_cast<char *>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

void limit(__rlimit_resource resource, rlim_t value)
{
    rlimit current{};
    ::getrlimit(resource, &current);
    current.rlim_max = std::min(current.rlim_max, value);
    current.rlim_cur = std::min(current.rlim_cur, current.rlim_max);
    if (resource == RLIMIT_NOFILE)
        current.rlim_cur = current.rlim_max;
    ::setrlimit(resource, &current);
}

void applyLimits(const ChildProcessSpec &spec)
{
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, kMaxOpenFiles);
    limit(RLIMIT_NPROC, spec.maxProcesses);
    limit(RLIMIT_FSIZE, kMaxFileBytes);
    if (spec.maxDataBytes > 0)
        limit(RLIMIT_DATA, spec.maxDataBytes);
}

// When the computer runs out of memory, what runs in a sandbox has to go before the user's desktop.
void volunteerForOutOfMemory()
{
    const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    [[maybe_unused]] const ssize_t written = ::write(file, "500", 3);
    ::close(file);
}

void resetSignals()
{
    for (int number = 1; number < NSIG; ++number)
        ::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void fail(int report, Step step)
{
    const Failure failure{step, errno};
    [[maybe_unused]] const ssize_t written = ::write(report, &failure, sizeof(failure));
    ::_exit(127);
}

// Moves every source out of the way first, so that no target overwrites a source that is still to come.
void placeDescriptors(const ChildProcessSpec &spec, int report)
{
    std::vector<int> safe;
    for (const auto &[here, there] : spec.descriptors)
        safe.push_back(::fcntl(here, F_DUPFD_CLOEXEC, 64));
    int highest = kFirstFree - 1;
    for (std::size_t i = 0; i < safe.size(); ++i) {
        if (safe[i] < 0 || ::dup2(safe[i], spec.descriptors[i].second) < 0)
            fail(report, Step::Descriptors);
        highest = std::max(highest, spec.descriptors[i].second);
    }
    for (int fd = kFirstFree; fd <= highest; ++fd) {
        const bool isWanted = std::any_of(
            spec.descriptors.begin(), spec.descriptors.end(), [fd](const auto &pair) { return pair.second == fd; });
        if (!isWanted)
            ::close(fd);
    }
    // The report pipe closes by itself at exec.
    ::syscall(SYS_close_range, static_cast<unsigned>(highest + 1), static_cast<unsigned>(report - 1), 0u);
    ::syscall(SYS_close_range, static_cast<unsigned>(report + 1), ~0u, 0u);
}

[[noreturn]] void runChild(const ChildProcessSpec &spec, char **arguments, char **environment, int report)
{
    ::setsid();
    resetSignals();
    if (spec.appliesLimits) {
        applyLimits(spec);
        volunteerForOutOfMemory();
    }
    // "0" is the writer itself; the right to write was checked when the daemon opened the file.
    if (spec.cgroupProcs >= 0 && ::write(spec.cgroupProcs, "0", 1) != 1)
        fail(report, Step::Cgroup);
    if (::chdir(spec.workingDirectory.c_str()) != 0)
        fail(report, Step::Directory);
    placeDescriptors(spec, report);
    ::execve(arguments[0], arguments, environment);
    fail(report, Step::Exec);
}

Error startError(const ChildProcessSpec &spec, const Failure &failure)
{
    const Error::Kind kind = failure.number == ENOENT || failure.number == ENOTDIR ? Error::Kind::NotFound
        : failure.number == E2BIG                                                  ? Error::Kind::TooLarge
                                                                                   : Error::Kind::Io;
    const std::string reason = std::strerror(failure.number);
    switch (failure.step) {
    case Step::Directory:
        return {kind, "The working directory " + spec.workingDirectory + " cannot be entered: " + reason + "."};
    case Step::Exec:
        return {kind, "The program " + spec.arguments.front() + " cannot be started: " + reason + "."};
    case Step::Cgroup:
    case Step::Descriptors:
        break;
    }
    return {Error::Kind::Internal, "A process could not be set up: " + reason + "."};
}

} // namespace

Result<pid_t> startChildProcess(const ChildProcessSpec &spec)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return Error{Error::Kind::Io, "No more files can be opened. Close some notebooks.", std::strerror(errno)};
    UniqueFd readEnd(ends[0]);
    UniqueFd writeEnd(::fcntl(ends[1], F_DUPFD_CLOEXEC, kReportDescriptor));
    ::close(ends[1]);
    if (!writeEnd.isOpen())
        return Error{Error::Kind::Io, "No more files can be opened. Close some notebooks.", std::strerror(errno)};
    std::vector<char *> arguments = pointersTo(spec.arguments);
    std::vector<char *> environment = pointersTo(spec.environment);
    const pid_t pid = ::fork();
    if (pid < 0)
        return Error{Error::Kind::Io, "No more processes can be started on this computer.", std::strerror(errno)};
    if (pid == 0)
        runChild(spec, arguments.data(), environment.data(), writeEnd.get());
    writeEnd.reset();
    Failure failure{};
    ssize_t count = -1;
    do {
        count = ::read(readEnd.get(), &failure, sizeof(failure));
    } while (count < 0 && errno == EINTR);
    if (count != sizeof(failure))
        return pid;
    ::waitpid(pid, nullptr, 0);
    return startError(spec, failure);
}

} // namespace sandfish
