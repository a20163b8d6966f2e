#include "core/document/notebookfile.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QSaveFile>
#include <QStorageInfo>
#include <QtConcurrentRun>

namespace sandfish {
namespace {

struct FileText
{
    Q_DECLARE_TR_FUNCTIONS(sandfish::NotebookFile)
};

Error ioError(const QString &message, const QString &detail)
{
    return Error{Error::Kind::Io, message.toStdString(), detail.toStdString()};
}

QString shown(const QString &path)
{
    return QDir::toNativeSeparators(path);
}

FileStamp stampOf(const QString &path, const QByteArray &hash)
{
    QFileInfo info(path);
    info.refresh();
    return {info.lastModified(), info.size(), hash};
}

QByteArray hashOf(const QByteArray &bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Blake2b_256);
}

Result<QByteArray> readBytes(const QString &path)
{
    const QFileInfo info(path);
    if (!info.exists())
        return Error{Error::Kind::NotFound,
            FileText::tr("“%1” does not exist. It may have been moved or deleted.").arg(shown(path)).toStdString(), {}};
    if (!info.isFile())
        return ioError(FileText::tr("“%1” is no file, so it cannot be opened as a notebook.").arg(shown(path)), {});
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return ioError(
            FileText::tr("“%1” cannot be read. Check its permissions.").arg(shown(path)), file.errorString());
    QByteArray bytes = file.readAll();
    if (file.error() != QFileDevice::NoError)
        return ioError(
            FileText::tr("“%1” could not be read to its end. Try again, or check the disk.").arg(shown(path)),
            file.errorString());
    return bytes;
}

// Nothing if there is room, or if the file system does not tell.
std::optional<Error> lacksSpace(const QString &path, qint64 neededBytes)
{
    const QString folder = QFileInfo(path).absolutePath();
    const QStorageInfo storage(folder);
    if (!storage.isValid() || storage.bytesAvailable() < 0 || storage.bytesAvailable() >= neededBytes)
        return std::nullopt;
    const QLocale locale;
    return ioError(
        FileText::tr("There is no room to save “%1”: %2 are needed, %3 are free in “%4”. Free some space, or "
                     "save it elsewhere. The file on disk is unchanged.")
            .arg(shown(path), locale.formattedDataSize(neededBytes), locale.formattedDataSize(storage.bytesAvailable()),
                shown(folder)),
        {});
}

Error writeError(const QString &path, qint64 neededBytes, const QString &detail)
{
    if (std::optional<Error> error = lacksSpace(path, neededBytes)) {
        error->detail = detail.toStdString();
        return *error;
    }
    return ioError(
        FileText::tr("“%1” could not be saved: %2. The file on disk is unchanged; try again, or save it elsewhere.")
            .arg(shown(path), detail),
        detail);
}

std::optional<Error> lacksPlace(const QFileInfo &target)
{
    if (target.isDir())
        return ioError(FileText::tr("“%1” is a folder; choose another name.").arg(shown(target.filePath())), {});
    if (!QFileInfo(target.absolutePath()).isDir())
        return ioError(FileText::tr("The folder “%1” does not exist. Save the notebook elsewhere.")
                           .arg(shown(target.absolutePath())),
            {});
    return std::nullopt;
}

Error notWritable(const QString &path, const QString &reason)
{
    return ioError(
        FileText::tr("“%1” cannot be written. Check the permissions of the file and its folder, or save it elsewhere.")
            .arg(shown(path)),
        reason);
}

std::optional<Error> openForWriting(QSaveFile &file, const QString &path)
{
    const QFileInfo target(path);
    if (std::optional<Error> error = lacksPlace(target))
        return error;
    if (file.open(QIODevice::WriteOnly))
        return std::nullopt;
    const QString reason = file.errorString();
    if (target.exists() && target.isWritable()) {
        file.setDirectWriteFallback(true);
        if (file.open(QIODevice::WriteOnly))
            return std::nullopt;
    }
    return notWritable(path, reason);
}

template <typename T> Request inPool(std::function<Result<T>()> work, QObject *receiver, Done<T> done)
{
    const Completion<T> completion(receiver, std::move(done));
    QtConcurrent::run(std::move(work)).then(receiver, [completion](const Result<T> &result) {
        completion.finish(result);
    });
    return completion.request();
}

} // namespace

Result<NotebookFile> readNotebookFile(const QString &path)
{
    const Result<QByteArray> bytes = readBytes(path);
    if (!bytes)
        return bytes.error();
    // The digest takes as long as the reading: both at once.
    QFuture<QByteArray> hash = QtConcurrent::run(&hashOf, *bytes);
    const Result<std::shared_ptr<ParsedNotebook>> notebook = parseNotebook(*bytes);
    if (!notebook) {
        Error error = notebook.error();
        error.message = FileText::tr("“%1” cannot be opened. %2")
                            .arg(QFileInfo(path).fileName(), QString::fromStdString(error.message))
                            .toStdString();
        return error;
    }
    return NotebookFile{*notebook, stampOf(path, hash.result()), QFileInfo(path).isWritable()};
}

Result<FileStamp> writeNotebookFile(const QString &path, const NotebookImage &image)
{
    const qint64 sizeBytes = image.sizeBytes();
    if (const std::optional<Error> error = lacksSpace(path, sizeBytes))
        return *error;
    QSaveFile file(path);
    if (const std::optional<Error> error = openForWriting(file, path))
        return *error;
    QCryptographicHash hash(QCryptographicHash::Blake2b_256);
    bool isWritten = true;
    image.visit([&](std::string_view part) {
        const auto size = static_cast<qsizetype>(part.size());
        isWritten = isWritten && file.write(part.data(), size) == size;
        hash.addData(QByteArrayView(part.data(), size));
    });
    if (!isWritten || !file.commit())
        return writeError(path, sizeBytes, file.errorString());
    return stampOf(path, hash.result());
}

Result<> checkNotebookTarget(const QString &path)
{
    const QFileInfo target(path);
    if (const std::optional<Error> error = lacksPlace(target))
        return *error;
    QSaveFile file(path);
    const bool canBeReplaced = file.open(QIODevice::WriteOnly);
    file.cancelWriting();
    if (canBeReplaced || (target.exists() && target.isWritable()))
        return {};
    return notWritable(path, file.errorString());
}

FileChange fileChange(const QString &path, const FileStamp &stamp)
{
    const QFileInfo info(path);
    if (!info.exists())
        return FileChange::Removed;
    if (info.size() != stamp.sizeBytes)
        return FileChange::Changed;
    if (info.lastModified() == stamp.modifiedAt)
        return FileChange::None;
    const Result<QByteArray> bytes = readBytes(path);
    return bytes && hashOf(*bytes) == stamp.hash ? FileChange::None : FileChange::Changed;
}

Request openNotebookFile(const QString &path, QObject *receiver, Done<NotebookFile> done)
{
    return inPool<NotebookFile>([path] { return readNotebookFile(path); }, receiver, std::move(done));
}

Request saveNotebookFile(const QString &path, const NotebookImage &image, QObject *receiver, Done<FileStamp> done)
{
    return inPool<FileStamp>([path, image] { return writeNotebookFile(path, image); }, receiver, std::move(done));
}

Request copyNotebook(const NotebookImage &image, QObject *receiver, Done<std::shared_ptr<ParsedNotebook>> done)
{
    return inPool<std::shared_ptr<ParsedNotebook>>(
        [image] { return parseNotebook(image.toBytes()); }, receiver, std::move(done));
}

Request checkNotebookFile(const QString &path, const FileStamp &stamp, QObject *receiver, Done<FileChange> done)
{
    return inPool<FileChange>(
        [path, stamp]() -> Result<FileChange> { return fileChange(path, stamp); }, receiver, std::move(done));
}

} // namespace sandfish
