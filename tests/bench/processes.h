#pragma once

#include <sys/types.h>

#include <vector>

/// What /proc tells of processes. MiB.
namespace sandfish::bench {

double residentMib();
double peakResidentMib();
/// Starts peakResidentMib() anew, where the kernel allows it.
void resetPeak();
/// \a pid and everything below it.
std::vector<pid_t> processTree(pid_t pid);
/// Shared pages are divided among those who share them.
double proportionalMib(const std::vector<pid_t> &pids);

} // namespace sandfish::bench
