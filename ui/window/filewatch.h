#pragma once

#include "ui/window/notebookfile.h"

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

    /// From now on \a stamp is what this program knows of \a path.
    void watch(const QString &path, const FileStamp &stamp);
    void forget(const QString &path);

signals:
    void changed(const QString &path);

private:
    void check();

    QFileSystemWatcher m_watcher;
    QHash<QString, FileStamp> m_known;
    QTimer m_timer; ///< editors write in steps
};

} // namespace sandfish
