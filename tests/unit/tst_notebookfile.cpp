#include "core/document/notebookdocument.h"
#include "core/document/notebookfile.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace sandfish;
using namespace Qt::StringLiterals;

class NotebookFileTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void write_newFile_isReadBack();
    void write_existingFile_keepsPermissions();
    void write_symbolicLink_writesItsTarget();
    void write_failsInTheMiddle_keepsTheOldFile();
    void write_missingFolder_isAnError();
    void write_folder_isAnError();
    void checkTarget_usable_changesNothing();
    void checkTarget_unusable_isTheErrorOfWriting_data();
    void checkTarget_unusable_isTheErrorOfWriting();
    void checkTarget_folderTakesNoFiles_isAnError();
    void read_problem_isAnErrorThatNamesTheFile_data();
    void read_problem_isAnErrorThatNamesTheFile();
    void fileChange_afterWrite_isNone();
    void fileChange_touchedOnly_isNone();
    void fileChange_otherContent_isChanged();
    void fileChange_deleted_isRemoved();
    void open_inPool_givesTheNotebook();
    void open_receiverDies_isDropped();
    void save_inPool_givesTheStamp();

private:
    QString path(const QString &name) const { return m_folder->filePath(name); }
    void put(const QString &name, const QByteArray &bytes) const;
    QByteArray get(const QString &name) const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

NotebookImage imageOf(const QByteArray &bytes)
{
    NotebookImage image(bytes);
    image.append(TextSpan{0, static_cast<std::size_t>(bytes.size())});
    return image;
}

const QByteArray kNotebook = "{\"cells\": [], \"metadata\": {}, \"nbformat\": 4, \"nbformat_minor\": 5}\n";

} // namespace

void NotebookFileTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void NotebookFileTest::put(const QString &name, const QByteArray &bytes) const
{
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

QByteArray NotebookFileTest::get(const QString &name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void NotebookFileTest::write_newFile_isReadBack()
{
    NotebookDocument document;
    document.setSource(document.cellAt(0).id, u"x = 1"_s);
    QVERIFY(writeNotebookFile(path(u"a.ipynb"_s), document.image()));
    const Result<NotebookFile> file = readNotebookFile(path(u"a.ipynb"_s));
    QVERIFY(file);
    QCOMPARE(NotebookDocument::fromParsed(file->notebook)->cellAt(0).source, u"x = 1"_s);
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{u"a.ipynb"_s});
}

void NotebookFileTest::write_existingFile_keepsPermissions()
{
    put(u"a.ipynb"_s, "old");
    const auto permissions = QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ReadGroup;
    QVERIFY(QFile::setPermissions(path(u"a.ipynb"_s), permissions));
    QVERIFY(writeNotebookFile(path(u"a.ipynb"_s), imageOf(kNotebook)));
    QCOMPARE(get(u"a.ipynb"_s), kNotebook);
    QVERIFY(QFile::permissions(path(u"a.ipynb"_s)).testFlags(permissions));
    QVERIFY(!QFile::permissions(path(u"a.ipynb"_s)).testFlag(QFileDevice::ReadOther));
}

void NotebookFileTest::write_symbolicLink_writesItsTarget()
{
    put(u"target.ipynb"_s, "old");
    QVERIFY(QFile::link(path(u"target.ipynb"_s), path(u"link.ipynb"_s)));
    QVERIFY(writeNotebookFile(path(u"link.ipynb"_s), imageOf(kNotebook)));
    QVERIFY(QFileInfo(path(u"link.ipynb"_s)).isSymLink());
    QCOMPARE(get(u"target.ipynb"_s), kNotebook);
}

// A limit on the size of files stands for a disk that fills up: the write fails after some of it went through.
void NotebookFileTest::write_failsInTheMiddle_keepsTheOldFile()
{
    put(u"a.ipynb"_s, kNotebook);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100'000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    const Result<FileStamp> stamp = writeNotebookFile(path(u"a.ipynb"_s), imageOf(QByteArray(1'000'000, ' ')));
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!stamp);
    QCOMPARE(stamp.error().kind, Error::Kind::Io);
    QVERIFY(QString::fromStdString(stamp.error().message).contains(u"unchanged"_s));
    QCOMPARE(get(u"a.ipynb"_s), kNotebook);
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{u"a.ipynb"_s});
}

void NotebookFileTest::write_missingFolder_isAnError()
{
    const Result<FileStamp> stamp = writeNotebookFile(path(u"gone/a.ipynb"_s), imageOf(kNotebook));
    QVERIFY(!stamp);
    QVERIFY(QString::fromStdString(stamp.error().message).contains(u"does not exist"_s));
}

void NotebookFileTest::write_folder_isAnError()
{
    QVERIFY(QDir(m_folder->path()).mkdir(u"x.ipynb"_s));
    QVERIFY(!writeNotebookFile(path(u"x.ipynb"_s), imageOf(kNotebook)));
}

void NotebookFileTest::checkTarget_usable_changesNothing()
{
    put(u"old.ipynb"_s, "old");
    QVERIFY(checkNotebookTarget(path(u"old.ipynb"_s)));
    QVERIFY(checkNotebookTarget(path(u"new.ipynb"_s)));
    QCOMPARE(get(u"old.ipynb"_s), QByteArray("old"));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{u"old.ipynb"_s});
}

void NotebookFileTest::checkTarget_unusable_isTheErrorOfWriting_data()
{
    QTest::addColumn<QString>("target");
    QTest::newRow("no folder") << u"gone/a.ipynb"_s;
    QTest::newRow("a folder") << u"."_s;
}

void NotebookFileTest::checkTarget_unusable_isTheErrorOfWriting()
{
    QFETCH(QString, target);
    const QString file = QDir(m_folder->path()).absoluteFilePath(target);
    const Result<> check = checkNotebookTarget(file);
    const Result<FileStamp> written = writeNotebookFile(file, imageOf(kNotebook));
    QVERIFY(!check && !written);
    QCOMPARE(check.error().message, written.error().message);
}

void NotebookFileTest::checkTarget_folderTakesNoFiles_isAnError()
{
    const Result<> check = checkNotebookTarget(u"/proc/a.ipynb"_s);
    QVERIFY(!check);
    QCOMPARE(check.error().kind, Error::Kind::Io);
    QVERIFY(check.error().message.find("cannot be written") != std::string::npos);
}

void NotebookFileTest::read_problem_isAnErrorThatNamesTheFile_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("said");
    QTest::newRow("missing") << u"none.ipynb"_s << u"does not exist"_s;
    QTest::newRow("folder") << u"folder.ipynb"_s << u"is no file"_s;
    QTest::newRow("broken") << u"broken.ipynb"_s << u"line 1"_s;
}

void NotebookFileTest::read_problem_isAnErrorThatNamesTheFile()
{
    QFETCH(QString, name);
    QFETCH(QString, said);
    put(u"broken.ipynb"_s, "{");
    QVERIFY(QDir(m_folder->path()).mkdir(u"folder.ipynb"_s));
    const Result<NotebookFile> file = readNotebookFile(path(name));
    QVERIFY(!file);
    const QString message = QString::fromStdString(file.error().message);
    QVERIFY2(message.contains(name) && message.contains(said), qPrintable(message));
}

void NotebookFileTest::fileChange_afterWrite_isNone()
{
    const Result<FileStamp> stamp = writeNotebookFile(path(u"a.ipynb"_s), imageOf(kNotebook));
    QCOMPARE(fileChange(path(u"a.ipynb"_s), *stamp), FileChange::None);
}

void NotebookFileTest::fileChange_touchedOnly_isNone()
{
    const Result<FileStamp> stamp = writeNotebookFile(path(u"a.ipynb"_s), imageOf(kNotebook));
    QFile file(path(u"a.ipynb"_s));
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.setFileTime(QDateTime::currentDateTime().addDays(-1), QFileDevice::FileModificationTime));
    QCOMPARE(fileChange(path(u"a.ipynb"_s), *stamp), FileChange::None);
}

void NotebookFileTest::fileChange_otherContent_isChanged()
{
    const Result<FileStamp> stamp = writeNotebookFile(path(u"a.ipynb"_s), imageOf(kNotebook));
    put(u"a.ipynb"_s, kNotebook + " ");
    QCOMPARE(fileChange(path(u"a.ipynb"_s), *stamp), FileChange::Changed);
}

void NotebookFileTest::fileChange_deleted_isRemoved()
{
    const Result<FileStamp> stamp = writeNotebookFile(path(u"a.ipynb"_s), imageOf(kNotebook));
    QFile::remove(path(u"a.ipynb"_s));
    QCOMPARE(fileChange(path(u"a.ipynb"_s), *stamp), FileChange::Removed);
}

void NotebookFileTest::open_inPool_givesTheNotebook()
{
    put(u"a.ipynb"_s, kNotebook);
    QObject receiver;
    std::shared_ptr<ParsedNotebook> notebook;
    openNotebookFile(path(u"a.ipynb"_s), &receiver, [&](const Result<NotebookFile> &file) {
        if (file)
            notebook = file->notebook;
    });
    QTRY_VERIFY(notebook);
    QCOMPARE(notebook->minor, 5);
}

void NotebookFileTest::open_receiverDies_isDropped()
{
    put(u"a.ipynb"_s, kNotebook);
    bool isCalled = false;
    auto receiver = std::make_unique<QObject>();
    openNotebookFile(path(u"a.ipynb"_s), receiver.get(), [&](const Result<NotebookFile> &) { isCalled = true; });
    receiver.reset();
    bool isOtherDone = false;
    openNotebookFile(path(u"a.ipynb"_s), this, [&](const Result<NotebookFile> &) { isOtherDone = true; });
    QTRY_VERIFY(isOtherDone);
    QVERIFY(!isCalled);
}

void NotebookFileTest::save_inPool_givesTheStamp()
{
    NotebookDocument document;
    FileStamp stamp;
    saveNotebookFile(path(u"a.ipynb"_s), document.image(), this, [&](const Result<FileStamp> &result) {
        if (result)
            stamp = *result;
    });
    QTRY_VERIFY(!stamp.isEmpty());
    QCOMPARE(stamp.sizeBytes, document.toJson().size());
}

QTEST_GUILESS_MAIN(NotebookFileTest)
#include "tst_notebookfile.moc"
