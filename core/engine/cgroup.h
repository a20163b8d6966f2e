#pragma once

#include "core/engine/sandboxlimits.h"
#include "core/engine/uniquefd.h"

#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sandfish {

/// The control group (version 2) of the processes of one sandbox; the supervisor stays outside, so that it hears the
/// daemon while the sandbox is frozen. Freezing and killing need no controller. Removed with the object.
class Cgroup
{
public:
    /// What cannot be removed yet when the object goes is added to \a leftovers.
    Cgroup(std::string path, std::shared_ptr<std::vector<std::string>> leftovers);
    ~Cgroup();
    Cgroup(const Cgroup &) = delete;
    Cgroup &operator=(const Cgroup &) = delete;

    /// Open for writing; a process enters the group by writing "0".
    int processesFile() const { return m_processes.get(); }
    const std::string &path() const { return m_path; }
    void freeze();
    void thaw();
    bool isFrozen() const;
    /// SIGKILL to every member, also to frozen ones.
    void kill();
    std::vector<pid_t> processes() const;
    /// Writing a number of bytes asks the kernel to move that much of the members' memory to swap. Not open where the
    /// host cannot.
    UniqueFd openReclaim() const;
    /// Bounds what the members use together. False where the host does not lend the controller.
    bool limitMemory(std::int64_t bytes);
    bool limitProcesses(int count);
    SandboxUse use() const;

private:
    std::string m_path;
    UniqueFd m_processes;
    std::shared_ptr<std::vector<std::string>> m_leftovers;
};

/// The daemon's own branch of the control group tree.
class CgroupRoot
{
public:
    /// Tries to make a branch that can be frozen; null where the user may not. Removes empty branches that dead daemons
    /// have left beside it.
    static std::unique_ptr<CgroupRoot> make();
    /// Removes the branch; waits up to 1 s for processes that are just ending.
    ~CgroupRoot();

    /// Null when the group cannot be made.
    std::unique_ptr<Cgroup> makeGroup(const std::string &name) const;
    const std::string &path() const { return m_path; }

private:
    explicit CgroupRoot(std::string path);

    void removeLeftovers() const;

    std::string m_path;
    std::shared_ptr<std::vector<std::string>> m_leftovers = std::make_shared<std::vector<std::string>>();
};

/// Ends and removes a group that a dead daemon left behind; the path comes from its own records. Waits up to 1 s.
void removeStaleCgroup(const std::string &path);

} // namespace sandfish
