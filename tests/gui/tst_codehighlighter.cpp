#include "ui/text/codehighlighter.h"
#include "ui/text/editorhighlighter.h"
#include "ui/text/linelayout.h"
#include "ui/text/syntaxrepository.h"
#include "ui/text/theme.h"

#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>

using namespace Qt::StringLiterals;
using namespace sandfish;

class CodeHighlighterTest : public QObject
{
    Q_OBJECT
private slots:
    void spans_beforeWarmUp_arePlainAndComeLater();
    void spans_ofLanguage_nameTheParts_data();
    void spans_ofLanguage_nameTheParts();
    void spans_multilineString_goesOn();
    void setText_oneLineChanged_highlightsOneLine();
    void setText_quoteOpened_highlightsTheRest();
    void spans_veryLongLine_isPlain();
    void editor_sameText_hasTheSameFormats();
    void editor_quoteTyped_recoloursTheLinesBelow();
    void lineLayout_sameText_isShapedOnce();
    void lineLayout_fallbackGlyphs_keepTheGrid();
    void lineLayout_withoutWrap_standsOnTheBaseLine();
};

namespace {

QString partOf(CodeHighlighter &code, int line, SyntaxStyle style)
{
    QStringList parts;
    for (const SyntaxSpan &span : code.spans(line)) {
        if (span.style == style)
            parts.append(code.lineText(line).mid(span.start, span.length));
    }
    return parts.join(u'|');
}

} // namespace

void CodeHighlighterTest::spans_beforeWarmUp_arePlainAndComeLater()
{
    CodeHighlighter code(u"python"_s);
    code.setText(u"import os"_s);
    QVERIFY(code.spans(0).empty());
    QSignalSpy ready(&SyntaxRepository::instance(), &SyntaxRepository::ready);
    SyntaxRepository::instance().warmUp();
    QVERIFY(ready.wait());
    QCOMPARE(partOf(code, 0, SyntaxStyle::Keyword), u"import"_s);
}

void CodeHighlighterTest::spans_ofLanguage_nameTheParts_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("style");
    QTest::addColumn<QString>("part");
    const auto row = [](const char *name, const QString &language, const QString &text, SyntaxStyle style,
                         const QString &part) {
        QTest::newRow(name) << language << text << static_cast<int>(style) << part;
    };
    using enum SyntaxStyle;
    const QString loop = u"for day in progress(days, \"Fit\"):  # note"_s;
    row("python keywords", u"python"_s, loop, Keyword, u"for|in"_s);
    row("python call", u"python"_s, loop, Function, u"progress"_s);
    row("python string", u"python"_s, loop, String, u"\"Fit\""_s);
    row("python comment", u"python"_s, loop, Comment, u"# note"_s);
    row("python number", u"python"_s, u"fit(order=3)"_s, Number, u"3"_s);
    row("python method", u"python"_s, u"a.groupby(b)"_s, Function, u"groupby"_s);
    row("javascript", u"javascript"_s, u"const a = 'x'; // c"_s, Keyword, u"const"_s);
    row("javascript string", u"javascript"_s, u"const a = 'x'; // c"_s, String, u"'x'"_s);
    row("typescript", u"typescript"_s, u"const a = f(1);"_s, Function, u"f"_s);
    row("bash", u"bash"_s, u"# only a comment"_s, Comment, u"# only a comment"_s);
    row("json", u"json"_s, u"{\"a\": 12}"_s, Number, u"12"_s);
    row("sql", u"sql"_s, u"SELECT 1"_s, Keyword, u"SELECT"_s);
    row("r", u"r"_s, u"f <- function(x) 2"_s, Number, u"2"_s);
    row("html", u"html"_s, u"<!-- c -->"_s, Comment, u"<!-- c -->"_s);
    row("markdown", u"markdown"_s, u"# Title"_s, Heading, u"# Title"_s);
}

void CodeHighlighterTest::spans_ofLanguage_nameTheParts()
{
    QFETCH(QString, language);
    QFETCH(QString, text);
    QFETCH(int, style);
    QFETCH(QString, part);
    SyntaxRepository::instance().loadNow();
    CodeHighlighter code(language);
    code.setText(text);
    QCOMPARE(partOf(code, 0, static_cast<SyntaxStyle>(style)), part);
}

void CodeHighlighterTest::spans_multilineString_goesOn()
{
    SyntaxRepository::instance().loadNow();
    CodeHighlighter code(u"python"_s);
    code.setText(u"a = '''one\ntwo = 2\nthree''' + b"_s);
    QCOMPARE(partOf(code, 1, SyntaxStyle::Number), QString());
    QVERIFY(!code.spans(1).empty());
}

void CodeHighlighterTest::setText_oneLineChanged_highlightsOneLine()
{
    SyntaxRepository::instance().loadNow();
    CodeHighlighter code(u"python"_s);
    QStringList lines;
    for (int i = 0; i < 1000; ++i)
        lines.append(u"value = call(%1)"_s.arg(i));
    code.setText(lines.join(u'\n'));
    code.spans(999);
    const std::size_t before = code.highlightedLines();
    lines[500] = u"other = 5"_s;
    code.setText(lines.join(u'\n'));
    code.spans(999);
    QCOMPARE(code.highlightedLines() - before, std::size_t(1));
}

void CodeHighlighterTest::setText_quoteOpened_highlightsTheRest()
{
    SyntaxRepository::instance().loadNow();
    CodeHighlighter code(u"python"_s);
    code.setText(u"a = 1\nb = 2\nc = 3"_s);
    QCOMPARE(partOf(code, 2, SyntaxStyle::Number), u"3"_s);
    code.setText(u"a = '''\nb = 2\nc = 3"_s);
    QCOMPARE(partOf(code, 2, SyntaxStyle::Number), QString());
}

void CodeHighlighterTest::spans_veryLongLine_isPlain()
{
    SyntaxRepository::instance().loadNow();
    CodeHighlighter code(u"python"_s);
    code.setText(QString(100000, u'('));
    QVERIFY(code.spans(0).empty());
}

void CodeHighlighterTest::editor_sameText_hasTheSameFormats()
{
    SyntaxRepository::instance().loadNow();
    const Theme theme = Theme::make(Theme::Mode::Light, QFont(), QFont());
    const QString text = u"def f(x):\n    '''doc\n    more'''\n    return x + 1  # one"_s;
    QTextDocument document(text);
    EditorHighlighter editor(&document, u"python"_s, theme);
    editor.rehighlight();
    CodeHighlighter painted(u"python"_s);
    painted.setText(text);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const auto expected = painted.formats(block.blockNumber(), theme);
        const auto actual = block.layout()->formats();
        QCOMPARE(actual.size(), expected.size());
        for (qsizetype i = 0; i < actual.size(); ++i) {
            QCOMPARE(actual[i].start, expected[i].start);
            QCOMPARE(actual[i].length, expected[i].length);
            QCOMPARE(actual[i].format.foreground(), expected[i].format.foreground());
        }
    }
}

void CodeHighlighterTest::editor_quoteTyped_recoloursTheLinesBelow()
{
    const Theme theme = Theme::make(Theme::Mode::Light, QFont(), QFont());
    SyntaxRepository::instance().loadNow();
    QTextDocument document(u"a = \nb = 2\nc = 3"_s);
    document.documentLayout(); // a document without one tells nobody of its changes
    EditorHighlighter editor(&document, u"python"_s, theme);
    editor.rehighlight();
    QTextCursor cursor(document.firstBlock());
    cursor.movePosition(QTextCursor::EndOfBlock);
    cursor.insertText(u"'''"_s);
    const auto lastColor = [&] {
        const auto formats = document.lastBlock().layout()->formats();
        return formats.isEmpty() ? QColor() : formats.constFirst().format.foreground().color();
    };
    QTRY_COMPARE(lastColor(), theme.color(ColorToken::StringLiteral));
}

void CodeHighlighterTest::lineLayout_sameText_isShapedOnce()
{
    LineLayoutCache cache(2);
    const LineStyle style{.font = QFont(), .linePx = 19};
    const QTextLayout *first = &cache.layout(u"one"_s, {}, style);
    QCOMPARE(&cache.layout(u"one"_s, {}, style), first);
    cache.layout(u"two"_s, {}, style);
    cache.layout(u"one"_s, {}, style);
    cache.layout(u"three"_s, {}, style);
    QCOMPARE(cache.size(), std::size_t(2));
    QCOMPARE(&cache.layout(u"one"_s, {}, style), first);
}

void CodeHighlighterTest::lineLayout_fallbackGlyphs_keepTheGrid()
{
    const LineStyle style{.font = QFont(), .linePx = 19, .widthPx = 200, .wrap = LineStyle::Wrap::Anywhere};
    QTextLayout layout(QString(u"latin 漢字 ∑ "_s).repeated(20));
    const qreal heightPx = layoutOnGrid(layout, style);
    QCOMPARE(heightPx, 19.0 * layout.lineCount());
    const qreal baseline = layout.lineAt(0).y() + layout.lineAt(0).ascent();
    for (int i = 0; i < layout.lineCount(); ++i)
        QCOMPARE(layout.lineAt(i).y() + layout.lineAt(i).ascent(), baseline + 19.0 * i);
}

void CodeHighlighterTest::lineLayout_withoutWrap_standsOnTheBaseLine()
{
    QTextLayout layout(QString(5000, u'x'));
    const QFont font;
    QCOMPARE(layoutOnGrid(layout, {.font = font, .linePx = 19}), 19.0);
    QCOMPARE(layout.lineCount(), 1);
    QCOMPARE(layout.lineAt(0).y() + layout.lineAt(0).ascent(), baselineInLine(font, 19));
}

QTEST_MAIN(CodeHighlighterTest)
#include "tst_codehighlighter.moc"
