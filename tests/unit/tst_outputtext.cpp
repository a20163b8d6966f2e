#include "core/document/outputtext.h"

#include <QTest>

#include <chrono>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace sandfish;
using namespace std::string_literals;

class OutputTextTest : public QObject
{
    Q_OBJECT
private slots:
    void append_terminalText_givesLines_data();
    void append_terminalText_givesLines();
    void append_cutAtEveryByte_givesTheSameText_data() { append_terminalText_givesLines_data(); }
    void append_cutAtEveryByte_givesTheSameText();
    void snapshot_laterChanges_areNotInIt_data() { append_terminalText_givesLines_data(); }
    void snapshot_laterChanges_areNotInIt();
    void snapshot_beyondLimit_keepsWhatWasDropped();
    void append_progressBars_keepThreeLines();
    void append_twoBarsWithCursorUp_areRewritten();
    void append_colouredUpdates_doNotGrow();
    void append_colouredUpdatesOneByOne_doNotGrow();
    void styleAtLine_colourOverSeveralLines_isInForce();
    void styleAtLine_editAbove_keepsTheStyleBelow();
    void append_hugeLine_keepsEveryByte();
    void append_beyondLimit_dropsTheMiddle();
    void append_hugeLineBeyondLimit_dropsItsMiddle();
    void append_hugeLineThenCr_startsANewLine();
    void append_millionLines_keepsEachLine();
    void clear_afterText_isEmpty();
    void revision_afterAppend_grows();
};

namespace {

std::string withoutSgr(const std::string &text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b')
            i = text.find('m', i);
        else
            plain += text[i];
    }
    return plain;
}

std::size_t residentBytes()
{
    std::ifstream file("/proc/self/statm");
    std::size_t pages = 0, resident = 0;
    file >> pages >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

QByteArray bytes(const std::string &text)
{
    return QByteArray::fromStdString(text);
}

} // namespace

// The expected values are those of notebooks.md §2 (P04 to P06, P29) and of what a terminal shows.
void OutputTextTest::append_terminalText_givesLines_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const char *name, const std::string &input, const std::string &shown) {
        QTest::newRow(name) << bytes(input) << bytes(shown);
    };
    row("plain", "a\nb\n", "a\nb\n");
    row("empty lines", "\n\na\n\n", "\n\na\n\n");
    row("tab is kept", "a\tb\n", "a\tb\n");
    row("cr overwrites", "100%\r5\n", "500%\n");
    row("backspace", "abc\b\bX\n", "aXc\n");
    row("backspace stops at column 0", "a\b\b\bX\n", "X\n");
    row("cr lf is a newline", "a\r\nb\r\n", "a\nb\n");
    row("cr at the end erases nothing", "abc\r", "abc");
    row("two cr", "abc\r\rX", "Xbc");
    row("cursor up writes right of the column", "Foo\nHello World\x1b[ABar\n", "Foo        Bar\nHello World");
    row("cursor up stops at the first line", "a\nb\x1b[9A\rX", "X\nb");
    row("cursor down", "ab\ncd\x1b[A\x1b[B\rX", "ab\nXd");
    row("cursor down stops at the last line", "ab\x1b[5B\bX", "aX");
    row("cursor right pads", "a\x1b[3Cb\n", "a   b\n");
    row("cursor left", "abcd\x1b[3DX\n", "aXcd\n");
    row("cursor to column", "abcd\x1b[2GX\n", "aXcd\n");
    row("erase to the end of the line", "abcd\x1b[2G\x1b[K\n", "a\n");
    row("erase to the start of the line", "abcd\x1b[2G\x1b[1K\n", "  cd\n");
    row("erase the line", "abcd\x1b[2K\rX\n", "X\n");
    row("erase below", "a\nb\nc\n\x1b[2A\x1b[JX", "a\nX");
    row("erase below at the end", "a\nb\x1b[J", "a\nb");
    row("erase all", "a\nb\n\x1b[2J\x1b[HX\n", "X\n");
    row("erase above", "abc\ndef\nghi\x1b[2G\x1b[1J", "\n\n  i");
    row("title and cursor hiding are swallowed", "plain\x1b[?25l\x1b]0;title\x07!\n", "plain!\n");
    row("hyperlink is swallowed", "\x1b]8;;http://a/\x1b\\link\x1b]8;;\x1b\\\n", "link\n");
    row("charset is swallowed", "\x1b(B\x1b)0a\x1b=b\x1b>\n", "ab\n");
    row("device control is swallowed", "a\x1bP1$r0m\x1b\\b\n", "ab\n");
    row("stray string ends with the line", "a\x1b]0;no end\nb\n", "a\nb\n");
    row("private mode m is no colour", "a\x1b[>4;2mb\n", "ab\n");
    row("bell is swallowed", "a\ab\n", "ab\n");
    row("nul is shown", "a\0b\n"s, "a\u2400b\n");
    row("bidi and line separator are kept", "\u202eabc\u202c \u2028 end\n", "\u202eabc\u202c \u2028 end\n");
    row("markup is text", "| \x1b[31m <b>foof</b> &amp; \x1b[0m |\n", "|  <b>foof</b> &amp;  |\n");
    row("wide characters take two columns", "漢字x\r\x1b[2CY\n", "漢Y x\n");
    row("half of a wide character", "漢字\r\x1b[1CY\n", " Y字\n");
    row("combining marks stay with their letter", "e\u0301x\r\x1b[1CY\n", "e\u0301Y\n");
    row("zwj emoji is kept", "\U0001F9D1\u200D\U0001F680 ok\rX\n", "X \U0001F680 ok\n");
    row("huge movement", "a\x1b[99999999999Cb\x1b[99999999999DX\x1b[99999999999AY", "XY"s);
}

void OutputTextTest::append_terminalText_givesLines()
{
    QFETCH(QByteArray, input);
    QFETCH(QByteArray, shown);
    OutputText text;
    text.append(input.toStdString());
    if (qstrcmp(QTest::currentDataTag(), "huge movement") == 0) {
        QVERIFY(text.line(0).starts_with("XY"));
        QVERIFY(text.sizeBytes() < 1u << 20);
        return;
    }
    QCOMPARE(bytes(withoutSgr(text.toUtf8())), shown);
}

void OutputTextTest::append_cutAtEveryByte_givesTheSameText()
{
    QFETCH(QByteArray, input);
    const std::string whole = input.toStdString();
    OutputText expected;
    expected.append(whole);
    for (std::size_t cut = 1; cut < whole.size(); ++cut) {
        if ((whole[cut] & 0xc0) == 0x80)
            continue;
        OutputText text;
        text.append(whole.substr(0, cut));
        text.append(whole.substr(cut));
        QCOMPARE(bytes(withoutSgr(text.toUtf8())), bytes(withoutSgr(expected.toUtf8())));
    }
}

void OutputTextTest::snapshot_laterChanges_areNotInIt()
{
    QFETCH(QByteArray, input);
    const std::string whole = input.toStdString();
    for (std::size_t cut = 1; cut < whole.size(); ++cut) {
        if ((whole[cut] & 0xc0) == 0x80)
            continue;
        OutputText text, first, expected;
        text.append(whole.substr(0, cut));
        first.append(whole.substr(0, cut));
        const auto snapshot = text.snapshot();
        text.append(whole.substr(cut));
        expected.append(whole);
        QCOMPARE(bytes(snapshot->toUtf8()), bytes(first.toUtf8()));
        QCOMPARE(bytes(withoutSgr(text.toUtf8())), bytes(withoutSgr(expected.toUtf8())));
    }
}

void OutputTextTest::snapshot_beyondLimit_keepsWhatWasDropped()
{
    OutputText text(1u << 20);
    std::string lines;
    for (int i = 0; i < 100'000; ++i)
        lines += std::to_string(i) + "\n";
    text.append(lines);
    const auto snapshot = text.snapshot();
    const std::string before = text.toUtf8();
    for (int i = 0; i < 10; ++i)
        text.append(lines);
    QVERIFY(text.droppedLines() > 0);
    QVERIFY(text.sizeBytes() <= text.limitBytes());
    QCOMPARE(bytes(snapshot->toUtf8()), bytes(before));
}

void OutputTextTest::append_progressBars_keepThreeLines()
{
    std::string input;
    for (int i = 0; i <= 100'000; ++i) {
        char step[32];
        std::snprintf(step, sizeof step, "\r%6d/100000", i);
        input += step;
    }
    input += "\n100%\r5\nabc\b\bX\n";
    OutputText text;
    text.append(input);
    QCOMPARE(bytes(text.toUtf8()), QByteArray("100000/100000\n500%\naXc\n"));
    QCOMPARE(text.lineCount(), std::size_t(3));
}

void OutputTextTest::append_twoBarsWithCursorUp_areRewritten()
{
    OutputText text;
    for (int i = 0; i <= 50; ++i) {
        char step[64];
        std::snprintf(step, sizeof step, "A %3d\nB %3d\n%s", i, 2 * i, i < 50 ? "\x1b[2A" : "");
        text.append(step);
    }
    text.append("\x1b[1mbold\x1b[0m plain\x1b[?25l\x1b]0;title\x07!\n");
    QCOMPARE(text.lineCount(), std::size_t(3));
    QCOMPARE(bytes(std::string(text.line(0))), QByteArray("A  50"));
    QCOMPARE(bytes(std::string(text.line(1))), QByteArray("B 100"));
    QCOMPARE(bytes(std::string(text.line(2))), QByteArray("\x1b[1mbold\x1b[0m plain!"));
}

void OutputTextTest::append_colouredUpdates_doNotGrow()
{
    std::string input;
    for (int i = 0; i < 100'000; ++i)
        input += "\r\x1b[35mstep \x1b[36m" + std::to_string(i) + "\x1b[0m";
    OutputText text;
    const std::size_t before = residentBytes();
    text.append(input);
    QVERIFY(residentBytes() < before + (5u << 20));
    QCOMPARE(bytes(text.toUtf8()), QByteArray("\x1b[35mstep \x1b[0;36m99999\x1b[0m"));
}

void OutputTextTest::append_colouredUpdatesOneByOne_doNotGrow()
{
    OutputText text;
    const std::size_t before = residentBytes();
    for (int i = 0; i < 100'000; ++i)
        text.append("\r\x1b[35mstep \x1b[36m" + std::to_string(i) + "\x1b[0m");
    QVERIFY(residentBytes() < before + (5u << 20));
    QCOMPARE(bytes(withoutSgr(text.toUtf8())), QByteArray("step 99999"));
}

void OutputTextTest::styleAtLine_colourOverSeveralLines_isInForce()
{
    OutputText text;
    text.append("a\n\x1b[1;31mb\nc\n\x1b[38;2;0;255;0md\x1b[0m\ne\n");
    const std::string expected[]{"", "", "\x1b[1;31m", "\x1b[1;31m", ""};
    QCOMPARE(text.lineCount(), std::size_t(5));
    for (std::size_t i = 0; i < 5; ++i)
        QCOMPARE(bytes(std::string(text.styleAtLine(i))), bytes(expected[i]));
    QCOMPARE(bytes(std::string(text.line(3))), QByteArray("\x1b[0;1;38;2;0;255;0md\x1b[0m"));
}

void OutputTextTest::styleAtLine_editAbove_keepsTheStyleBelow()
{
    OutputText text;
    text.append("one\n\x1b[32mtwo\nthree\n");
    text.append("\x1b[0m\x1b[3A\rONE\x1b[3B\rfour");
    QCOMPARE(bytes(std::string(text.line(0))), QByteArray("ONE"));
    QCOMPARE(bytes(std::string(text.styleAtLine(2))), QByteArray("\x1b[32m"));
    QCOMPARE(bytes(std::string(text.line(3))), QByteArray("\x1b[0mfour"));
}

void OutputTextTest::append_hugeLine_keepsEveryByte()
{
    const std::string line(10'000'000, 'x');
    OutputText text;
    text.append(line);
    text.append("\n");
    QCOMPARE(text.sizeBytes(), std::size_t(10'000'001));
    QCOMPARE(text.lineCount(), std::size_t(1));
    QCOMPARE(text.line(0).size(), OutputText::kPieceBytes);
    QCOMPARE(text.lineSizeBytes(0), line.size());
    QVERIFY(text.lineText(0) == line);
    QVERIFY(text.toUtf8() == line + "\n");
    text.append("next\n");
    QCOMPARE(bytes(std::string(text.line(1))), QByteArray("next"));
}

void OutputTextTest::append_beyondLimit_dropsTheMiddle()
{
    constexpr std::size_t kLimit = 4u << 20;
    OutputText text(kLimit);
    for (int i = 0; i < 1'000'000; ++i)
        text.append("line " + std::to_string(i) + "\n");
    QVERIFY(text.sizeBytes() <= kLimit);
    QVERIFY(text.droppedLines() > 0);
    QCOMPARE(text.lineCount() + text.droppedLines(), std::size_t(1'000'000));
    QCOMPARE(bytes(std::string(text.line(0))), QByteArray("line 0"));
    const std::size_t gap = text.gapLine();
    QCOMPARE(bytes(std::string(text.line(gap - 1))), "line " + QByteArray::number(qulonglong(gap - 1)));
    QCOMPARE(bytes(std::string(text.line(gap))), "line " + QByteArray::number(qulonglong(gap + text.droppedLines())));
    QCOMPARE(bytes(std::string(text.line(text.lineCount() - 1))), QByteArray("line 999999"));
}

void OutputTextTest::append_hugeLineBeyondLimit_dropsItsMiddle()
{
    constexpr std::size_t kLimit = 4u << 20;
    OutputText text(kLimit);
    text.append(std::string(20u << 20, 'x') + "END");
    QVERIFY(text.sizeBytes() <= kLimit);
    QCOMPARE(text.sizeBytes() + text.droppedBytes(), std::size_t(20u << 20) + 3);
    QCOMPARE(text.lineCount(), std::size_t(2));
    QVERIFY(text.lineText(1).ends_with("xEND"));
    text.append("\nnext");
    QCOMPARE(bytes(std::string(text.line(2))), QByteArray("next"));
}

void OutputTextTest::append_hugeLineThenCr_startsANewLine()
{
    OutputText text;
    text.append(std::string(1u << 20, 'x'));
    text.append("\rnew");
    QCOMPARE(text.lineCount(), std::size_t(2));
    QCOMPARE(bytes(std::string(text.line(1))), QByteArray("new"));
}

void OutputTextTest::append_millionLines_keepsEachLine()
{
    std::string input;
    for (int i = 0; i < 1'000'000; ++i)
        input += std::to_string(i) + "\n";
    OutputText text;
    text.append(input);
    QCOMPARE(text.lineCount(), std::size_t(1'000'000));
    QCOMPARE(text.sizeBytes(), std::size_t(6'888'890));
    for (int i = 0; i < 1'000'000; i += 997)
        QCOMPARE(bytes(std::string(text.line(std::size_t(i)))), QByteArray::number(i));
    QVERIFY(text.toUtf8() == input);
}

void OutputTextTest::clear_afterText_isEmpty()
{
    OutputText text;
    text.append("a\x1b[31m\nb\r");
    text.clear();
    QCOMPARE(text.lineCount(), std::size_t(0));
    QCOMPARE(text.sizeBytes(), std::size_t(0));
    text.append("c");
    QCOMPARE(bytes(text.toUtf8()), QByteArray("c"));
}

void OutputTextTest::revision_afterAppend_grows()
{
    OutputText text;
    const auto before = text.revision();
    text.append("a");
    QVERIFY(text.revision() > before);
}

QTEST_APPLESS_MAIN(OutputTextTest)
#include "tst_outputtext.moc"
