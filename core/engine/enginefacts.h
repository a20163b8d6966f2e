#pragma once

#include "core/engine/cgroup.h"
#include "core/engine/isolation.h"
#include "core/engine/programlookup.h"

#include <memory>
#include <string>

namespace sandfish {

/// What the daemon found out about its host when it started; constant afterwards.
struct EngineFacts
{
    std::string stateDirectory;
    std::string program;  ///< the daemon's own executable
    std::string runners;  ///< folder of the installed runners
    std::string accounts; ///< folder of the passwd and group stubs
    Isolation isolation;
    Interpreters interpreters;
    std::unique_ptr<CgroupRoot> cgroups; ///< null: sandboxes are paused by signals

    std::string sandboxDirectory(const std::string &id) const { return stateDirectory + "/sandboxes/" + id; }
};

} // namespace sandfish
