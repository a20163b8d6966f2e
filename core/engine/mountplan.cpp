#include "core/engine/mountplan.h"

#include "core/engine/programlookup.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unistd.h>

namespace sandfish {
namespace {

namespace fs = std::filesystem;

// A desktop's memory must survive `yes > /tmp/x`.
constexpr char kTemporaryBytes[] = "2147483648";
constexpr uid_t kUserInsideForRoot = 1000;

constexpr std::array kRootLinks{"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};

// Only what programs need to find libraries, names, certificates, time zones and fonts; no shadow, no keys, no host
// name.
constexpr std::array kEtc{"alternatives", "ca-certificates", "ca-certificates.conf", "debian_version", "fonts",
    "gai.conf", "host.conf", "hosts", "ImageMagick-6", "java-11-openjdk", "java-17-openjdk", "java-21-openjdk",
    "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "locale.alias", "localtime", "magic", "magic.mime", "matplotlibrc",
    "mime.types", "nsswitch.conf", "os-release", "pki", "protocols", "python3", "python3.11", "python3.12",
    "python3.13", "resolv.conf", "services", "ssl", "timezone"};

constexpr std::array kKernelFiles{"/proc/sys", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/sysrq-trigger"};

constexpr std::array kSystemFolders{"/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/run",
    "/sbin", "/sys", "/usr", "/var/lib", "/var/run"};

void append(std::vector<std::string> &line, std::initializer_list<std::string> words)
{
    line.insert(line.end(), words);
}

void appendNamespaces(const Isolation &isolation, const SandboxMounts &mounts, std::vector<std::string> &line)
{
    append(line, {"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"});
    if (isolation.hasModernBubblewrap)
        append(line, {"--disable-userns"});
    if (!mounts.hasNetwork)
        append(line, {"--unshare-net"});
    const uid_t uid = ::getuid() == 0 ? kUserInsideForRoot : ::getuid();
    const gid_t gid = ::getuid() == 0 ? kUserInsideForRoot : ::getgid();
    append(line, {"--uid", std::to_string(uid), "--gid", std::to_string(gid), "--hostname", "sandfish"});
    append(line, {"--cap-drop", "ALL", "--new-session", "--as-pid-1", "--clearenv"});
}

void appendSystem(const SandboxMounts &mounts, std::vector<std::string> &line)
{
    append(line, {"--ro-bind", "/usr", "/usr"});
    for (const char *path : kRootLinks) {
        std::error_code failure;
        if (fs::is_symlink(path, failure))
            append(line, {"--symlink", fs::read_symlink(path, failure).string(), path});
        else if (fs::is_directory(path, failure))
            append(line, {"--ro-bind", path, path});
    }
    for (const char *name : kEtc) {
        const std::string path = std::string("/etc/") + name;
        append(line, {"--ro-bind-try", path, path});
    }
    if (!mounts.accounts.empty()) {
        for (const char *name : {"passwd", "group"})
            append(line, {"--ro-bind", mounts.accounts + "/" + name, std::string("/etc/") + name});
    }
}

// A daemon of root would lend its sandboxes root's write access to the files of the kernel, whatever their
// capabilities.
void appendProcesses(std::vector<std::string> &line)
{
    append(line, {"--proc", "/proc"});
    for (const char *path : kKernelFiles)
        append(line, {"--ro-bind-try", path, path});
}

void appendFolders(const SandboxMounts &mounts, std::vector<std::string> &line)
{
    std::vector<FolderBind> folders = mounts.folders;
    // A folder inside another one must be bound after it, or it would be covered.
    std::sort(folders.begin(), folders.end(),
        [](const FolderBind &a, const FolderBind &b) { return a.path.size() < b.path.size(); });
    for (const FolderBind &folder : folders) {
        const bool isReadOnly = folder.access == FolderBind::Access::ReadOnly;
        append(line, {isReadOnly ? "--ro-bind" : "--bind", folder.path, folder.path});
    }
}

/// The paths that are bound as they are; what lies in them is on the host's disk.
std::vector<std::string> boundPaths(const SandboxMounts &mounts)
{
    std::vector<std::string> paths = mounts.prefixes;
    paths.emplace_back("/usr");
    for (const FolderBind &folder : mounts.folders)
        paths.push_back(folder.path);
    return paths;
}

// Inside of what is bound the link is there by itself, or must not be made.
void appendAliases(const SandboxMounts &mounts, std::vector<std::string> &line)
{
    std::vector<std::string> covered = boundPaths(mounts);
    covered.emplace_back(kSandboxHome);
    for (const auto &[alias, path] : mounts.aliases) {
        const bool isCovered = std::any_of(covered.begin(), covered.end(),
            [&, &link = alias](const std::string &folder) { return isWithin(link, folder) || isWithin(folder, link); });
        if (isCovered)
            continue;
        append(line, {"--symlink", path, alias});
        covered.push_back(alias);
    }
}

void appendMask(const SandboxMounts &mounts, std::vector<std::string> &line)
{
    const std::vector<std::string> bound = boundPaths(mounts);
    const bool isBound = std::any_of(
        bound.begin(), bound.end(), [&](const std::string &path) { return isWithin(mounts.stateDirectory, path); });
    if (!mounts.stateDirectory.empty() && isBound)
        append(line, {"--tmpfs", mounts.stateDirectory});
}

Error refusal(const FolderBind &folder, std::string_view why)
{
    return {Error::Kind::BadRequest, "The folder " + folder.path + " " + std::string(why)};
}

} // namespace

std::vector<std::string> bubblewrapArguments(const Isolation &isolation, const SandboxMounts &mounts)
{
    std::vector<std::string> line{isolation.bubblewrap};
    appendNamespaces(isolation, mounts, line);
    appendSystem(mounts, line);
    appendProcesses(line);
    append(line, {"--dev", "/dev"});
    if (isolation.hasModernBubblewrap)
        append(line, {"--size", kTemporaryBytes});
    append(line, {"--tmpfs", "/tmp", "--dir", "/run", "--dir", "/var", "--symlink", "../tmp", "/var/tmp"});
    if (!mounts.home.empty())
        append(line, {"--bind", mounts.home, kSandboxHome});
    for (const std::string &prefix : mounts.prefixes)
        append(line, {"--ro-bind-try", prefix, prefix});
    appendFolders(mounts, line);
    appendAliases(mounts, line);
    if (!mounts.runners.empty())
        append(line, {"--ro-bind", mounts.runners, kSandboxRunners});
    if (!mounts.program.empty())
        append(line, {"--ro-bind", mounts.program, kSandboxProgram});
    // Last, so that nothing lies over it.
    appendMask(mounts, line);
    append(line, {"--remount-ro", "/", "--chdir", "/"});
    return line;
}

std::vector<LandlockRule> landlockRulesFor(const SandboxMounts &mounts)
{
    std::vector<LandlockRule> rules{{"/usr", PathAccess::Read}, {"/proc", PathAccess::Read}, {"/sys", PathAccess::Read},
        {"/dev", PathAccess::Device}, {"/dev/shm", PathAccess::Write}};
    for (const char *path : kRootLinks)
        rules.push_back({path, PathAccess::Read});
    for (const char *name : kEtc)
        rules.push_back({std::string("/etc/") + name, PathAccess::Read});
    for (const char *name : {"/etc/passwd", "/etc/group"})
        rules.push_back({name, PathAccess::Read});
    for (const std::string &prefix : mounts.prefixes)
        rules.push_back({prefix, PathAccess::Read});
    rules.push_back({mounts.runners, PathAccess::Read});
    rules.push_back({mounts.program, PathAccess::Read});
    rules.push_back({mounts.home, PathAccess::Write});
    rules.push_back({mounts.temporary, PathAccess::Write});
    for (const FolderBind &folder : mounts.folders) {
        const bool isReadOnly = folder.access == FolderBind::Access::ReadOnly;
        rules.push_back({folder.path, isReadOnly ? PathAccess::Read : PathAccess::Write});
    }
    return rules;
}

Result<FolderBind> resolvedFolder(
    const FolderBind &folder, const std::string &stateDirectory, const Isolation &isolation)
{
    const fs::path path(folder.path);
    std::error_code failure;
    if (folder.path.find('\0') != std::string::npos || !path.is_absolute() || path.lexically_normal() != path)
        return refusal(folder, "must be an absolute path without \"..\".");
    const fs::path real = fs::canonical(path, failure);
    if (failure || !fs::is_directory(real, failure))
        return refusal(folder, "does not exist.");
    for (const fs::path &candidate : {path, real}) {
        const bool isSystem = std::any_of(kSystemFolders.begin(), kSystemFolders.end(),
            [&](const char *system) { return isWithin(candidate.string(), system); });
        if (candidate == "/" || isSystem)
            return refusal(folder, "belongs to the system and cannot be opened in a sandbox.");
    }
    if (isWithin(real.string(), stateDirectory))
        return refusal(folder, "belongs to Sandfish itself and cannot be opened in a sandbox.");
    if (!isolation.usesBubblewrap() && isWithin(stateDirectory, real.string()))
        return refusal(folder, "holds Sandfish's own files. Choose a folder further down.");
    return FolderBind{real.string(), folder.access};
}

Result<> checkUnchanged(const std::vector<FolderBind> &folders)
{
    for (const FolderBind &folder : folders) {
        std::error_code failure;
        if (fs::canonical(folder.path, failure) != folder.path || !fs::is_directory(folder.path, failure))
            return Error{Error::Kind::Conflict,
                "The folder " + folder.path
                    + " is gone, or something else is in its place. Put it back and try again."};
    }
    return {};
}

} // namespace sandfish
