#include "ui/window/filewatch.h"

#include <chrono>

namespace sandfish {
namespace {

constexpr std::chrono::milliseconds kSettleTime{400};

} // namespace

FileWatch::FileWatch(QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kSettleTime);
    connect(&m_timer, &QTimer::timeout, this, &FileWatch::check);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_timer, qOverload<>(&QTimer::start));
}

void FileWatch::watch(const QString &path, const FileStamp &stamp)
{
    m_known.insert(path, stamp);
    m_watcher.addPath(path);
}

void FileWatch::forget(const QString &path)
{
    m_known.remove(path);
    m_watcher.removePath(path);
}

void FileWatch::check()
{
    for (auto it = m_known.cbegin(); it != m_known.cend(); ++it) {
        // The file may be another one under the same name, which the watcher does not follow.
        m_watcher.addPath(it.key());
        checkNotebookFile(it.key(), *it, this, [this, path = it.key()](const Result<FileChange> &change) {
            if (change)
                take(path, *change);
        });
    }
}

void FileWatch::take(const QString &path, FileChange change)
{
    if (change == FileChange::Changed && m_known.remove(path) > 0)
        emit changed(path);
}

} // namespace sandfish
