#pragma once

#include "core/base/result.h"

#include <linux/filter.h>
#include <vector>

namespace sandfish {

enum class InternetAccess
{
    Allowed,
    Denied
};

/// A deny list of system calls that user code has no use for and that widen the kernel's attack surface: mounts,
/// namespaces, tracing, key rings, io_uring, bpf. They fail with EPERM (clone3 with ENOSYS, so that the C library falls
/// back to clone, whose flags can be seen). With Denied only local sockets can be made: for hosts without network
/// namespaces.
std::vector<sock_filter> seccompProgram(InternetAccess internet);

/// Loads the program into this process and its future children; needs no privilege.
Result<> applySeccomp(const std::vector<sock_filter> &program);

} // namespace sandfish
