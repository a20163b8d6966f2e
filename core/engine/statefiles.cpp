#include "core/engine/statefiles.h"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace sandfish {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSmallFileBytes = 64u << 20;

Error fileError(const std::string &what, const std::string &path, int number)
{
    std::string advice = ".";
    if (number == ENOSPC || number == EDQUOT)
        advice = ": the disk is full. Free some space and try again.";
    else if (number == EACCES || number == EPERM || number == EROFS)
        advice = ": permission denied. Choose another folder with --state-dir.";
    else
        advice = std::string(": ") + std::strerror(number) + ".";
    const auto kind = number == ENOENT ? Error::Kind::NotFound
        : number == ENOSPC             ? Error::Kind::TooLarge
                                       : Error::Kind::Io;
    return {kind, what + " " + path + advice, std::strerror(number)};
}

Result<> writeAll(int fd, std::string_view text, const std::string &path)
{
    while (!text.empty()) {
        const ssize_t count = ::write(fd, text.data(), text.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return fileError("Cannot write", path, errno);
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

std::vector<std::string> namesIn(int folder)
{
    std::vector<std::string> names;
    DIR *directory = ::fdopendir(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    while (const dirent *row = directory ? ::readdir(directory) : nullptr) {
        if (std::string_view(row->d_name) != "." && std::string_view(row->d_name) != "..")
            names.emplace_back(row->d_name);
    }
    if (directory)
        ::closedir(directory);
    return names;
}

/// Opens a folder for reading; one that its owner may not read gets the right first.
UniqueFd openForRemoval(int parent, const std::string &name)
{
    const UniqueFd folder(::openat(parent, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (folder.isOpen())
        ::chmod(("/proc/self/fd/" + std::to_string(folder.get())).c_str(), 0700);
    return UniqueFd(::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// Empties the folder \a name of \a top: its folders go to \a top, under names with \a number. True if there were some.
bool emptyInto(int top, const std::string &name, std::uint64_t &number)
{
    const UniqueFd folder = openForRemoval(top, name);
    bool hasMoved = false;
    for (const std::string &child : folder.isOpen() ? namesIn(folder.get()) : std::vector<std::string>()) {
        if (::unlinkat(folder.get(), child.c_str(), 0) == 0
            || ::unlinkat(folder.get(), child.c_str(), AT_REMOVEDIR) == 0)
            continue;
        // Moving a folder writes to it, as it changes its "..".
        openForRemoval(folder.get(), child);
        const auto move = [&] {
            return ::renameat(folder.get(), child.c_str(), top, ("removed " + std::to_string(++number)).c_str()) == 0;
        };
        bool isMoved = move();
        while (!isMoved && (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR))
            isMoved = move();
        hasMoved = hasMoved || isMoved;
    }
    return hasMoved;
}

} // namespace

std::string defaultStateDirectory()
{
    const char *state = std::getenv("XDG_STATE_HOME");
    if (state && *state == '/')
        return std::string(state) + "/sandfish/engine";
    const char *home = std::getenv("HOME");
    return home && *home == '/' ? std::string(home) + "/.local/state/sandfish/engine" : std::string();
}

Result<> makeFolder(const std::string &path)
{
    if (fs::path parent = fs::path(path).parent_path(); !parent.empty() && ::access(parent.c_str(), F_OK) != 0) {
        if (Result<> made = makeFolder(parent.string()); !made)
            return made;
    }
    if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST)
        return {};
    return fileError("Cannot make the folder", path, errno);
}

Result<> writeFileAtomically(const std::string &path, std::string_view text)
{
    const std::string temporary = path + ".new";
    const UniqueFd file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!file.isOpen())
        return fileError("Cannot write", path, errno);
    if (Result<> written = writeAll(file.get(), text, path); !written) {
        ::unlink(temporary.c_str());
        return written;
    }
    if (::rename(temporary.c_str(), path.c_str()) != 0)
        return fileError("Cannot write", path, errno);
    return {};
}

Result<std::string> readSmallFile(const std::string &path)
{
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.isOpen())
        return fileError("Cannot read", path, errno);
    std::string text;
    char buffer[65536];
    ssize_t count = 0;
    while ((count = ::read(file.get(), buffer, sizeof(buffer))) > 0) {
        text.append(buffer, static_cast<std::size_t>(count));
        if (text.size() > kMaxSmallFileBytes)
            return Error{Error::Kind::TooLarge, "The file " + path + " is too large."};
    }
    if (count < 0)
        return fileError("Cannot read", path, errno);
    return text;
}

// Walking down would need a descriptor or a stack frame for each level, which the sandbox decides on.
void removeFolder(const std::string &path)
{
    const UniqueFd top = openForRemoval(AT_FDCWD, path);
    std::uint64_t number = 0;
    for (bool hasMoved = top.isOpen(); hasMoved;) {
        hasMoved = false;
        for (const std::string &name : namesIn(top.get())) {
            if (::unlinkat(top.get(), name.c_str(), 0) == 0)
                continue;
            hasMoved = emptyInto(top.get(), name, number) || hasMoved;
            ::unlinkat(top.get(), name.c_str(), AT_REMOVEDIR);
        }
    }
    ::rmdir(path.c_str());
}

Result<UniqueFd> lockStateDirectory(const std::string &path)
{
    UniqueFd lock(::open((path + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!lock.isOpen())
        return fileError("Cannot use the folder", path, errno);
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
        return Error{Error::Kind::Conflict,
            "Another sandfishd already uses the folder " + path + ". Stop it, or choose another with --state-dir."};
    return lock;
}

} // namespace sandfish
