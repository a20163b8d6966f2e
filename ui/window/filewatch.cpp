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
    QStringList changedPaths;
    for (auto it = m_known.begin(); it != m_known.end(); ++it) {
        const FileStamp stamp = FileStamp::of(it.key());
        if (stamp.sizeBytes >= 0)
            m_watcher.addPath(it.key());
        if (stamp == *it)
            continue;
        *it = stamp;
        if (stamp.sizeBytes >= 0)
            changedPaths.append(it.key());
    }
    for (const QString &path : std::as_const(changedPaths))
        emit changed(path);
}

} // namespace sandfish
