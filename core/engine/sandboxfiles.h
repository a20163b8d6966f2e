#pragma once

#include "core/base/result.h"
#include "core/engine/uniquefd.h"
#include "core/protocol/sandboxinfo.h"

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sandfish {

struct FileEntry
{
    std::string name;
    std::string path; ///< as the sandbox sees it
    bool isFolder = false;
    std::int64_t sizeBytes = 0;
    unsigned mode = 0; ///< st_mode: type and permissions
    unsigned owner = 0;
    unsigned group = 0;
    std::chrono::system_clock::time_point modifiedAt;
};

/// Files of a sandbox from outside: below /home/user and below its bound folders, nowhere else.
///
/// Paths are resolved by the kernel beneath the open root (openat2), so neither ".." nor a symbolic link that the
/// sandbox has made leads out. Paths are the sandbox's own; relative ones are below /home/user. Each call blocks for
/// the time of the disk.
class SandboxFiles
{
public:
    /// \a aliases: as in LocalSandboxSpec.
    SandboxFiles(std::string homeOnHost, std::vector<FolderBind> folders, std::map<std::string, std::string> aliases);

    /// The file's bytes; Kind::TooLarge above 256 MiB.
    Result<std::string> read(const std::string &path) const;
    /// Makes the parents that are missing.
    Result<> write(const std::string &path, std::string_view bytes) const;
    Result<std::vector<FileEntry>> list(const std::string &path) const;
    /// A file, or a folder with all it holds.
    Result<> remove(const std::string &path) const;
    /// One file or folder; links are followed.
    Result<FileEntry> status(const std::string &path) const;
    /// A folder with the permissions \a mode, and the parents that are missing. One that is there is no error.
    Result<> makeFolder(const std::string &path, unsigned mode) const;
    /// Renames; a file that is at \a to is replaced. Kind::BadRequest between two bound folders.
    Result<> move(const std::string &from, const std::string &to) const;
    Result<> setMode(const std::string &path, unsigned mode) const;

private:
    struct Place
    {
        UniqueFd root;
        std::string below; ///< relative to root, "." for itself
        bool isWritable = true;
    };

    std::string resolved(const std::string &path) const;
    Result<Place> place(const std::string &path) const;
    Result<Place> writablePlace(const std::string &path) const;

    std::string m_home;
    std::vector<FolderBind> m_folders;
    std::map<std::string, std::string> m_aliases;
};

} // namespace sandfish
