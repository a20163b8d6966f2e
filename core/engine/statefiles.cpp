#include "core/engine/statefiles.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>

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
