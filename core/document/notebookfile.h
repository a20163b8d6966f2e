#pragma once

#include "core/base/result.h"
#include "core/document/ipynbwriter.h"
#include "core/support/request.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>

#include <memory>

namespace sandfish {

/// What a file was like when it was read or written, to see whether another program changed it since.
struct FileStamp
{
    QDateTime modifiedAt;
    qint64 sizeBytes = -1;
    QByteArray hash;
    bool isEmpty() const { return sizeBytes < 0; }
};

struct NotebookFile
{
    std::shared_ptr<ParsedNotebook> notebook; ///< for NotebookDocument::fromParsed()
    FileStamp stamp;
    bool isWritable = true;
};

enum class FileChange
{
    None,
    Changed,
    Removed
};

/// Pure functions on files, for any thread but that of the window: they wait for the disk.

/// Reads and indexes a notebook. The errors name the file and what to do.
Result<NotebookFile> readNotebookFile(const QString &path);
/// Writes beside the file, flushes and renames over it, so that a crash or a full disk leaves the old file whole.
/// Follows symbolic links and keeps the permissions. A folder that takes no new files is written to in place.
Result<FileStamp> writeNotebookFile(const QString &path, const NotebookImage &image);
/// Whether writeNotebookFile() could begin now, with its errors; changes nothing. Disk space is not looked at.
Result<> checkNotebookTarget(const QString &path);
/// A file with other times and the same content has not changed.
FileChange fileChange(const QString &path, const FileStamp &stamp);

/// The same in the thread pool.
Request openNotebookFile(const QString &path, QObject *receiver, Done<NotebookFile> done);
Request saveNotebookFile(const QString &path, const NotebookImage &image, QObject *receiver, Done<FileStamp> done);
/// What fromJson(toJson()) would give, as a notebook of its own.
Request copyNotebook(const NotebookImage &image, QObject *receiver, Done<std::shared_ptr<ParsedNotebook>> done);
Request checkNotebookFile(const QString &path, const FileStamp &stamp, QObject *receiver, Done<FileChange> done);

} // namespace sandfish
