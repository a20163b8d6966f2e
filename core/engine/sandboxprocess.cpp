#include "core/engine/sandboxprocess.h"

#include "core/engine/childprocess.h"
#include "core/engine/processtree.h"
#include "core/engine/statefiles.h"

#include <csignal>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <utility>

namespace sandfish {
namespace {

constexpr std::chrono::seconds kStartPatience(10);
constexpr std::chrono::milliseconds kEndPatience(1500);
constexpr int kSupervisorDescriptor = 3;

UniqueFd processHandle(pid_t pid)
{
    return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

void signalHandle(const UniqueFd &handle, int number)
{
    if (handle.isOpen())
        ::syscall(SYS_pidfd_send_signal, handle.get(), number, nullptr, 0);
}

Json landlockJson(const std::vector<LandlockRule> &rules)
{
    Json array = Json::array();
    for (const LandlockRule &rule : rules) {
        const char *access = rule.access == PathAccess::Write ? "write"
            : rule.access == PathAccess::Device               ? "device"
                                                              : "read";
        array.push_back({{"path", rule.path}, {"access", access}});
    }
    return array;
}

} // namespace

SandboxProcess::SandboxProcess(EventLoop &loop, const EngineFacts &facts, std::string id)
    : m_loop(loop)
    , m_facts(facts)
    , m_id(std::move(id))
{
}

SandboxProcess::~SandboxProcess()
{
    *m_isAlive = false;
    m_loop.cancelTimer(m_timer);
    m_loop.unwatch(m_childWatch);
    signalHandle(m_supervisorHandle, SIGKILL);
}

SandboxMounts SandboxProcess::mountsFor(const LocalSandboxSpec &spec) const
{
    SandboxMounts mounts;
    mounts.home = m_facts.sandboxDirectory(m_id) + "/home";
    mounts.temporary = m_facts.sandboxDirectory(m_id) + "/tmp";
    mounts.folders = spec.common.folders;
    mounts.aliases = spec.aliases;
    mounts.runners = m_facts.runners;
    mounts.program = m_facts.program;
    mounts.accounts = m_facts.accounts;
    mounts.stateDirectory = m_facts.stateDirectory;
    mounts.prefixes = m_facts.interpreters.prefixes;
    mounts.hasNetwork = spec.common.hasNetwork;
    return mounts;
}

void SandboxProcess::start(const LocalSandboxSpec &spec, Done done, std::function<void()> ended)
{
    m_done = std::move(done);
    m_ended = std::move(ended);
    m_limits = limitsFor(spec.common);
    if (m_facts.cgroups)
        m_cgroup = m_facts.cgroups->makeGroup(m_id);
    const SandboxMounts mounts = mountsFor(spec);
    // What the other side of a shared folder can do while the sandbox is not running includes putting a link there.
    Result<> launched = checkUnchanged(mounts.folders);
    if (launched)
        launched = launch(mounts);
    if (!launched) {
        m_loop.post([this, alive = m_isAlive, error = launched.error()] {
            if (!*alive)
                return;
            fail(error);
            std::exchange(m_ended, nullptr)();
        });
        return;
    }
    m_timer = m_loop.startTimer(kStartPatience, [this] {
        fail({Error::Kind::Timeout, "The sandbox did not start within 10 s. Try again.", lastLogLine()});
    });
    m_link->setStarted([this, rules = confinement(mounts, m_limits)](pid_t pid) {
        m_supervisor = pid;
        m_supervisorHandle = processHandle(pid);
        m_link->confine(
            rules, m_cgroup ? m_cgroup->processesFile() : -1, [this, alive = m_isAlive](const Result<Json> &answer) {
                if (!*alive || !m_done)
                    return;
                m_loop.cancelTimer(std::exchange(m_timer, 0));
                if (!answer)
                    fail(answer.error());
                else
                    std::exchange(m_done, nullptr)({});
            });
    });
}

Result<> SandboxProcess::launch(const SandboxMounts &mounts)
{
    Result<PacketSocketPair> sockets = makePacketSocketPair();
    if (!sockets)
        return sockets.error();
    const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const std::string logPath = m_facts.sandboxDirectory(m_id) + "/supervisor.log";
    const UniqueFd log(::open(logPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600));
    ChildProcessSpec spec;
    const bool isWrapped = m_facts.isolation.usesBubblewrap();
    if (isWrapped) {
        spec.arguments = bubblewrapArguments(m_facts.isolation, mounts);
        spec.arguments.insert(spec.arguments.end(), {"--", kSandboxProgram});
    } else {
        spec.arguments = {m_facts.program};
    }
    spec.arguments.insert(spec.arguments.end(), {"--supervisor", std::to_string(kSupervisorDescriptor)});
    spec.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"};
    const int errors = log.isOpen() ? log.get() : nothing.get();
    spec.descriptors = {
        {nothing.get(), 0}, {nothing.get(), 1}, {errors, 2}, {sockets->supervisor.get(), kSupervisorDescriptor}};
    spec.appliesLimits = false;
    const Result<pid_t> pid = startChildProcess(spec);
    if (!pid)
        return pid.error();
    m_child = *pid;
    m_childHandle = processHandle(m_child);
    m_link = std::make_unique<SupervisorLink>(m_loop, std::move(sockets->daemon));
    m_childWatch = m_loop.watch(m_childHandle.get(), EventLoop::Readiness::Read, [this] { childEnded(); });
    return {};
}

Json SandboxProcess::confinement(const SandboxMounts &mounts, const SandboxLimits &limits) const
{
    Json rules{{"seccomp", m_facts.isolation.hasSeccomp}};
    if (!m_cgroup || !m_cgroup->limitMemory(limits.memoryBytes))
        rules["max_data_bytes"] = limits.memoryBytes;
    // Without a user namespace the kernel would count what the user runs outside as well.
    if ((!m_cgroup || !m_cgroup->limitProcesses(limits.processes)) && m_facts.isolation.usesBubblewrap())
        rules["max_processes"] = limits.processes;
    switch (m_facts.isolation.level) {
    case IsolationLevel::Full:
        // An empty list still keeps abstract sockets of the shared network namespace out of reach.
        rules["landlock"] = Json::array();
        break;
    case IsolationLevel::SharedNetwork:
        rules["landlock"] = Json::array();
        rules["deny_internet"] = !mounts.hasNetwork;
        break;
    case IsolationLevel::Landlock:
        rules["landlock"] = landlockJson(landlockRulesFor(mounts));
        rules["deny_internet"] = !mounts.hasNetwork;
        break;
    case IsolationLevel::None:
        break;
    }
    return rules;
}

void SandboxProcess::fail(Error error)
{
    m_loop.cancelTimer(std::exchange(m_timer, 0));
    kill();
    if (m_done)
        std::exchange(m_done, nullptr)(std::move(error));
}

void SandboxProcess::kill()
{
    if (m_cgroup)
        m_cgroup->kill();
    if (m_facts.isolation.usesBubblewrap()) {
        // The pid namespace goes with its pid 1; before that has reported, bubblewrap is all there is.
        if (m_link && !m_supervisorHandle.isOpen())
            m_link->end();
        signalHandle(m_supervisorHandle.isOpen() ? m_supervisorHandle : m_childHandle, SIGKILL);
        return;
    }
    if (m_link)
        m_link->end();
    m_loop.cancelTimer(m_timer);
    m_timer = m_loop.startTimer(kEndPatience, [this] {
        for (pid_t pid : processes())
            ::kill(pid, SIGKILL);
        signalHandle(m_supervisorHandle, SIGKILL);
    });
}

void SandboxProcess::childEnded()
{
    m_loop.unwatch(std::exchange(m_childWatch, 0));
    ::waitpid(m_child, nullptr, 0);
    m_child = 0;
    m_loop.cancelTimer(std::exchange(m_timer, 0));
    if (m_cgroup)
        m_cgroup->kill();
    if (m_done)
        std::exchange(m_done, nullptr)(
            Error{Error::Kind::Internal, "The sandbox could not be started. " + lastLogLine()});
    if (m_ended)
        std::exchange(m_ended, nullptr)();
}

std::string SandboxProcess::lastLogLine() const
{
    Result<std::string> text = readSmallFile(m_facts.sandboxDirectory(m_id) + "/supervisor.log");
    if (!text || text->empty())
        return {};
    while (!text->empty() && text->back() == '\n')
        text->pop_back();
    return text->substr(text->rfind('\n') + 1);
}

std::vector<pid_t> SandboxProcess::processes() const
{
    if (m_cgroup)
        return m_cgroup->processes();
    std::vector<pid_t> pids;
    if (m_supervisor == 0)
        return pids;
    for (const ProcessEntry &entry : descendantsOf(m_supervisor, allProcesses()))
        pids.push_back(entry.pid);
    return pids;
}

bool SandboxProcess::isUnderPressure() const
{
    const SandboxUse use = m_cgroup ? m_cgroup->use() : SandboxUse();
    return use.memoryBytes > m_limits.memoryBytes / 10 * 7 || use.processes > m_limits.processes / 2
        || isComputerShortOfMemory();
}

std::int64_t SandboxProcess::residentBytes() const
{
    std::int64_t bytes = 0;
    for (pid_t pid : processes()) {
        if (const auto entry = processEntry(pid))
            bytes += entry->residentBytes;
    }
    return bytes;
}

} // namespace sandfish
