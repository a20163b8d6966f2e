#include "core/engine/supervisor.h"

#include "core/engine/childprocess.h"
#include "core/engine/landlock.h"
#include "core/engine/processtree.h"
#include "core/engine/seccompfilter.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

namespace sandfish {
namespace {

constexpr int kHaltRounds = 200;
constexpr int kKillRounds = 500;

void pauseMillisecond()
{
    const timespec step{0, 1'000'000};
    ::nanosleep(&step, nullptr);
}

std::vector<std::string> strings(const Json &array)
{
    std::vector<std::string> texts;
    for (const Json &text : array) {
        if (text.is_string())
            texts.push_back(text.get<std::string>());
    }
    return texts;
}

std::vector<LandlockRule> landlockRules(const Json &array)
{
    std::vector<LandlockRule> rules;
    for (const Json &rule : array) {
        const std::string access = stringOr(rule, "access", "read");
        rules.push_back({stringOr(rule, "path", ""),
            access == "write"        ? PathAccess::Write
                : access == "device" ? PathAccess::Device
                                     : PathAccess::Read});
    }
    return rules;
}

UniqueFd childSignals()
{
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    return UniqueFd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

} // namespace

Supervisor::Supervisor(UniqueFd socket)
    : m_socket(std::move(socket))
{
    ::fcntl(m_socket.get(), F_SETFD, FD_CLOEXEC);
}

int Supervisor::run()
{
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    for (int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGTTOU, SIGTTIN, SIGTSTP})
        ::signal(number, SIG_IGN);
    const UniqueFd signals = childSignals();
    send({{"ev", "up"}, {"pid", ::getpid()}});
    while (!m_ended) {
        pollfd waits[2] = {{m_socket.get(), POLLIN, 0}, {signals.get(), POLLIN, 0}};
        if (::poll(waits, 2, -1) < 0)
            continue;
        if (waits[1].revents) {
            signalfd_siginfo infos[16];
            while (::read(signals.get(), infos, sizeof(infos)) > 0) { }
            reap();
        }
        if (waits[0].revents)
            receiveAll();
    }
    killEverything();
    return 0;
}

void Supervisor::receiveAll()
{
    while (true) {
        Result<Packet> packet = receivePacket(m_socket.get());
        if (packet)
            handle(packet.take());
        else if (packet.error().kind == Error::Kind::ConnectionLost)
            m_ended = true;
        if (!packet && packet.error().kind != Error::Kind::Protocol)
            return;
    }
}

void Supervisor::handle(Packet packet)
{
    const std::string operation = stringOr(packet.message, "op", "");
    if (operation == "spawn")
        spawn(std::move(packet));
    else if (operation == "adopt")
        adopt(packet.message);
    else if (operation == "signal")
        signal(packet.message);
    else if (operation == "kill_job")
        killJob(static_cast<pid_t>(integerOr(packet.message, "pid", 0)));
    else if (operation == "halt")
        halt(packet.message);
    else if (operation == "proceed")
        proceed(packet.message);
    else if (operation == "confine")
        confine(std::move(packet));
    else if (operation == "is_directory") {
        struct stat status
        {
        };
        const std::string path = stringOr(packet.message, "path", "");
        const bool isDirectory = ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
        send({{"ev", "answer"}, {"id", integerOr(packet.message, "id", 0)}, {"value", isDirectory}});
    } else if (operation == "end") {
        m_ended = true;
    }
}

void Supervisor::confine(Packet packet)
{
    if (!packet.descriptors.empty())
        m_cgroupProcs = std::move(packet.descriptors.front());
    m_maxProcesses = static_cast<std::uint64_t>(integerOr(packet.message, "max_processes", 0));
    m_maxDataBytes = static_cast<std::uint64_t>(integerOr(packet.message, "max_data_bytes", 0));
    Result<> done;
    const Json &rules = memberOrNull(packet.message, "landlock");
    if (rules.is_array())
        done = applyLandlock(landlockRules(rules));
    if (done && boolOr(packet.message, "seccomp", false)) {
        const bool denies = boolOr(packet.message, "deny_internet", false);
        done = applySeccomp(seccompProgram(denies ? InternetAccess::Denied : InternetAccess::Allowed));
    }
    Json answer{{"ev", "answer"}, {"id", integerOr(packet.message, "id", 0)}, {"value", done.isOk()}};
    if (!done)
        answer["error"] = done.error().message + " " + done.error().detail;
    send(answer);
}

void Supervisor::spawn(Packet packet)
{
    const Json &message = packet.message;
    ChildProcessSpec spec;
    spec.arguments = strings(memberOrNull(message, "argv"));
    spec.environment = strings(memberOrNull(message, "env"));
    spec.workingDirectory = stringOr(message, "cwd", "/");
    spec.cgroupProcs = m_cgroupProcs.get();
    spec.maxDataBytes = m_maxDataBytes;
    if (m_maxProcesses > 0)
        spec.maxProcesses = m_maxProcesses;
    const Json &targets = memberOrNull(message, "fds");
    for (std::size_t i = 0; i < packet.descriptors.size() && i < targets.size(); ++i)
        spec.descriptors.emplace_back(packet.descriptors[i].get(), targets[i].get<int>());
    Json answer{{"ev", "answer"}, {"id", integerOr(message, "id", 0)}};
    const Result<pid_t> pid = spec.arguments.empty()
        ? Result<pid_t>(Error{Error::Kind::BadRequest, "No program was named."})
        : startChildProcess(spec);
    if (pid) {
        m_children[*pid] = true;
        answer["value"] = *pid;
    } else {
        answer["error"] = pid.error().message;
        answer["kind"] = errorKindName(pid.error().kind);
    }
    send(answer);
}

void Supervisor::adopt(const Json &message)
{
    const auto pid = static_cast<pid_t>(integerOr(message, "pid", 0));
    Json answer{{"ev", "answer"}, {"id", integerOr(message, "id", 0)}};
    // The number comes from the sandbox, and without namespaces could be anybody's.
    if (isDescendant(pid, ::getpid())) {
        m_children[pid] = true;
        answer["value"] = pid;
    } else {
        answer["error"] = "The process has ended already.";
        answer["kind"] = errorKindName(Error::Kind::NotFound);
    }
    send(answer);
}

void Supervisor::signal(const Json &message)
{
    const auto pid = static_cast<pid_t>(integerOr(message, "pid", 0));
    const int number = static_cast<int>(integerOr(message, "signal", 0));
    if (pid <= 1 || m_children.count(pid) == 0)
        return;
    ::kill(boolOr(message, "group", false) ? -pid : pid, number);
}

void Supervisor::killJob(pid_t root)
{
    if (root <= 1)
        return;
    for (int round = 0; round < kHaltRounds; ++round) {
        bool isAnyLeft = false;
        for (const ProcessEntry &entry : jobOf(root, allProcesses())) {
            if (entry.pid == ::getpid() || entry.state == 'Z')
                continue;
            ::kill(entry.pid, SIGKILL);
            isAnyLeft = true;
        }
        if (!isAnyLeft)
            return;
        pauseMillisecond();
    }
}

void Supervisor::halt(const Json &message)
{
    m_haltedByUser.clear();
    bool isFirstRound = true;
    bool isAnyRunning = true;
    // A process that forks between two looks leaves a running child behind, so look again until all are still.
    for (int round = 0; isAnyRunning && round < kHaltRounds; ++round) {
        isAnyRunning = false;
        for (pid_t pid : charges()) {
            const auto entry = processEntry(pid);
            if (!entry || entry->state == 'Z')
                continue;
            if (isHalted(entry->state)) {
                if (isFirstRound)
                    m_haltedByUser.push_back(pid);
                continue;
            }
            ::kill(pid, SIGSTOP);
            isAnyRunning = true;
        }
        isFirstRound = false;
        if (isAnyRunning && round > 1)
            pauseMillisecond();
    }
    send({{"ev", "answer"}, {"id", integerOr(message, "id", 0)}, {"value", !isAnyRunning}});
}

void Supervisor::proceed(const Json &message)
{
    for (pid_t pid : charges()) {
        if (std::find(m_haltedByUser.begin(), m_haltedByUser.end(), pid) == m_haltedByUser.end())
            ::kill(pid, SIGCONT);
    }
    m_haltedByUser.clear();
    send({{"ev", "answer"}, {"id", integerOr(message, "id", 0)}, {"value", true}});
}

void Supervisor::reap()
{
    int status = 0;
    for (pid_t pid = ::waitpid(-1, &status, WNOHANG); pid > 0; pid = ::waitpid(-1, &status, WNOHANG)) {
        if (m_children.erase(pid) > 0)
            send({{"ev", "exited"}, {"pid", pid}, {"status", status}});
    }
}

void Supervisor::send(const Json &message)
{
    // The daemon reads at once; while it does not, waiting here holds up nothing but this sandbox.
    for (int round = 0; round < kKillRounds; ++round) {
        const Result<> sent = sendPacket(m_socket.get(), message);
        if (sent || sent.error().kind != Error::Kind::Unavailable)
            return;
        pauseMillisecond();
    }
}

bool Supervisor::ownsNamespace() const
{
    return ::getpid() == 1;
}

std::vector<pid_t> Supervisor::charges() const
{
    const std::vector<ProcessEntry> all = allProcesses();
    std::vector<pid_t> pids;
    for (const ProcessEntry &entry : ownsNamespace() ? all : descendantsOf(::getpid(), all)) {
        if (entry.pid != ::getpid())
            pids.push_back(entry.pid);
    }
    return pids;
}

void Supervisor::killEverything()
{
    // The end of pid 1 takes its whole namespace with it.
    if (ownsNamespace())
        return;
    for (int round = 0; round < kKillRounds; ++round) {
        bool isAnyLeft = false;
        for (pid_t pid : charges()) {
            isAnyLeft = true;
            ::kill(pid, SIGKILL);
        }
        while (::waitpid(-1, nullptr, WNOHANG) > 0) { }
        if (!isAnyLeft)
            return;
        pauseMillisecond();
    }
}

} // namespace sandfish
