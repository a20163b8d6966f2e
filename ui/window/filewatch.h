#pragma once

#include "core/document/notebookfile.h"

#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QTimer>

namespace sandfish {

/// Notices that a file was changed by somebody else. Programs replace files by renaming, so a file is watched again
/// after every signal. Thread: GUI.
class FileWatch : public QObject
{
    Q_OBJECT
public:
    explicit FileWatch(QObject *parent = nullptr);

    /// From now on \a stamp is what this program knows of \a path. A change is reported once, until the next call.
    void watch(const QString &path, const FileStamp &stamp);
    void forget(const QString &path);

signals:
    void changed(const QString &path);

private:
    void check();
    void take(const QString &path, FileChange change);

    QFileSystemWatcher m_watcher;
    QHash<QString, FileStamp> m_known; ///< not the ones that were reported and not watched again since
    QTimer m_timer;                    ///< editors write in steps
};

} // namespace sandfish
