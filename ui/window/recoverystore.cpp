#include "ui/window/recoverystore.h"

#include "core/document/notebookfile.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr QLatin1String kLockName("lock");
constexpr qint64 kLargestNoteBytes = 64 * 1024;

QString notePath(const QString &copyPath)
{
    return copyPath + u".json"_s;
}

std::unique_ptr<QLockFile> lockIn(const QString &folder)
{
    auto lock = std::make_unique<QLockFile>(folder + u'/' + kLockName);
    // A lock is stale when its process is gone, however old it is.
    lock->setStaleLockTime(0);
    return lock;
}

} // namespace

RecoveryStore::RecoveryStore(QString folder)
    : m_folder(std::move(folder))
{
}

RecoveryStore::~RecoveryStore()
{
    if (!m_lock)
        return;
    m_lock->unlock();
    // Copies that are still there belong to work that was not saved: they stay for the next start.
    QDir().rmdir(m_runFolder);
}

QString RecoveryStore::copyPath(const QString &key)
{
    if (!m_lock) {
        m_runFolder = m_folder + u'/' + QUuid::createUuid().toString(QUuid::WithoutBraces);
        if (!QDir().mkpath(m_runFolder))
            return {};
        QFile::setPermissions(m_runFolder, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
        m_lock = lockIn(m_runFolder);
        if (!m_lock->tryLock(0))
            return {};
    }
    return m_runFolder + u'/' + key + u".ipynb"_s;
}

void RecoveryStore::write(
    const NotebookImage &image, const QString &copyPath, const QString &title, const QString &filePath)
{
    if (copyPath.isEmpty() || !writeNotebookFile(copyPath, image))
        return;
    QSaveFile note(notePath(copyPath));
    if (!note.open(QIODevice::WriteOnly))
        return;
    note.write(QJsonDocument(QJsonObject{{u"title"_s, title}, {u"filePath"_s, filePath}}).toJson());
    note.commit();
}

void RecoveryStore::remove(const QString &key)
{
    if (!m_lock)
        return;
    const QString path = copyPath(key);
    QFile::remove(path);
    QFile::remove(notePath(path));
}

std::vector<RecoveredNotebook> RecoveryStore::leftovers()
{
    std::vector<RecoveredNotebook> found;
    const QFileInfoList runs = QDir(m_folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time);
    for (const QFileInfo &run : runs) {
        if (run.absoluteFilePath() == m_runFolder)
            continue;
        auto lock = lockIn(run.absoluteFilePath());
        if (!lock->tryLock(0))
            continue;
        const QFileInfoList copies = QDir(run.absoluteFilePath()).entryInfoList({u"*.ipynb"_s}, QDir::Files);
        for (const QFileInfo &copy : copies) {
            QFile note(notePath(copy.absoluteFilePath()));
            const bool isReadable = note.open(QIODevice::ReadOnly);
            const QJsonObject object =
                isReadable ? QJsonDocument::fromJson(note.read(kLargestNoteBytes)).object() : QJsonObject();
            found.push_back(
                {object.value(u"title"_s).toString(), object.value(u"filePath"_s).toString(), copy.absoluteFilePath()});
        }
        m_taken.push_back(std::move(lock));
        m_takenFolders.append(run.absoluteFilePath());
    }
    return found;
}

void RecoveryStore::discardLeftovers()
{
    for (const auto &lock : m_taken)
        lock->unlock();
    m_taken.clear();
    for (const QString &folder : std::as_const(m_takenFolders))
        QDir(folder).removeRecursively();
    m_takenFolders.clear();
}

} // namespace sandfish
