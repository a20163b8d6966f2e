#pragma once

#include "core/base/result.h"
#include "core/engine/uniquefd.h"

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace sandfish {

/// What a new process gets; everything else is closed or reset.
struct ChildProcessSpec
{
    std::vector<std::string> arguments;   ///< the first is the program's path
    std::vector<std::string> environment; ///< NAME=value
    std::string workingDirectory = "/";
    std::vector<std::pair<int, int>> descriptors; ///< (here, there)
    int cgroupProcs = -1;                         ///< open cgroup.procs that the child enters; -1: none
    bool appliesLimits = true;                    ///< the rlimits of every sandboxed process, and these:
    std::uint64_t maxProcesses = 16384;           ///< of the user in the user namespace
    std::uint64_t maxDataBytes = 0;               ///< of private memory; 0: no limit
};

/// Starts a program as the leader of a session of its own, with default signals. Waits for the exec itself (about
/// 1 ms), so a program or directory that is not there is an error here. Single-threaded callers only.
Result<pid_t> startChildProcess(const ChildProcessSpec &spec);

} // namespace sandfish
