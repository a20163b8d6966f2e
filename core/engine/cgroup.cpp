#include "core/engine/cgroup.h"

#include "core/engine/randomid.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

namespace sandfish {
namespace {

constexpr int kRemoveRounds = 100;

bool writeFile(const std::string &path, const std::string &text)
{
    const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return file.isOpen() && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::string readFile(const std::string &path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// "0::/user.slice/..." of /proc/self/cgroup.
std::string ownGroup()
{
    std::istringstream lines(readFile("/proc/self/cgroup"));
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("0::"))
            return line.substr(3) == "/" ? "" : line.substr(3);
    }
    return "";
}

std::vector<std::string> mountPoints()
{
    std::vector<std::string> points;
    std::istringstream lines(readFile("/proc/self/mounts"));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string device, point, type;
        fields >> device >> point >> type;
        if (type == "cgroup2")
            points.push_back(point);
    }
    return points;
}

// A process that has been killed is a member until it has ended.
void removePatiently(const std::string &path)
{
    for (int round = 0; round < kRemoveRounds && ::rmdir(path.c_str()) != 0 && errno == EBUSY; ++round) {
        const timespec step{0, 10'000'000};
        ::nanosleep(&step, nullptr);
    }
}

// Of daemons that are gone; a group with members is not empty, whoever they are.
void removeEmptyBranches(const std::string &folder)
{
    std::error_code failure;
    for (const auto &branch : std::filesystem::directory_iterator(folder, failure)) {
        int pid = 0;
        if (std::sscanf(branch.path().filename().c_str(), "sandfish-%d-", &pid) != 1 || pid <= 0 || ::kill(pid, 0) == 0
            || errno != ESRCH)
            continue;
        std::vector<std::string> groups;
        for (const auto &group : std::filesystem::directory_iterator(branch.path(), failure)) {
            if (group.is_directory(failure))
                groups.push_back(group.path().string());
        }
        groups.push_back(branch.path().string());
        for (const std::string &group : groups)
            ::rmdir(group.c_str());
    }
}

} // namespace

Cgroup::Cgroup(std::string path, std::shared_ptr<std::vector<std::string>> leftovers)
    : m_path(std::move(path))
    , m_processes(::open((m_path + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC))
    , m_leftovers(std::move(leftovers))
{
}

Cgroup::~Cgroup()
{
    m_processes.reset();
    if (::rmdir(m_path.c_str()) != 0 && errno == EBUSY)
        m_leftovers->push_back(m_path);
}

void Cgroup::freeze()
{
    writeFile(m_path + "/cgroup.freeze", "1");
}

void Cgroup::thaw()
{
    writeFile(m_path + "/cgroup.freeze", "0");
}

bool Cgroup::isFrozen() const
{
    return readFile(m_path + "/cgroup.events").find("frozen 1") != std::string::npos;
}

void Cgroup::kill()
{
    writeFile(m_path + "/cgroup.kill", "1");
}

std::vector<pid_t> Cgroup::processes() const
{
    std::vector<pid_t> pids;
    std::ifstream file(m_path + "/cgroup.procs");
    for (pid_t pid = 0; file >> pid;)
        pids.push_back(pid);
    return pids;
}

UniqueFd Cgroup::openReclaim() const
{
    return UniqueFd(::open((m_path + "/memory.reclaim").c_str(), O_WRONLY | O_CLOEXEC));
}

bool Cgroup::limitMemory(std::int64_t bytes)
{
    return writeFile(m_path + "/memory.max", std::to_string(bytes));
}

bool Cgroup::limitProcesses(int count)
{
    return writeFile(m_path + "/pids.max", std::to_string(count));
}

SandboxUse Cgroup::use() const
{
    SandboxUse found;
    std::istringstream lines(readFile(m_path + "/memory.stat"));
    std::string name;
    for (std::int64_t bytes = 0; lines >> name >> bytes;) {
        if (name == "anon" || name == "shmem")
            found.memoryBytes += bytes;
    }
    found.processes = std::atoi(readFile(m_path + "/pids.current").c_str());
    return found;
}

CgroupRoot::CgroupRoot(std::string path)
    : m_path(std::move(path))
{
    // One by one: a controller that the host does not lend must not cost the other.
    for (const char *controller : {"+memory", "+pids"})
        writeFile(m_path + "/cgroup.subtree_control", controller);
}

CgroupRoot::~CgroupRoot()
{
    for (const std::string &path : *m_leftovers)
        removePatiently(path);
    removePatiently(m_path);
}

void CgroupRoot::removeLeftovers() const
{
    std::erase_if(*m_leftovers, [](const std::string &path) { return ::rmdir(path.c_str()) == 0 || errno != EBUSY; });
}

std::unique_ptr<CgroupRoot> CgroupRoot::make()
{
    const std::string own = ownGroup();
    for (const std::string &point : mountPoints()) {
        removeEmptyBranches(point + own);
        const std::string path = point + own + "/sandfish-" + std::to_string(::getpid()) + "-" + randomHex(4);
        if (::mkdir(path.c_str(), 0755) != 0)
            continue;
        std::unique_ptr<CgroupRoot> root(new CgroupRoot(path));
        const std::unique_ptr<Cgroup> trial = root->makeGroup("probe");
        if (!trial)
            continue;
        trial->freeze();
        if (trial->isFrozen() && ::access((trial->path() + "/cgroup.kill").c_str(), W_OK) == 0)
            return root;
    }
    return nullptr;
}

std::unique_ptr<Cgroup> CgroupRoot::makeGroup(const std::string &name) const
{
    removeLeftovers();
    const std::string path = m_path + "/" + name;
    if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST)
        return nullptr;
    std::erase(*m_leftovers, path);
    auto group = std::make_unique<Cgroup>(path, m_leftovers);
    return group->processesFile() >= 0 ? std::move(group) : nullptr;
}

void removeStaleCgroup(const std::string &path)
{
    if (path.find("/sandfish-") == std::string::npos)
        return;
    writeFile(path + "/cgroup.kill", "1");
    removePatiently(path);
    ::rmdir(path.substr(0, path.rfind('/')).c_str());
}

} // namespace sandfish
