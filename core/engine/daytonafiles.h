#pragma once

#include "core/engine/daytonareply.h"
#include "core/engine/sandboxfiles.h"

#include <memory>
#include <string>
#include <vector>

namespace sandfish {

/// The files of one sandbox below /files of its toolbox (protocols.md §3.7). They are those of SandboxFiles: the home
/// and the bound folders, 403 elsewhere; searching goes wherever the sandbox's own processes may. Thread: the loop's.
class DaytonaFiles
{
public:
    DaytonaFiles(EventLoop &loop, std::shared_ptr<LocalSandbox> sandbox);

    /// \a parts begins with "files".
    void handle(const DaytonaCall &call, const std::vector<std::string> &parts);

private:
    bool read(const DaytonaCall &call, const std::string &action) const;
    bool write(const DaytonaCall &call, const std::string &action) const;
    void list(const DaytonaCall &call) const;
    void download(const DaytonaCall &call) const;
    void bulkDownload(const DaytonaCall &call) const;
    void upload(const DaytonaCall &call) const;
    void bulkUpload(const DaytonaCall &call) const;
    void remove(const DaytonaCall &call) const;
    void setPermissions(const DaytonaCall &call) const;
    void replace(const DaytonaCall &call) const;

    EventLoop &m_loop;
    std::shared_ptr<LocalSandbox> m_sandbox;
    SandboxFiles m_files;
};

/// Such as `{name, size, mode, modTime, modifiedAt, isDir, owner, group, permissions}`.
Json daytonaFileJson(const FileEntry &entry);
/// A fault with a file, with the code that the SDKs have a class for.
void sendDaytonaFileError(const DaytonaCall &call, const Error &error);
Json daytonaFileErrorJson(const Error &error);

} // namespace sandfish
