#include "ui/text/ansiparser.h"
#include "ui/text/colorcontrast.h"
#include "ui/text/theme.h"

#include <QTest>
#include <QTextCharFormat>

using namespace Qt::StringLiterals;
using namespace sandfish;

/// ECMA-48 SGR and the table "ANSI and text" of agents-and-sandboxes.md §5.
class AnsiParserTest : public QObject
{
    Q_OBJECT
private slots:
    void parse_sequence_leavesText_data();
    void parse_sequence_leavesText();
    void parse_sgr_setsStyle_data();
    void parse_sgr_setsStyle();
    void parse_splitAtEveryByte_isTheSame();
    void parse_markup_staysText();
    void parse_severalSpans_areInOrder();
    void format_anyColour_isLegible_data();
    void format_anyColour_isLegible();
    void reset_afterColour_isDefault();
};

void AnsiParserTest::parse_sequence_leavesText_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<QString>("text");
    QTest::newRow("plain") << QByteArray("plain \xc3\xa9 \xe6\xbc\xa2") << u"plain é 漢"_s;
    QTest::newRow("sgr") << QByteArray("\x1b[1mbold\x1b[0m plain") << u"bold plain"_s;
    QTest::newRow("cursor off") << QByteArray("a\x1b[?25lb") << u"ab"_s;
    QTest::newRow("title, bell") << QByteArray("a\x1b]0;title\x07!") << u"a!"_s;
    QTest::newRow("title, st") << QByteArray("a\x1b]0;title\x1b\\!") << u"a!"_s;
    QTest::newRow("clipboard") << QByteArray("a\x1b]52;c;aGk=\x07z") << u"az"_s;
    QTest::newRow("link") << QByteArray("\x1b]8;;http://x/\x1b\\go\x1b]8;;\x1b\\ on") << u"go on"_s;
    QTest::newRow("unclosed osc") << QByteArray("a\x1b]8;;x\nnext") << u"a\nnext"_s;
    QTest::newRow("dcs") << QByteArray("a\x1bP1$r\x1b\\b") << u"ab"_s;
    QTest::newRow("charset") << QByteArray("a\x1b(Bb") << u"ab"_s;
    QTest::newRow("device query") << QByteArray("a\x1b[6nb\x1b[cc") << u"abc"_s;
    QTest::newRow("controls") << QByteArray("a\x01\x7f\tb") << u"a\tb"_s;
    QTest::newRow("c1") << QByteArray("a\xc2\x9b") + QByteArray("31mb") << u"a31mb"_s;
    QTest::newRow("nbsp stays") << QByteArray("a\xc2\xa0") + QByteArray("b") << u"a\u00a0b"_s;
}

void AnsiParserTest::parse_sequence_leavesText()
{
    QFETCH(QByteArray, input);
    QFETCH(QString, text);
    QCOMPARE(AnsiParser().parse({input.data(), size_t(input.size())}).text, text);
}

void AnsiParserTest::parse_sgr_setsStyle_data()
{
    QTest::addColumn<QByteArray>("input");
    QTest::addColumn<AnsiStyle>("style");
    const auto indexed = [](std::uint32_t value) { return AnsiColor{AnsiColor::Kind::Indexed, value}; };
    const auto rgb = [](std::uint32_t value) { return AnsiColor{AnsiColor::Kind::Rgb, value}; };
    QTest::newRow("red") << QByteArray("\x1b[31mx") << AnsiStyle{.foreground = indexed(1)};
    QTest::newRow("bright on blue") << QByteArray("\x1b[97;44mx")
                                    << AnsiStyle{.foreground = indexed(15), .background = indexed(4)};
    QTest::newRow("256") << QByteArray("\x1b[38;5;208mx") << AnsiStyle{.foreground = indexed(208)};
    QTest::newRow("true colour") << QByteArray("\x1b[38;2;0;255;0mx") << AnsiStyle{.foreground = rgb(0x00ff00)};
    QTest::newRow("colons") << QByteArray("\x1b[48:5:17mx") << AnsiStyle{.background = indexed(17)};
    QTest::newRow("attributes")
        << QByteArray("\x1b[1;3;4;7;9mx")
        << AnsiStyle{.isBold = true, .isItalic = true, .isUnderlined = true, .isStruckOut = true, .isInverse = true};
    QTest::newRow("off again") << QByteArray("\x1b[1;2;3;4;7;9;31;42m\x1b[22;23;24;27;29;39;49mx") << AnsiStyle();
    QTest::newRow("empty is reset") << QByteArray("\x1b[31m\x1b[mx") << AnsiStyle();
    QTest::newRow("unknown code") << QByteArray("\x1b[31;73mx") << AnsiStyle{.foreground = indexed(1)};
    QTest::newRow("private") << QByteArray("\x1b[31m\x1b[>4;1mx") << AnsiStyle{.foreground = indexed(1)};
    QTest::newRow("cut extended") << QByteArray("\x1b[38;5mx") << AnsiStyle();
}

void AnsiParserTest::parse_sgr_setsStyle()
{
    QFETCH(QByteArray, input);
    QFETCH(AnsiStyle, style);
    AnsiParser parser;
    const AnsiText text = parser.parse({input.data(), size_t(input.size())});
    QCOMPARE(text.text, u"x"_s);
    QVERIFY(parser.style() == style);
    QCOMPARE(text.spans.size(), style.isDefault() ? 0u : 1u);
}

void AnsiParserTest::parse_splitAtEveryByte_isTheSame()
{
    const std::string whole = "a\x1b[1;31mred\x1b]0;t\x07\x1b[0m \x1b[38;2;1;2;3mb\x1b(B\x1b[mc";
    const AnsiText expected = AnsiParser().parse(whole);
    for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
        AnsiParser parser;
        const AnsiText head = parser.parse(std::string_view(whole).substr(0, cut));
        const AnsiText tail = parser.parse(std::string_view(whole).substr(cut));
        QCOMPARE(head.text + tail.text, expected.text);
        QVERIFY(parser.style().isDefault());
    }
}

void AnsiParserTest::parse_markup_staysText()
{
    const AnsiText text = AnsiParser().parse("| \x1b[31m <b>foof</b> &amp; \x1b[0m |");
    QCOMPARE(text.text, u"|  <b>foof</b> &amp;  |"_s);
    QCOMPARE(text.spans.size(), 1u);
    QCOMPARE(text.spans[0].start, 2);
    QCOMPARE(text.spans[0].length, 19);
}

void AnsiParserTest::parse_severalSpans_areInOrder()
{
    const AnsiText text = AnsiParser().parse("\x1b[31mab\x1b[32mc\x1b[32md\x1b[0me");
    QCOMPARE(text.spans.size(), 2u);
    QCOMPARE(text.spans[0].length, 2);
    QCOMPARE(text.spans[1].start, 2);
    QCOMPARE(text.spans[1].length, 2);
}

void AnsiParserTest::format_anyColour_isLegible_data()
{
    QTest::addColumn<QByteArray>("sgr");
    QTest::newRow("green") << QByteArray("\x1b[38;2;0;255;0m");
    QTest::newRow("white") << QByteArray("\x1b[38;2;255;255;255m");
    QTest::newRow("black") << QByteArray("\x1b[38;2;0;0;0m");
    QTest::newRow("cube 17") << QByteArray("\x1b[38;5;17m");
    QTest::newRow("orange") << QByteArray("\x1b[38;5;208m");
    QTest::newRow("grey 243") << QByteArray("\x1b[38;5;243m");
    QTest::newRow("red on red") << QByteArray("\x1b[31;41m");
    QTest::newRow("inverse") << QByteArray("\x1b[33;7m");
    QTest::newRow("on yellow") << QByteArray("\x1b[43m");
    QTest::newRow("faint") << QByteArray("\x1b[2m");
}

void AnsiParserTest::format_anyColour_isLegible()
{
    QFETCH(QByteArray, sgr);
    AnsiParser parser;
    parser.parse({sgr.data(), size_t(sgr.size())});
    for (const Theme::Mode mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
        const Theme theme = Theme::make(mode, QFont(), QFont());
        const QColor canvas = theme.color(ColorToken::Canvas);
        const QTextCharFormat format = ansiFormat(parser.style(), theme, canvas);
        const QColor paper = format.hasProperty(QTextFormat::BackgroundBrush) ? format.background().color() : canvas;
        QVERIFY(contrastRatio(format.foreground().color(), paper) >= 4.5);
    }
}

void AnsiParserTest::reset_afterColour_isDefault()
{
    AnsiParser parser;
    parser.parse("\x1b[31mopen\x1b[");
    parser.reset();
    QVERIFY(parser.parse("x").spans.empty());
}

QTEST_MAIN(AnsiParserTest)
#include "tst_ansiparser.moc"
