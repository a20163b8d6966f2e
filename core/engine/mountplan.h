#pragma once

#include "core/engine/isolation.h"
#include "core/engine/landlock.h"
#include "core/protocol/sandboxinfo.h"

#include <string>
#include <vector>

namespace sandfish {

/// What a sandbox sees of the file system, in paths of the host.
struct SandboxMounts
{
    std::string home;      ///< the sandbox's own folder, on kSandboxHome; empty: none
    std::string temporary; ///< its /tmp where there are no namespaces
    std::vector<FolderBind> folders;
    std::string runners;        ///< on kSandboxRunners
    std::string program;        ///< the daemon's executable, on kSandboxProgram
    std::string accounts;       ///< folder with the passwd and group stubs
    std::string stateDirectory; ///< never visible, even when a folder above it is
    std::vector<std::string> prefixes;
    bool hasNetwork = true;
};

inline constexpr char kSandboxHome[] = "/home/user";
inline constexpr char kSandboxRunners[] = "/run/sandfish/runners";
inline constexpr char kSandboxProgram[] = "/run/sandfish/sandfishd";

/// The command line of bubblewrap up to the program to be run.
std::vector<std::string> bubblewrapArguments(const Isolation &isolation, const SandboxMounts &mounts);

/// The same view as Landlock rules, for hosts without namespaces.
std::vector<LandlockRule> landlockRulesFor(const SandboxMounts &mounts);

/// Refuses folders that a sandbox must not be given: relative ones, the root, and those of the system.
Result<> checkFolder(const FolderBind &folder);

} // namespace sandfish
