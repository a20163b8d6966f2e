#pragma once

#include "core/base/result.h"
#include "core/protocol/sandboxinfo.h"

#include <optional>
#include <string>

namespace sandfish {

/// What a sandbox was created with.
struct LocalSandboxSpec
{
    SandboxSpec common;
    SandboxId id;
    std::string capability; ///< the secret in the addresses of its code server
    SystemTime startedAt;
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
