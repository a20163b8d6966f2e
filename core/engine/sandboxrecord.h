#pragma once

#include "core/base/result.h"
#include "core/engine/daytonasettings.h"
#include "core/protocol/sandboxinfo.h"

#include <map>
#include <optional>
#include <string>

namespace sandfish {

/// What a sandbox was created with.
struct LocalSandboxSpec
{
    SandboxSpec common; ///< its folders by their resolved paths
    SandboxId id;
    std::string capability; ///< the secret in the addresses of its code server
    SystemTime startedAt;
    /// The paths that folders were asked for by, where symbolic links are part of them, and what they led to.
    std::map<std::string, std::string> aliases;
    std::optional<DaytonaSettings> daytona; ///< of those made through that face
};

/// What the daemon writes down of a sandbox, so that the next daemon finds its files: sandbox.json in its folder.
struct SandboxRecord
{
    LocalSandboxSpec spec;
    std::optional<SystemTime> endsAt;
    std::string cgroup; ///< empty: none
};

Result<> saveSandboxRecord(const std::string &folder, const SandboxRecord &record);
Result<SandboxRecord> loadSandboxRecord(const std::string &folder);

} // namespace sandfish
