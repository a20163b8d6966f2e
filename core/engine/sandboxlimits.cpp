#include "core/engine/sandboxlimits.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <unistd.h>

namespace sandfish {
namespace {

constexpr std::int64_t kMinMemoryBytes = 256LL << 20;
constexpr int kMinProcesses = 64;
constexpr int kDefaultProcesses = 4096;
constexpr std::chrono::milliseconds kMaxTimeout = std::chrono::hours(30 * 24);

std::int64_t physicalMemoryBytes()
{
    return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
}

} // namespace

bool isComputerShortOfMemory()
{
    std::ifstream file("/proc/meminfo");
    std::int64_t total = 0;
    std::string name, unit;
    for (std::int64_t kilobytes = 0; file >> name >> kilobytes; std::getline(file, unit)) {
        if (name == "MemTotal:")
            total = kilobytes;
        else if (name == "MemAvailable:")
            return kilobytes < total / 10;
    }
    return false;
}

std::chrono::milliseconds boundedTimeout(std::int64_t ms)
{
    return std::min(std::chrono::milliseconds(ms), kMaxTimeout);
}

Result<> checkEnvironment(const std::map<std::string, std::string> &variables)
{
    for (const auto &[name, value] : variables) {
        if (name.empty() || name.find('=') != std::string::npos || (name + value).find('\0') != std::string::npos)
            return Error{Error::Kind::BadRequest,
                "A name of a variable must not be empty or hold \"=\", and neither name nor value may hold NUL"};
    }
    return {};
}

SandboxLimits limitsFor(const SandboxSpec &spec)
{
    return {
        spec.memoryLimitBytes.value_or(physicalMemoryBytes() / 4 * 3), spec.processLimit.value_or(kDefaultProcesses)};
}

Result<> checkLimits(const SandboxSpec &spec)
{
    if (spec.memoryLimitBytes && *spec.memoryLimitBytes < kMinMemoryBytes)
        return Error{Error::Kind::BadRequest,
            "memoryBytes must be at least " + std::to_string(kMinMemoryBytes) + "; Node.js does not start with less"};
    if (spec.processLimit && *spec.processLimit < kMinProcesses)
        return Error{Error::Kind::BadRequest, "processes must be at least " + std::to_string(kMinProcesses)};
    return {};
}

} // namespace sandfish
