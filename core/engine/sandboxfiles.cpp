#include "core/engine/sandboxfiles.h"

#include "core/engine/mountplan.h"
#include "core/engine/programlookup.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace sandfish {
namespace {

constexpr std::int64_t kMaxFileBytes = std::int64_t(256) << 20;
constexpr int kMaxDepth = 256;

Error fileError(const std::string &path, int number)
{
    switch (number) {
    case ENOENT:
    case ENOTDIR:
        return {Error::Kind::NotFound, path + " does not exist."};
    case EXDEV:
    case ELOOP:
        return {Error::Kind::Forbidden, path + " leads out of the folders that may be read."};
    case EACCES:
    case EPERM:
    case EROFS:
        return {Error::Kind::Forbidden, path + " may not be changed or read: permission denied."};
    case EISDIR:
        return {Error::Kind::BadRequest, path + " is a folder."};
    case ENOSPC:
    case EDQUOT:
        return {Error::Kind::TooLarge, "The disk is full."};
    default:
        return {Error::Kind::Io, path + ": " + std::strerror(number) + "."};
    }
}

UniqueFd openBeneath(int root, const std::string &below, int flags, mode_t mode = 0)
{
    open_how how{};
    // Where nothing is opened, the kernel takes no other flag.
    const int more = flags & O_PATH ? O_CLOEXEC : O_CLOEXEC | O_NOCTTY;
    how.flags = static_cast<std::uint64_t>(flags | more);
    how.mode = mode;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    return UniqueFd(static_cast<int>(::syscall(SYS_openat2, root, below.c_str(), &how, sizeof(how))));
}

/// The folder at the resolved path itself; ELOOP where a link has taken its place, or that of a folder above it.
UniqueFd openUnlinked(const std::string &folder)
{
    open_how how{};
    how.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    how.resolve = RESOLVE_NO_SYMLINKS;
    return UniqueFd(static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, folder.c_str(), &how, sizeof(how))));
}

std::pair<std::string, std::string> splitLast(const std::string &below)
{
    const std::size_t slash = below.rfind('/');
    if (slash == std::string::npos)
        return {".", below};
    return {below.substr(0, slash), below.substr(slash + 1)};
}

/// Opens a folder below \a root and makes what is missing on the way.
UniqueFd makeFolders(int root, const std::string &below)
{
    UniqueFd folder = openBeneath(root, below, O_RDONLY | O_DIRECTORY);
    if (folder.isOpen() || errno != ENOENT)
        return folder;
    const auto [parent, name] = splitLast(below);
    const UniqueFd above = parent == "." ? openBeneath(root, ".", O_RDONLY | O_DIRECTORY) : makeFolders(root, parent);
    if (!above.isOpen() || (::mkdirat(above.get(), name.c_str(), 0755) != 0 && errno != EEXIST))
        return UniqueFd();
    return openBeneath(above.get(), name, O_RDONLY | O_DIRECTORY);
}

struct DirectoryCloser
{
    void operator()(DIR *directory) const { ::closedir(directory); }
};
using DirectoryPtr = std::unique_ptr<DIR, DirectoryCloser>;

std::vector<std::string> namesIn(UniqueFd folder)
{
    std::vector<std::string> names;
    const DirectoryPtr directory(::fdopendir(folder.get()));
    if (directory)
        folder.release();
    while (const dirent *row = directory ? ::readdir(directory.get()) : nullptr) {
        const std::string_view name = row->d_name;
        if (name != "." && name != "..")
            names.emplace_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

FileEntry entryFrom(std::string name, std::string path, const struct stat &status)
{
    const bool isFolder = S_ISDIR(status.st_mode);
    const auto modified =
        std::chrono::seconds(status.st_mtim.tv_sec) + std::chrono::nanoseconds(status.st_mtim.tv_nsec);
    return {std::move(name), std::move(path), isFolder, isFolder ? 0 : status.st_size, status.st_mode, status.st_uid,
        status.st_gid,
        std::chrono::system_clock::time_point(
            std::chrono::duration_cast<std::chrono::system_clock::duration>(modified))};
}

// Never follows a link: what it removes lies below \a parent.
bool removeTree(int parent, const std::string &name, int depth)
{
    if (::unlinkat(parent, name.c_str(), 0) == 0)
        return true;
    if ((errno != EISDIR && errno != EPERM) || depth > kMaxDepth)
        return false;
    UniqueFd folder(::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder.isOpen())
        return false;
    const UniqueFd keep(::dup(folder.get()));
    for (const std::string &child : namesIn(std::move(folder))) {
        if (!removeTree(keep.get(), child, depth + 1))
            return false;
    }
    return ::unlinkat(parent, name.c_str(), AT_REMOVEDIR) == 0;
}

} // namespace

SandboxFiles::SandboxFiles(
    std::string homeOnHost, std::vector<FolderBind> folders, std::map<std::string, std::string> aliases)
    : m_home(std::move(homeOnHost))
    , m_folders(std::move(folders))
    , m_aliases(std::move(aliases))
{
}

/// \a path, absolute, without "..", and by the path that a folder is bound at.
std::string SandboxFiles::resolved(const std::string &path) const
{
    const std::string full = path.front() == '/' ? path : std::string(kSandboxHome) + "/" + path;
    std::string normal = std::filesystem::path(full).lexically_normal().string();
    if (normal.size() > 1 && normal.back() == '/')
        normal.pop_back();
    for (const auto &[alias, target] : m_aliases) {
        if (isWithin(normal, alias))
            return target + normal.substr(alias.size());
    }
    return normal;
}

Result<SandboxFiles::Place> SandboxFiles::place(const std::string &path) const
{
    if (path.empty() || path.find('\0') != std::string::npos)
        return Error{Error::Kind::BadRequest, "A path is needed."};
    const std::string normal = resolved(path);
    std::string onHost = m_home;
    std::string inside = kSandboxHome;
    bool isWritable = true;
    bool isKnown = isWithin(normal, inside);
    for (const FolderBind &folder : m_folders) {
        // The innermost folder decides, as it does in the sandbox.
        if (!isWithin(normal, folder.path) || (isKnown && folder.path.size() < inside.size()))
            continue;
        isKnown = true;
        onHost = inside = folder.path;
        isWritable = folder.access == FolderBind::Access::ReadWrite;
    }
    if (!isKnown)
        return Error{Error::Kind::Forbidden,
            path + " is outside of the sandbox's home and folders. Use a path below " + kSandboxHome + "."};
    UniqueFd root = openUnlinked(onHost);
    if (!root.isOpen())
        return fileError(path, errno);
    std::string below = normal.size() > inside.size() ? normal.substr(inside.size() + 1) : ".";
    return Place{std::move(root), std::move(below), isWritable};
}

Result<SandboxFiles::Place> SandboxFiles::writablePlace(const std::string &path) const
{
    Result<Place> found = place(path);
    if (found && !found->isWritable)
        return Error{Error::Kind::Forbidden, path + " is in a folder that the sandbox may only read."};
    if (found && found->below == ".")
        return Error{Error::Kind::BadRequest, path + " is a folder of the sandbox itself."};
    return found;
}

Result<std::string> SandboxFiles::read(const std::string &path) const
{
    const Result<Place> where = place(path);
    if (!where)
        return where.error();
    // A pipe or device that the sandbox made must not hold the daemon up.
    const UniqueFd file = openBeneath(where->root.get(), where->below, O_RDONLY | O_NONBLOCK);
    struct stat status
    {
    };
    if (!file.isOpen() || ::fstat(file.get(), &status) != 0)
        return fileError(path, errno);
    if (S_ISDIR(status.st_mode))
        return fileError(path, EISDIR);
    if (!S_ISREG(status.st_mode))
        return Error{Error::Kind::BadRequest, path + " is not a file with contents."};
    if (status.st_size > kMaxFileBytes)
        return Error{Error::Kind::TooLarge, path + " is larger than 256 MiB."};
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t have = 0;
    while (have < bytes.size()) {
        const ssize_t count = ::read(file.get(), bytes.data() + have, bytes.size() - have);
        if (count < 0 && errno != EINTR)
            return fileError(path, errno);
        if (count == 0)
            break;
        have += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    bytes.resize(have);
    return bytes;
}

Result<> SandboxFiles::write(const std::string &path, std::string_view bytes) const
{
    const Result<Place> where = writablePlace(path);
    if (!where)
        return where.error();
    const auto [parent, name] = splitLast(where->below);
    const UniqueFd folder = makeFolders(where->root.get(), parent);
    if (!folder.isOpen())
        return fileError(path, errno);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK;
    const UniqueFd file = openBeneath(where->root.get(), where->below, flags, 0644);
    if (!file.isOpen())
        return fileError(path, errno);
    while (!bytes.empty()) {
        const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
        if (count < 0 && errno != EINTR)
            return fileError(path, errno);
        bytes.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
    }
    return {};
}

Result<std::vector<FileEntry>> SandboxFiles::list(const std::string &path) const
{
    const Result<Place> where = place(path);
    if (!where)
        return where.error();
    UniqueFd folder = openBeneath(where->root.get(), where->below, O_RDONLY | O_DIRECTORY);
    if (!folder.isOpen())
        return fileError(path, errno);
    const UniqueFd keep(::dup(folder.get()));
    std::vector<FileEntry> entries;
    for (const std::string &name : namesIn(std::move(folder))) {
        struct stat status
        {
        };
        if (::fstatat(keep.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        const std::string separator = path.back() == '/' ? "" : "/";
        entries.push_back(entryFrom(name, path + separator + name, status));
    }
    return entries;
}

Result<> SandboxFiles::remove(const std::string &path) const
{
    const Result<Place> where = writablePlace(path);
    if (!where)
        return where.error();
    const auto [parent, name] = splitLast(where->below);
    const UniqueFd folder = openBeneath(where->root.get(), parent, O_RDONLY | O_DIRECTORY);
    if (!folder.isOpen() || !removeTree(folder.get(), name, 0))
        return fileError(path, errno);
    return {};
}

Result<FileEntry> SandboxFiles::status(const std::string &path) const
{
    const Result<Place> where = place(path);
    if (!where)
        return where.error();
    const UniqueFd file = openBeneath(where->root.get(), where->below, O_PATH);
    struct stat status
    {
    };
    if (!file.isOpen() || ::fstat(file.get(), &status) != 0)
        return fileError(path, errno);
    return entryFrom(std::filesystem::path(resolved(path)).filename().string(), path, status);
}

Result<> SandboxFiles::makeFolder(const std::string &path, unsigned mode) const
{
    const Result<Place> where = writablePlace(path);
    if (!where)
        return where.error();
    const UniqueFd folder = makeFolders(where->root.get(), where->below);
    if (!folder.isOpen() || ::fchmod(folder.get(), mode & 07777) != 0)
        return fileError(path, errno);
    return {};
}

Result<> SandboxFiles::move(const std::string &from, const std::string &to) const
{
    const Result<Place> source = writablePlace(from);
    if (!source)
        return source.error();
    const Result<Place> target = writablePlace(to);
    if (!target)
        return target.error();
    const auto [sourceParent, sourceName] = splitLast(source->below);
    const auto [targetParent, targetName] = splitLast(target->below);
    const UniqueFd sourceFolder = openBeneath(source->root.get(), sourceParent, O_RDONLY | O_DIRECTORY);
    if (!sourceFolder.isOpen())
        return fileError(from, errno);
    const UniqueFd targetFolder = openBeneath(target->root.get(), targetParent, O_RDONLY | O_DIRECTORY);
    if (!targetFolder.isOpen())
        return fileError(to, errno);
    if (::renameat(sourceFolder.get(), sourceName.c_str(), targetFolder.get(), targetName.c_str()) == 0)
        return {};
    if (errno == EXDEV)
        return Error{Error::Kind::BadRequest, from + " and " + to + " are on different file systems. Copy it instead."};
    if (errno == EEXIST || errno == ENOTEMPTY || errno == EISDIR || errno == EINVAL)
        return Error{Error::Kind::BadRequest, from + " cannot take the place of " + to + "."};
    return fileError(from, errno);
}

Result<> SandboxFiles::setMode(const std::string &path, unsigned mode) const
{
    const Result<Place> where = writablePlace(path);
    if (!where)
        return where.error();
    // A file that may not be read can still be given other permissions.
    const UniqueFd file = openBeneath(where->root.get(), where->below, O_PATH);
    const std::string handle = "/proc/self/fd/" + std::to_string(file.get());
    if (!file.isOpen() || ::chmod(handle.c_str(), mode & 07777) != 0)
        return fileError(path, errno);
    return {};
}

} // namespace sandfish
