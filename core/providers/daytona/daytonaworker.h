#pragma once

#include "core/base/json.h"

#include <optional>
#include <string>

/// The process behind a context. Daytona has no call that interrupts a run, but its interpreters react to SIGINT as a
/// terminal's do (protocols.md §3.6-7), and a command in the same sandbox can send one. Pure functions.
namespace sandfish::Daytona {

struct Worker
{
    long long pid = 0;
    std::string startTime; ///< field 22 of /proc/PID/stat, so that another process with the same pid is left alone
    std::string version;   ///< of Python
};

/// Code that prints what \ref parseWorker reads, and makes `input()` raise EOFError: on its own it would read the next
/// command of the service as the user's answer (§3.6-3). It leaves no names behind.
std::string workerCode();
/// Nothing if \a printed is not what workerCode() prints, such as on a system without /proc.
std::optional<Worker> parseWorker(const std::string &printed);
/// The body of `/process/execute` that interrupts \a worker; its exit code is 3 if that process has gone.
std::string interruptBody(const Worker &worker);
inline constexpr int kWorkerHasGone = 3;

} // namespace sandfish::Daytona
