#include "core/engine/cgroup.h"

#include "core/engine/randomid.h"

#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

namespace sandfish {
namespace {

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

} // namespace

Cgroup::Cgroup(std::string path)
    : m_path(std::move(path))
    , m_processes(::open((m_path + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC))
{
}

Cgroup::~Cgroup()
{
    m_processes.reset();
    ::rmdir(m_path.c_str());
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

CgroupRoot::CgroupRoot(std::string path)
    : m_path(std::move(path))
{
}

CgroupRoot::~CgroupRoot()
{
    ::rmdir(m_path.c_str());
}

std::unique_ptr<CgroupRoot> CgroupRoot::make()
{
    const std::string own = ownGroup();
    for (const std::string &point : mountPoints()) {
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
    const std::string path = m_path + "/" + name;
    if (::mkdir(path.c_str(), 0755) != 0)
        return nullptr;
    auto group = std::make_unique<Cgroup>(path);
    return group->processesFile() >= 0 ? std::move(group) : nullptr;
}

void removeStaleCgroup(const std::string &path)
{
    if (path.find("/sandfish-") == std::string::npos)
        return;
    writeFile(path + "/cgroup.kill", "1");
    ::rmdir(path.c_str());
    ::rmdir(path.substr(0, path.rfind('/')).c_str());
}

} // namespace sandfish
