#include "core/protocol/sandboxinfo.h"
#include "core/protocol/streamrecord.h"
#include "core/protocol/wirerecord.h"

#include <QTest>

using namespace sandfish;
using namespace std::string_literals;

class ProtocolTest : public QObject
{
    Q_OBJECT
private slots:
    void decode_seedStream_givesText();
    void decode_seedJsonResult_isJsonAndText();
    void decode_missingMembers_areEmpty();
    void decode_unknownType_isIgnored();
    void decode_notJson_isProtocolError();
    void decodeStreamRecord_compactText_isRead();
    void decodeStreamRecord_anythingElse_isLeftToTheGeneralReader_data();
    void decodeStreamRecord_anythingElse_isLeftToTheGeneralReader();
    void encode_fullDialect_survivesTheRoundTrip();
    void encode_startedWithCheckpoint_survivesTheRoundTrip();
    void encode_startedWithoutCheckpoint_hasNone();
    void encode_seedDialect_hasNoExtensionItems();
    void encode_seedResult_dataIsAString_data();
    void encode_seedResult_dataIsAString();
    void language_alias_isNormalised_data();
    void language_alias_isNormalised();
};

namespace {

template <typename T> T eventOf(std::string_view line)
{
    const WireRecord record = *decodeWireRecord(line);
    return std::get<T>(std::get<ExecutionEvent>(record.content));
}

std::string encoded(const ExecutionEvent &event, WireDialect dialect)
{
    std::string out;
    encodeEvent(event, dialect, 5, 1795959541946, out);
    return out;
}

} // namespace

// The lines are those of protocols.md §1.5, captured from the service's own server.
void ProtocolTest::decode_seedStream_givesText()
{
    const auto stream =
        eventOf<StreamText>(R"({"type": "stdout", "data": "hi \u00e9\ud83d\ude00\n", "ts": 1795959541946})");
    QCOMPARE(stream.channel, StreamText::Channel::Stdout);
    QCOMPARE(stream.text, "hi é😀\n"s);
}

void ProtocolTest::decode_seedJsonResult_isJsonAndText()
{
    const auto result = eventOf<ExecuteResult>(R"({"type": "result", "mime": "application/json", "data": "\"abc\""})");
    QCOMPARE(result.data.find("application/json")->get<std::string>(), "abc"s);
    QCOMPARE(std::string(result.data.text("text/plain")), "\"abc\""s);
}

void ProtocolTest::decode_missingMembers_areEmpty()
{
    const auto error = eventOf<ErrorOutput>(R"({"type":"error"})");
    QVERIFY(error.name.empty());
    QVERIFY(error.message.empty());
    QVERIFY(error.traceback.empty());
    QVERIFY(eventOf<ExecuteResult>(R"({"type":"result"})").data.text("text/plain").empty());
}

void ProtocolTest::decode_unknownType_isIgnored()
{
    const WireRecord record = *decodeWireRecord(R"({"type":"keepalive","new":[1]})");
    QCOMPARE(std::get<WireRecord::Ignored>(record.content).type, "keepalive"s);
}

void ProtocolTest::decode_notJson_isProtocolError()
{
    const Result<WireRecord> record = decodeWireRecord("<html>");
    QVERIFY(!record);
    QCOMPARE(record.error().kind, Error::Kind::Protocol);
}

void ProtocolTest::decodeStreamRecord_compactText_isRead()
{
    std::string text = "tab\t quote\" back\\slash / é 漢 😀 \x7f\n";
    for (char c = 1; c < 0x20; ++c)
        text += c;
    std::string line = encoded(StreamText{StreamText::Channel::Stderr, text, true}, WireDialect::Full);
    line.pop_back(); // its LF, which the framer takes off
    const auto record = decodeStreamRecord(line);
    QVERIFY(record);
    QCOMPARE(record->sequence, std::uint64_t(5));
    const auto &stream = std::get<StreamText>(std::get<ExecutionEvent>(record->content));
    QCOMPARE(stream.channel, StreamText::Channel::Stderr);
    QCOMPARE(stream.text, text);
    QVERIFY(stream.isLate);
}

void ProtocolTest::decodeStreamRecord_anythingElse_isLeftToTheGeneralReader_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("blanks") << QByteArray(R"({"type": "stdout","data":"a"})");
    QTest::newRow("other type") << QByteArray(R"({"type":"notice","data":"a"})");
    QTest::newRow("no type") << QByteArray(R"({"data":"a"})");
    QTest::newRow("nested") << QByteArray(R"({"type":"stdout","data":{"a":1}})");
    QTest::newRow("unknown member") << QByteArray(R"({"type":"stdout","data":"a","x":1})");
    QTest::newRow("wide escape") << QByteArray(R"({"type":"stdout","data":"\u00e9"})");
    QTest::newRow("bad escape") << QByteArray(R"({"type":"stdout","data":"\x"})");
    QTest::newRow("control character") << QByteArray("{\"type\":\"stdout\",\"data\":\"\t\"}");
    QTest::newRow("bad UTF-8") << QByteArray("{\"type\":\"stdout\",\"data\":\"\xff\"}");
    QTest::newRow("negative") << QByteArray(R"({"type":"stdout","data":"a","seq":-1})");
    QTest::newRow("leading zero") << QByteArray(R"({"type":"stdout","data":"a","seq":01})");
    QTest::newRow("more text") << QByteArray(R"({"type":"stdout","data":"a"} x)");
    QTest::newRow("open") << QByteArray(R"({"type":"stdout","data":"a")");
    QTest::newRow("open text") << QByteArray(R"({"type":"stdout","data":"a)");
    QTest::newRow("cut escape") << QByteArray(R"({"type":"stdout","data":"\u00)");
}

void ProtocolTest::decodeStreamRecord_anythingElse_isLeftToTheGeneralReader()
{
    QFETCH(QByteArray, line);
    QVERIFY(!decodeStreamRecord(std::string_view(line.constData(), std::size_t(line.size()))));
}

void ProtocolTest::encode_fullDialect_survivesTheRoundTrip()
{
    DisplayData display;
    display.data.set("image/png", "aGk=");
    display.data.set("application/json", Json{{"a", 1}});
    display.displayId = "d1";
    display.isUpdate = true;
    const WireRecord record = *decodeWireRecord(encoded(display, WireDialect::Full));
    QCOMPARE(record.sequence, 5u);
    const auto back = std::get<DisplayData>(std::get<ExecutionEvent>(record.content));
    QVERIFY(back.data.toJson() == display.data.toJson());
    QCOMPARE(back.displayId, "d1"s);
    QVERIFY(back.isUpdate);
}

void ProtocolTest::encode_startedWithCheckpoint_survivesTheRoundTrip()
{
    const std::string line =
        encoded(ExecutionStarted{3, CheckpointRef{"c1", {"threads:1", "children"}}}, WireDialect::Full);
    const auto back = eventOf<ExecutionStarted>(line);
    QCOMPARE(back.executionCount, 3);
    QVERIFY(back.checkpoint);
    QCOMPARE(back.checkpoint->id, "c1"s);
    QCOMPARE(back.checkpoint->inexact, (std::vector{"threads:1"s, "children"s}));
}

void ProtocolTest::encode_startedWithoutCheckpoint_hasNone()
{
    const std::string line = encoded(ExecutionStarted{3}, WireDialect::Full);
    QCOMPARE(line, "{\"execution_count\":3,\"seq\":5,\"type\":\"started\"}\n"s);
    QVERIFY(!eventOf<ExecutionStarted>(line).checkpoint);
}

void ProtocolTest::encode_seedDialect_hasNoExtensionItems()
{
    QVERIFY(encoded(ClearOutput{true}, WireDialect::Seed).empty());
    QVERIFY(encoded(InputRequest{"Name: ", false}, WireDialect::Seed).empty());
    QVERIFY(encoded(ExecutionStarted{3}, WireDialect::Seed).empty());
    const std::string text = encoded(StreamText{StreamText::Channel::Stderr, "e\n", true}, WireDialect::Seed);
    QCOMPARE(text, "{\"type\":\"stderr\",\"data\":\"e\\n\",\"ts\":1795959541946}\n"s);
}

void ProtocolTest::encode_seedResult_dataIsAString_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("number") << QByteArray("application/json") << QByteArray("2")
                            << QByteArray(R"({"data":"2","mime":"application/json","type":"result"})");
    QTest::newRow("text value") << QByteArray("application/json") << QByteArray("\"abc\"")
                                << QByteArray(R"({"data":"\"abc\"","mime":"application/json","type":"result"})");
    QTest::newRow("html") << QByteArray("text/html") << QByteArray("\"<b>\"")
                          << QByteArray(R"({"data":"<b>","mime":"text/html","type":"result"})");
}

void ProtocolTest::encode_seedResult_dataIsAString()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, line);
    ExecuteResult result;
    result.data.set(type.toStdString(), *parseJson(json.toStdString()));
    result.data.set("text/plain", "plain");
    QCOMPARE(QByteArray::fromStdString(encoded(result, WireDialect::Seed)).trimmed(), line);
}

// The aliases of protocols.md §1.3.
void ProtocolTest::language_alias_isNormalised_data()
{
    QTest::addColumn<QByteArray>("alias");
    QTest::addColumn<QByteArray>("language");
    for (const char *alias : {"js", "node", "nodejs", "NodeJS", "javascript"})
        QTest::newRow(alias) << QByteArray(alias) << QByteArray("javascript");
    for (const char *alias : {"sh", "SH", "shell", "bash"})
        QTest::newRow(alias) << QByteArray(alias) << QByteArray("bash");
    for (const char *alias : {"py", "python3", "Python"})
        QTest::newRow(alias) << QByteArray(alias) << QByteArray("python");
    QTest::newRow("unsupported") << QByteArray("cobol") << QByteArray();
}

void ProtocolTest::language_alias_isNormalised()
{
    QFETCH(QByteArray, alias);
    QFETCH(QByteArray, language);
    QCOMPARE(QByteArray::fromStdString(normalisedLanguage(alias.toStdString())), language);
}

QTEST_APPLESS_MAIN(ProtocolTest)
#include "tst_protocol.moc"
