#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace sandfish {

enum class PathAccess
{
    Read,  ///< read and execute
    Write, ///< all
    Device ///< read and write what exists, make nothing
};

struct LandlockRule
{
    std::string path;
    PathAccess access = PathAccess::Read;
};

/// The version of Landlock that the kernel answers with; 0: none.
int landlockAbi();

/// Confines this process and its future children: files outside \a rules cannot be opened (unless \a rules is empty),
/// and from ABI 6 on abstract unix sockets and processes outside cannot be reached. Paths that do not exist are
/// skipped. A success without effect when the kernel has no Landlock and \a rules is empty.
Result<> applyLandlock(const std::vector<LandlockRule> &rules);

} // namespace sandfish
