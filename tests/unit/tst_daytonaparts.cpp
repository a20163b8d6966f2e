#include "core/engine/daytonamultipart.h"
#include "core/engine/daytonasearch.h"
#include "core/engine/daytonasettings.h"
#include "core/engine/httptext.h"

#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

Q_DECLARE_METATYPE(sandfish::DaytonaSettings)

/// The parts of the Daytona face that need no daemon: what is due when, bodies of many parts, texts.
class DaytonaPartsTest : public QObject
{
    Q_OBJECT
private slots:
    void due_bySettingsAndState_data();
    void due_bySettingsAndState();
    void settings_throughJson_areTheSame();
    void multipart_ofWriter_isReadBack_data();
    void multipart_ofWriter_isReadBack();
    void multipart_cutAnywhere_isRefused();
    void multipart_otherClients_areRead_data();
    void multipart_otherClients_areRead();
    void multipart_noSuchBody_isRefused_data();
    void multipart_noSuchBody_isRefused();
    void replacedText_replacesEach_data();
    void replacedText_replacesEach();
    void queryValues_ofRepeatedName_areAllThere();
};

namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

DaytonaSettings settingsOf(int stop, int pause, int remove)
{
    DaytonaSettings settings;
    settings.autoStop = stop;
    settings.autoPause = pause;
    settings.autoDelete = remove;
    return settings;
}

DaytonaSettings expired()
{
    DaytonaSettings settings = settingsOf(0, 0, -1);
    settings.destroyAt = SystemTime(minutes(999));
    return settings;
}

} // namespace

void DaytonaPartsTest::due_bySettingsAndState_data()
{
    QTest::addColumn<DaytonaSettings>("settings");
    QTest::addColumn<int>("state");
    QTest::addColumn<int>("idleMs");
    QTest::addColumn<int>("stoppedMs");
    QTest::addColumn<int>("due");
    const auto row = [](const char *name, const DaytonaSettings &settings, SandboxState state, int idle, int stopped,
                         DaytonaDue due) {
        QTest::newRow(name) << settings << int(state) << idle << stopped << int(due);
    };
    using enum SandboxState;
    row("just before", settingsOf(1, 0, -1), Running, 59'999, 0, DaytonaDue::Nothing);
    row("stop", settingsOf(1, 0, -1), Running, 60'000, 0, DaytonaDue::Stop);
    row("never stop", settingsOf(0, 0, -1), Running, 86'400'000, 0, DaytonaDue::Nothing);
    row("pause", settingsOf(0, 1, -1), Running, 60'000, 0, DaytonaDue::Pause);
    row("paused is not stopped", settingsOf(1, 0, -1), Paused, 86'400'000, 0, DaytonaDue::Nothing);
    row("delete at once", settingsOf(1, 0, 0), Stopped, 0, 0, DaytonaDue::Delete);
    row("not yet deleted", settingsOf(1, 0, 1), Stopped, 86'400'000, 59'999, DaytonaDue::Nothing);
    row("delete", settingsOf(1, 0, 1), Stopped, 0, 60'000, DaytonaDue::Delete);
    row("never delete", settingsOf(1, 0, -1), Stopped, 0, 86'400'000, DaytonaDue::Nothing);
    row("lifetime over", expired(), Running, 0, 0, DaytonaDue::Delete);
    row("lifetime over while paused", expired(), Paused, 0, 0, DaytonaDue::Delete);
}

void DaytonaPartsTest::due_bySettingsAndState()
{
    QFETCH(DaytonaSettings, settings);
    QFETCH(int, state);
    QFETCH(int, idleMs);
    QFETCH(int, stoppedMs);
    QFETCH(int, due);
    const SystemTime now{minutes(1000)};
    QCOMPARE(int(daytonaDue(settings, SandboxState(state), milliseconds(idleMs), milliseconds(stoppedMs), now)), due);
}

void DaytonaPartsTest::settings_throughJson_areTheSame()
{
    DaytonaSettings settings = settingsOf(3, 0, 5);
    settings.autoArchive = 7;
    settings.destroyAt = SystemTime(minutes(123));
    settings.updatedAt = SystemTime(minutes(45));
    settings.isPublic = true;
    const DaytonaSettings read = daytonaSettingsFrom(daytonaSettingsJson(settings));
    QCOMPARE(read.autoStop, 3);
    QCOMPARE(read.autoPause, 0);
    QCOMPARE(read.autoArchive, 7);
    QCOMPARE(read.autoDelete, 5);
    QVERIFY(read.destroyAt == settings.destroyAt && read.updatedAt == settings.updatedAt);
    QVERIFY(read.isPublic);
    QVERIFY(!daytonaSettingsFrom(Json::object()).destroyAt);
    QCOMPARE(daytonaSettingsFrom(Json::object()).autoStop, 15);
}

void DaytonaPartsTest::multipart_ofWriter_isReadBack_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("text") << QByteArray("hello");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("line ends") << QByteArray("\r\n\r\n--\r\n");
    QTest::newRow("like the boundary") << QByteArray("\r\n--BOUND-but-not-quite");
    QTest::newRow("bytes") << QByteArray("\0\xff\x80\n", 4);
}

void DaytonaPartsTest::multipart_ofWriter_isReadBack()
{
    QFETCH(QByteArray, bytes);
    MultipartWriter writer("BOUNDARY");
    writer.add("file", "/a b/\"q\".txt", "application/octet-stream", {bytes.constData(), size_t(bytes.size())});
    writer.add("second", "x", "text/plain", "2");
    const std::string body = writer.take();
    const auto parts = parseMultipart(body, writer.contentType());
    QVERIFY(parts);
    QCOMPARE(parts->size(), size_t(2));
    QCOMPARE((*parts)[0].name, std::string("file"));
    QCOMPARE((*parts)[0].fileName, std::string("/a b/\"q\".txt"));
    QCOMPARE(QByteArray((*parts)[0].bytes.data(), qsizetype((*parts)[0].bytes.size())), bytes);
    QCOMPARE((*parts)[1].bytes, std::string_view("2"));
}

void DaytonaPartsTest::multipart_cutAnywhere_isRefused()
{
    MultipartWriter writer("BOUNDARY");
    writer.add("file", "x", "text/plain", "some text");
    const std::string body = writer.take();
    for (std::size_t size = 0; size + 4 < body.size(); ++size)
        QVERIFY2(!parseMultipart(std::string_view(body).substr(0, size), writer.contentType()), body.c_str());
}

void DaytonaPartsTest::multipart_otherClients_areRead_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("body");
    const QByteArray part = "--B1\r\ncontent-disposition: form-data; name=\"f\"\r\n\r\nvalue\r\n--B1--";
    QTest::newRow("plain") << QByteArray("multipart/form-data; boundary=B1") << part;
    QTest::newRow("quoted") << QByteArray("Multipart/Form-Data; charset=x; boundary=\"B1\"") << part;
    QTest::newRow("preamble") << QByteArray("multipart/form-data;boundary=B1") << "for old readers\r\n" + part;
    QTest::newRow("more headers") << QByteArray("multipart/form-data; boundary=B1")
                                  << QByteArray(part).replace("\r\n\r\nvalue", "\r\nX-More: 1\r\n\r\nvalue");
}

void DaytonaPartsTest::multipart_otherClients_areRead()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, body);
    const std::string text = body.toStdString();
    const auto parts = parseMultipart(text, type.toStdString());
    QVERIFY(parts);
    QCOMPARE(parts->size(), size_t(1));
    QCOMPARE(parts->front().name, std::string("f"));
    QCOMPARE(parts->front().bytes, std::string_view("value"));
}

void DaytonaPartsTest::multipart_noSuchBody_isRefused_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("json") << QByteArray("application/json") << QByteArray("{}");
    QTest::newRow("no boundary") << QByteArray("multipart/form-data") << QByteArray("--B1--");
    QTest::newRow("other boundary") << QByteArray("multipart/form-data; boundary=B2") << QByteArray("--B1--\r\n");
    QTest::newRow("empty") << QByteArray("multipart/form-data; boundary=B1") << QByteArray();
}

void DaytonaPartsTest::multipart_noSuchBody_isRefused()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, body);
    const auto parts = parseMultipart(body.toStdString(), type.toStdString());
    QVERIFY(!parts);
    QCOMPARE(parts.error().kind, Error::Kind::BadRequest);
}

void DaytonaPartsTest::replacedText_replacesEach_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("none") << QByteArray("b c") << QByteArray("b c");
    QTest::newRow("several") << QByteArray("ab ab") << QByteArray("x-ab-y x-ab-y");
    QTest::newRow("side by side") << QByteArray("abab") << QByteArray("x-ab-yx-ab-y");
    QTest::newRow("empty") << QByteArray() << QByteArray();
}

void DaytonaPartsTest::replacedText_replacesEach()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(replacedText(text.toStdString(), "ab", "x-ab-y")), expected);
}

void DaytonaPartsTest::queryValues_ofRepeatedName_areAllThere()
{
    const std::vector<std::string> expected{"a b", "", "c"};
    QVERIFY(queryValues("states=a+b&other=1&states&states=%63", "states") == expected);
    QVERIFY(queryValues("", "states").empty());
}

QTEST_GUILESS_MAIN(DaytonaPartsTest)
#include "tst_daytonaparts.moc"
