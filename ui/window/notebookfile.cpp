#include "ui/window/notebookfile.h"

#include "core/document/ipynbreader.h"
#include "core/document/ipynbwriter.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

Error ioError(const QString &fact, const QString &reason, const QString &advice)
{
    const QString message = u"%1: %2. %3"_s.arg(fact, reason, advice);
    return {Error::Kind::Io, message.toStdString(), reason.toStdString()};
}

QString nameOf(const QString &path)
{
    return QFileInfo(path).fileName();
}

} // namespace

FileStamp FileStamp::of(const QString &path)
{
    const QFileInfo info(path);
    return info.exists() ? FileStamp{info.lastModified(), info.size()} : FileStamp{};
}

QByteArray digestOf(const QByteArray &bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Blake2b_256).toHex();
}

Result<LoadedNotebook> loadNotebook(const QString &path)
{
    const FileStamp stamp = FileStamp::of(path);
    const QFileInfo info(path);
    const QString fact = QObject::tr("%1 could not be opened").arg(nameOf(path));
    if (!info.exists())
        return ioError(
            fact, QObject::tr("there is no such file"), QObject::tr("Check the path, or choose another file."));
    // A pipe or device might never end.
    if (!info.isFile())
        return ioError(fact, QObject::tr("it is not a regular file"), QObject::tr("Choose a notebook file."));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return ioError(fact, file.errorString(), QObject::tr("Check that you may read this file."));
    const QByteArray bytes = file.readAll();
    if (file.error() != QFileDevice::NoError)
        return ioError(fact, file.errorString(), QObject::tr("Check the disk, then open it again."));
    auto parsed = parseNotebook(bytes);
    if (!parsed) {
        Error error = parsed.error();
        error.message = fact.toStdString() + ". " + error.message;
        return error;
    }
    return LoadedNotebook{parsed.take(), stamp, digestOf(bytes)};
}

Result<SavedNotebook> saveNotebook(const NotebookImage &image, const QString &path)
{
    const QString fact = QObject::tr("%1 was not saved").arg(nameOf(path));
    const QString advice =
        QObject::tr("The notebook is still here. Free some space or check the folder, or save it elsewhere.");
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return ioError(fact, file.errorString(), advice);
    QCryptographicHash hash(QCryptographicHash::Blake2b_256);
    bool isWhole = true;
    image.visit([&](std::string_view piece) {
        const QByteArrayView bytes(piece.data(), qsizetype(piece.size()));
        hash.addData(bytes.toByteArray());
        isWhole = isWhole && file.write(bytes.data(), bytes.size()) == bytes.size();
    });
    if (!isWhole || !file.commit())
        return ioError(fact, file.errorString(), advice);
    return SavedNotebook{FileStamp::of(path), hash.result().toHex()};
}

} // namespace sandfish
