#include "core/support/logging.h"
#include "core/support/settings.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;

class SupportTest : public QObject
{
    Q_OBJECT
private slots:
    void settings_nothingStored_givesDefaultOfItsType();
    void settings_reopened_keepsValue();
    void settings_sameValueAgain_emitsNothing();
    void settings_wrongTypeInFile_givesDefault();
    void settings_reset_givesDefaultAndEmits();
    void settings_folderMissing_syncSaysWhatToDo();
    void redacted_secret_isReplaced_data();
    void redacted_secret_isReplaced();
    void loggable_urlWithSecrets_showsNone();
};

void SupportTest::settings_nothingStored_givesDefaultOfItsType()
{
    const QTemporaryDir folder;
    const Settings settings(folder.filePath(u"s.ini"_s));
    QCOMPARE(settings.get<QString>(Settings::Key::Theme), u"system"_s);
    QCOMPARE(settings.get<bool>(Settings::Key::TourShown), false);
    QVERIFY(settings.get<int>(Settings::Key::MaxShownLines) > 0);
    QVERIFY(settings.get<QStringList>(Settings::Key::RecentFiles).isEmpty());
}

void SupportTest::settings_reopened_keepsValue()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"s.ini"_s);
    {
        Settings settings(path);
        settings.set(Settings::Key::RecentFiles, QStringList{u"/a b/ü.ipynb"_s, u"/c,d.ipynb"_s});
        settings.set(Settings::Key::AutosaveSeconds, 7);
        settings.set(Settings::Key::WindowGeometry, QByteArray("\x00\x01\xff", 3));
        QVERIFY(settings.sync());
    }
    const Settings settings(path);
    QCOMPARE(settings.get<QStringList>(Settings::Key::RecentFiles), (QStringList{u"/a b/ü.ipynb"_s, u"/c,d.ipynb"_s}));
    QCOMPARE(settings.get<int>(Settings::Key::AutosaveSeconds), 7);
    QCOMPARE(settings.get<QByteArray>(Settings::Key::WindowGeometry), QByteArray("\x00\x01\xff", 3));
}

void SupportTest::settings_sameValueAgain_emitsNothing()
{
    const QTemporaryDir folder;
    Settings settings(folder.filePath(u"s.ini"_s));
    QSignalSpy spy(&settings, &Settings::changed);
    settings.set(Settings::Key::Theme, u"system"_s);
    QCOMPARE(spy.count(), 0);
    settings.set(Settings::Key::Theme, u"dark"_s);
    settings.set(Settings::Key::Theme, u"dark"_s);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].value<Settings::Key>(), Settings::Key::Theme);
}

void SupportTest::settings_wrongTypeInFile_givesDefault()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"s.ini"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[outputs]\nmaxShownLines=many\n");
    file.close();
    const Settings settings(path);
    QCOMPARE(settings.value(Settings::Key::MaxShownLines), Settings::defaultValue(Settings::Key::MaxShownLines));
}

void SupportTest::settings_reset_givesDefaultAndEmits()
{
    const QTemporaryDir folder;
    Settings settings(folder.filePath(u"s.ini"_s));
    settings.set(Settings::Key::ReducedMotion, true);
    QSignalSpy spy(&settings, &Settings::changed);
    settings.reset(Settings::Key::ReducedMotion);
    QCOMPARE(settings.get<bool>(Settings::Key::ReducedMotion), false);
    QCOMPARE(spy.count(), 1);
}

void SupportTest::settings_folderMissing_syncSaysWhatToDo()
{
    // A file where the folder should be: the same for every user, root too.
    const QTemporaryDir folder;
    QFile blocker(folder.filePath(u"blocker"_s));
    QVERIFY(blocker.open(QIODevice::WriteOnly));
    Settings settings(folder.filePath(u"blocker/s.ini"_s));
    settings.set(Settings::Key::Theme, u"dark"_s);
    const Result<> result = settings.sync();
    QVERIFY(!result);
    QCOMPARE(result.error().kind, Error::Kind::Io);
    QVERIFY(result.error().message.find("Check that") != std::string::npos);
}

void SupportTest::redacted_secret_isReplaced_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("header") << "X-API-Key: abc123"_ba
                            << "X-API-Key: …"_ba;
    QTest::newRow("json") << R"({"apiKey":"abc","a":1})"_ba
                          << R"({"apiKey":"…","a":1})"_ba;
    QTest::newRow("bearer") << "Authorization: Bearer abc.def"_ba
                            << "Authorization: Bearer …"_ba;
    QTest::newRow("query") << "GET /?token=abc&x=1"_ba
                           << "GET /?token=…&x=1"_ba;
    QTest::newRow("environment") << "LIZARD_API_KEY=abc"_ba
                                 << "LIZARD_API_KEY=…"_ba;
    QTest::newRow("plain") << "no such sandbox: 17"_ba
                           << "no such sandbox: 17"_ba;
}

void SupportTest::redacted_secret_isReplaced()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(redacted(text.toStdString())), expected);
}

void SupportTest::loggable_urlWithSecrets_showsNone()
{
    const QUrl url(u"https://me:pw@host.example:1/cap-0123456789abcdef012345/execute?token=abc#x"_s);
    QCOMPARE(loggable(url), u"https://host.example:1/cap-01…/execute"_s);
}

QTEST_GUILESS_MAIN(SupportTest)
#include "tst_support.moc"
