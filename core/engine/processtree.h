#pragma once

#include <cstdint>
#include <optional>
#include <sys/types.h>
#include <vector>

namespace sandfish {

/// One row of /proc as this process sees it.
struct ProcessEntry
{
    pid_t pid = 0;
    pid_t parent = 0;
    pid_t session = 0;
    char state = '?';
    std::int64_t residentBytes = 0;
};

/// Every visible process. Cost: about 10 us each.
std::vector<ProcessEntry> allProcesses();
std::optional<ProcessEntry> processEntry(pid_t pid);

/// The rows below \a root in the tree, without \a root, parents first.
std::vector<ProcessEntry> descendantsOf(pid_t root, const std::vector<ProcessEntry> &all);

/// True if \a pid is alive, or not waited for, and below \a root.
bool isDescendant(pid_t pid, pid_t root);

/// The descendants of \a root and the members of the session it leads; \a root first if it is alive. Members of the
/// session are found even when their parents are gone.
std::vector<ProcessEntry> jobOf(pid_t root, const std::vector<ProcessEntry> &all);

/// True if \a state means that the process runs no code: stopped, traced or dead.
bool isHalted(char state);

} // namespace sandfish
