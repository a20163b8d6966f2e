#pragma once

#include "core/protocol/sandboxinfo.h"
#include "core/session/notebooksession.h"

#include <QString>

#include <optional>

namespace sandfish {

class Settings;

/// Which sandbox a notebook file used last, so that opening it again finds its variables. Kept in the settings, for the
/// 200 files used last. Thread: GUI.
class SandboxMemory
{
public:
    struct Entry
    {
        QString provider; ///< Provider::id()
        SandboxId sandbox;
        NotebookSession::FolderAccess access = NotebookSession::FolderAccess::None; ///< to the notebook's folder
        bool operator==(const Entry &) const = default;
    };

    /// \a settings outlives the object.
    explicit SandboxMemory(Settings *settings);

    /// \a path is absolute, here and below.
    std::optional<Entry> find(const QString &path) const;
    void remember(const QString &path, const Entry &entry);
    void forget(const QString &path);

private:
    Settings *m_settings;
};

} // namespace sandfish
