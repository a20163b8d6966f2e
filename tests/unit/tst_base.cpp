#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/lineframer.h"
#include "core/base/utf8.h"

#include <QTest>

#include <string>
#include <vector>

using namespace sandfish;
using namespace std::string_literals;

class BaseTest : public QObject
{
    Q_OBJECT
private slots:
    void framer_cutAtEveryByte_givesTheSameLines();
    void framer_lineOverBound_overflows();
    void framer_lastLineWithoutNewline_isTheRest();
    void utf8_cutAtEveryByte_keepsCharacters();
    void utf8_badBytes_becomeOneReplacementPerRun_data();
    void utf8_badBytes_becomeOneReplacementPerRun();
    void json_nestedTooDeep_isRefused();
    void json_longStrings_areReadInTheirPlaces();
    void json_longStringInBadText_isRefused_data();
    void json_longStringInBadText_isRefused();
    void json_dumped_isWhatTheLibraryWrites_data();
    void json_dumped_isWhatTheLibraryWrites();
    void json_missingMembers_giveFallbacks();
    void error_httpStatus_mapsToKind_data();
    void error_httpStatus_mapsToKind();
};

namespace {

std::vector<std::string> linesOf(LineFramer &framer)
{
    std::vector<std::string> lines;
    for (std::string_view line; framer.next(line);)
        lines.emplace_back(line);
    return lines;
}

} // namespace

void BaseTest::framer_cutAtEveryByte_givesTheSameLines()
{
    const std::string stream = "{\"a\":1}\r\n\n{\"b\":\"é😀\"}\n{}\n";
    const std::vector<std::string> expected{"{\"a\":1}", "{\"b\":\"é😀\"}", "{}"};
    for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
        LineFramer framer;
        std::vector<std::string> lines;
        for (const std::string &part : {stream.substr(0, cut), stream.substr(cut)}) {
            framer.append(part);
            const auto found = linesOf(framer);
            lines.insert(lines.end(), found.begin(), found.end());
        }
        QVERIFY2(lines == expected, qPrintable(QString::number(cut)));
    }
}

void BaseTest::framer_lineOverBound_overflows()
{
    LineFramer framer(10);
    framer.append("ok\n01234567890123");
    QCOMPARE(linesOf(framer).size(), 1u);
    QVERIFY(framer.isOverflown());
}

void BaseTest::framer_lastLineWithoutNewline_isTheRest()
{
    LineFramer framer;
    framer.append("one\ntwo\r");
    QCOMPARE(linesOf(framer).size(), 1u);
    QCOMPARE(framer.takeRest(), "two"s);
    QCOMPARE(framer.pendingBytes(), 0u);
}

void BaseTest::utf8_cutAtEveryByte_keepsCharacters()
{
    const std::string whole = "naïve ✓ 漢 🧑‍🚀 plain ascii tail";
    for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
        Utf8Repair repair;
        std::string out;
        repair.append(std::string_view(whole).substr(0, cut), out);
        repair.append(std::string_view(whole).substr(cut), out);
        repair.finish(out);
        QCOMPARE(out, whole);
    }
}

void BaseTest::utf8_badBytes_becomeOneReplacementPerRun_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("expected");
    const QByteArray r("\xEF\xBF\xBD");
    QTest::newRow("lone continuation") << QByteArray("a\x80z") << QByteArray("a" + r + "z");
    QTest::newRow("run") << QByteArray("a\xFF\xFE\x80z") << QByteArray("a" + r + "z");
    QTest::newRow("overlong") << QByteArray("a\xC0\xAFz") << QByteArray("a" + r + "z");
    QTest::newRow("surrogate") << QByteArray("a\xED\xA0\x80z") << QByteArray("a" + r + "z");
    QTest::newRow("cut at the end") << QByteArray("a\xE6\xBC") << QByteArray("a" + r);
    QTest::newRow("good") << QByteArray("a\xE6\xBC\xA2z") << QByteArray("a\xE6\xBC\xA2z");
}

void BaseTest::utf8_badBytes_becomeOneReplacementPerRun()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, expected);
    const std::string repaired = repairedUtf8(std::string_view(bytes.constData(), bytes.size()));
    QCOMPARE(QByteArray::fromStdString(repaired), expected);
    QVERIFY(isValidUtf8(repaired));
}

void BaseTest::json_nestedTooDeep_isRefused()
{
    const Result<Json> value = parseJson(std::string(100'000, '[') + std::string(100'000, ']'));
    QVERIFY(!value);
    QCOMPARE(value.error().kind, Error::Kind::Protocol);
}

void BaseTest::json_longStrings_areReadInTheirPlaces()
{
    const std::string a = std::string(1000, 'a'), b = std::string(1001, 'b'), key = std::string(300, 'k');
    const std::string escaped = std::string(400, 'e') + R"(\"\\)", spoken = std::string(400, 's') + "é";
    const std::string text = R"({"x":[")" + a + R"(",")" + escaped + R"(",{"y" : ")" + b + R"("}],")" + key + R"(" : ")"
        + a + R"(","s":")" + spoken + R"(","twice":")" + a + R"(","twice":")" + b + R"(","short":"","last":")" + b
        + "\"\n}";
    QCOMPARE(dumpJson(*parseJson(text)), Json::parse(text).dump());
    QVERIFY(*parseJson('"' + a + '"') == Json(a));
}

void BaseTest::json_longStringInBadText_isRefused_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::newRow("not closed") << "{\"a\":\""
                                << "";
    QTest::newRow("nothing after the comma") << "[\""
                                             << "\",]";
    QTest::newRow("more than one value") << "\""
                                         << "\" \"\"";
    QTest::newRow("two strings without a comma") << "[\""
                                                 << "\"\"\"]";
    QTest::newRow("a control character") << "[\""
                                         << "\n\"]";
    QTest::newRow("an escape that ends the text") << "[\""
                                                  << "\\";
    QTest::newRow("a quote outside") << "[\\\""
                                     << "\"]";
}

void BaseTest::json_longStringInBadText_isRefused()
{
    QFETCH(QString, before);
    QFETCH(QString, after);
    const std::string text = before.toStdString() + std::string(1000, 'x') + after.toStdString();
    QVERIFY(!Json::accept(text));
    QVERIFY(!parseJson(text));
}

void BaseTest::json_dumped_isWhatTheLibraryWrites_data()
{
    QTest::addColumn<QByteArray>("text");
    const QByteArray picture(2000, 'A');
    QTest::newRow("record") << R"({"type":"bundle","data":{"image/png":")" + picture
            + R"(","text/plain":"é"},"metadata":{"image/png":{"width":3,"at":[1,2.5]}},"seq":12})";
    QTest::newRow("numbers") << QByteArray(
        R"([-1,18446744073709551615,1e300,0.1,{"a":-5,"b":1.0,"c":18446744073709551615,"d":null,"e":true}])");
    QTest::newRow("empty") << QByteArray(R"({"a":{},"b":[],"":"","c":{"d":{"e":{"f":{"g":[{}]}}}}})");
    QTest::newRow("escapes") << QByteArray(R"({"a\"\u0001":"\\\u001f\u007f\u20ac\/","b":"\ud83d\ude00"})");
}

void BaseTest::json_dumped_isWhatTheLibraryWrites()
{
    QFETCH(QByteArray, text);
    const Json value = Json::parse(text.toStdString());
    QCOMPARE(dumpJson(value), value.dump());
}

void BaseTest::json_missingMembers_giveFallbacks()
{
    const Json object = *parseJsonObject(R"({"s":1,"n":"x","b":null})");
    QCOMPARE(stringOr(object, "s", "fallback"), "fallback"s);
    QCOMPARE(integerOr(object, "n", 7), 7);
    QCOMPARE(boolOr(object, "b", true), true);
    QCOMPARE(stringOr(object, "absent", ""), ""s);
}

void BaseTest::error_httpStatus_mapsToKind_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("kind");
    QTest::newRow("401") << 401 << QStringLiteral("unauthenticated");
    QTest::newRow("402") << 402 << QStringLiteral("payment-required");
    QTest::newRow("404") << 404 << QStringLiteral("not-found");
    QTest::newRow("422") << 422 << QStringLiteral("bad-request");
    QTest::newRow("429") << 429 << QStringLiteral("rate-limited");
    QTest::newRow("502") << 502 << QStringLiteral("unavailable");
    QTest::newRow("507") << 507 << QStringLiteral("too-large");
}

void BaseTest::error_httpStatus_mapsToKind()
{
    QFETCH(int, status);
    QFETCH(QString, kind);
    const std::string_view name = errorKindName(errorKindFromHttpStatus(status));
    QCOMPARE(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())), kind);
}

QTEST_APPLESS_MAIN(BaseTest)
#include "tst_base.moc"
