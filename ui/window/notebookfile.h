#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>

#include <memory>

namespace sandfish {

struct ParsedNotebook;
class NotebookImage;

/// What is on disk, to notice changes by others. Equal stamps: taken for the same content.
struct FileStamp
{
    QDateTime modifiedAt;
    qint64 sizeBytes = -1; ///< -1: there is no file
    bool operator==(const FileStamp &) const = default;

    static FileStamp of(const QString &path);
};

/// A notebook as read from disk, before it becomes a document.
struct LoadedNotebook
{
    std::shared_ptr<ParsedNotebook> parsed;
    FileStamp stamp;
    QByteArray digest; ///< of the bytes, for the trust store
};

/// Reads and parses. Any thread. Cost: one pass over the file.
Result<LoadedNotebook> loadNotebook(const QString &path);

struct SavedNotebook
{
    FileStamp stamp;
    QByteArray digest;
};

/// Writes beside the file and renames, so that a full disk or a crash leaves the old file whole. Any thread.
Result<SavedNotebook> saveNotebook(const NotebookImage &image, const QString &path);

/// What the trust store keeps of a file's bytes.
QByteArray digestOf(const QByteArray &bytes);

} // namespace sandfish
