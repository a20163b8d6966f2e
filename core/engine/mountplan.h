#pragma once

#include "core/engine/isolation.h"
#include "core/engine/landlock.h"
#include "core/protocol/sandboxinfo.h"

#include <map>
#include <string>
#include <vector>

namespace sandfish {

/// What a sandbox sees of the file system, in paths of the host.
struct SandboxMounts
{
    std::string home;                           ///< the sandbox's own folder, on kSandboxHome; empty: none
    std::string temporary;                      ///< its /tmp where there are no namespaces
    std::vector<FolderBind> folders;            ///< resolved, see resolvedFolder()
    std::map<std::string, std::string> aliases; ///< see LocalSandboxSpec
    std::string runners;                        ///< on kSandboxRunners
    std::string program;                        ///< the daemon's executable, on kSandboxProgram
    std::string accounts;                       ///< folder with the passwd and group stubs
    std::string stateDirectory;                 ///< never visible, even when a folder above it is
    std::vector<std::string> prefixes;          ///< see Interpreters
    bool hasNetwork = true;
};

inline constexpr char kSandboxHome[] = "/home/user";
inline constexpr char kSandboxRunners[] = "/run/sandfish/runners";
inline constexpr char kSandboxProgram[] = "/run/sandfish/sandfishd";

/// The command line of bubblewrap up to the program to be run.
std::vector<std::string> bubblewrapArguments(const Isolation &isolation, const SandboxMounts &mounts);

/// The same view as Landlock rules, for hosts without namespaces.
std::vector<LandlockRule> landlockRulesFor(const SandboxMounts &mounts);

/// \a folder with the path that no symbolic link is part of. Kind::BadRequest for what a sandbox must not be given:
/// relative paths, the root, the system's folders, the daemon's own, and, where \a isolation has no mounts that could
/// hide those, a folder above them.
Result<FolderBind> resolvedFolder(
    const FolderBind &folder, const std::string &stateDirectory, const Isolation &isolation);

/// Kind::Conflict when one of them is gone, or something else has taken its place, since resolvedFolder().
Result<> checkUnchanged(const std::vector<FolderBind> &folders);

} // namespace sandfish
