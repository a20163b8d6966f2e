#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace sandfish {

/// How far user code is kept apart from the user's computer, best first.
enum class IsolationLevel
{
    Full,          ///< bubblewrap: own user, mount, pid, ipc and, when asked for, network namespace
    SharedNetwork, ///< bubblewrap without network namespaces
    Landlock,      ///< file rules and a system call filter, no namespaces
    None,          ///< resource limits alone
};

std::string_view isolationLevelName(IsolationLevel level);

/// What this host permits, found by trying.
struct Isolation
{
    IsolationLevel level = IsolationLevel::None;
    std::string reason; ///< why it is no better, for people; empty for Full
    std::string bubblewrap;
    bool hasModernBubblewrap = false; ///< knows --disable-userns and --size (0.8)
    bool hasSeccomp = false;

    bool usesBubblewrap() const { return level == IsolationLevel::Full || level == IsolationLevel::SharedNetwork; }
};

/// Runs the real sandbox line with `true`, from the best level down to the first that works. \a forced is a level's
/// name
/// (`full`, `shared-net`, `landlock`, `none`) that is the best to be tried, or empty; an unknown name is an error.
/// Blocks for some 10 ms a try, and 5 s at most.
Result<Isolation> probeIsolation(std::string_view forced);

} // namespace sandfish
