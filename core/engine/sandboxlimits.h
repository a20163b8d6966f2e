#pragma once

#include "core/base/result.h"
#include "core/protocol/sandboxinfo.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace sandfish {

/// What the processes of one sandbox may use: together where the host lends control groups, else each by itself
/// (memory) or together (processes, with user namespaces).
struct SandboxLimits
{
    std::int64_t memoryBytes = 0;
    int processes = 0; ///< threads count
};

/// What a sandbox uses; 0 where the host does not count it.
struct SandboxUse
{
    std::int64_t memoryBytes = 0; ///< without what the kernel can take back
    int processes = 0;            ///< threads count
};

/// True when less than a tenth of the computer's memory is available. Cost: some 20 us.
bool isComputerShortOfMemory();

/// \a ms as a limit of time; 30 days at most, so that no clock overflows.
std::chrono::milliseconds boundedTimeout(std::int64_t ms);

/// Kind::BadRequest for a variable that no process can have: an empty name, a '=' in it, a NUL in name or value.
Result<> checkEnvironment(const std::map<std::string, std::string> &variables);

/// What \a spec asks for; where it says nothing, three quarters of this computer's memory and 4096 processes.
SandboxLimits limitsFor(const SandboxSpec &spec);

/// Kind::BadRequest when the interpreters could not even start within the limits.
Result<> checkLimits(const SandboxSpec &spec);

} // namespace sandfish
