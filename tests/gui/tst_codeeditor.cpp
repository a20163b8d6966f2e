#include "ui/text/codedocument.h"
#include "ui/text/codeeditor.h"
#include "ui/text/codetext.h"
#include "ui/text/syntaxrepository.h"
#include "ui/text/theme.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

class CodeEditorTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void sameText_paintedAndLive_samePixels_data();
    void sameText_paintedAndLive_samePixels();
    void height_ofWrappedAndPlainLines_isSameAsPainted();
    void typing_tableOfKeys_givesText_data();
    void typing_tableOfKeys_givesText();
    void typing_oneLetter_emitsSourceOnce();
    void highlighting_alone_emitsNothing();
    void undo_afterAdoptedText_keepsTyping();
    void click_betweenRows_placesCursorInThatRow();
    void firstAndLastRow_withWrappedLines_areVisualRows();

private:
    Theme m_theme = Theme::forApplication(Theme::Mode::Light);
};

namespace {

constexpr int kWidth = 400;

QImage imageOf(qreal ratio, int height, const QColor &background)
{
    QImage image(QSizeF(kWidth * ratio, height * ratio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(background);
    return image;
}

const auto kPython =
    u"# a comment\nfor day in progress(days, \"Fit\"):\n    print(day, 3.5)  # é ✓ 漢\n\n\treturn None"_s;

} // namespace

void CodeEditorTest::initTestCase()
{
    SyntaxRepository::instance().loadNow();
}

void CodeEditorTest::sameText_paintedAndLive_samePixels_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<Theme::Mode>("mode");
    QTest::addColumn<qreal>("ratio");
    const QString wrapped = u"values = ["_s + u"12345678, "_s.repeated(20) + u"]\nlast"_s;
    for (const qreal ratio : {1.0, 1.5, 2.0}) {
        for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
            const char *look = mode == Theme::Mode::Light ? "light" : "dark";
            QTest::addRow("python %s %g", look, ratio) << kPython << mode << ratio;
            QTest::addRow("wrapped %s %g", look, ratio) << wrapped << mode << ratio;
            QTest::addRow("empty %s %g", look, ratio) << QString() << mode << ratio;
        }
    }
}

void CodeEditorTest::sameText_paintedAndLive_samePixels()
{
    QFETCH(QString, text);
    QFETCH(Theme::Mode, mode);
    QFETCH(qreal, ratio);
    const Theme theme = Theme::forApplication(mode);
    LineLayoutCache cache;
    CodeText painted(cache);
    painted.setLanguage(u"python"_s);
    painted.setText(text);
    painted.layOut(theme, kWidth);
    CodeDocument document(text, u"python"_s, theme, kWidth);
    CodeEditor editor;
    editor.setTheme(theme);
    editor.showDocument(&document);
    editor.setCursorWidth(0);
    const int height = static_cast<int>(painted.height());
    QCOMPARE(editor.textHeight(), painted.height());
    editor.resize(kWidth, height);

    QImage expected = imageOf(ratio, height, theme.color(ColorToken::Code));
    {
        QPainter painter(&expected);
        painted.paint(painter, theme, QPointF(0, 0), QRectF(0, 0, kWidth, height));
    }
    QImage actual = imageOf(ratio, height, theme.color(ColorToken::Code));
    editor.render(&actual, {}, {}, QWidget::DrawChildren);
    QVERIFY2(actual == expected, "the live editor differs from the painted cell");
    if (!text.isEmpty()) {
        QImage background = imageOf(ratio, height, theme.color(ColorToken::Code));
        QVERIFY(actual != background);
    }
}

void CodeEditorTest::height_ofWrappedAndPlainLines_isSameAsPainted()
{
    const QString text = QString(300, u'x') + u"\nshort\n"_s + u"ab "_s.repeated(200);
    LineLayoutCache cache;
    CodeText painted(cache);
    painted.setText(text);
    CodeDocument document(text, {}, m_theme, kWidth);
    for (const int width : {100, 250, 400, 1200}) {
        painted.layOut(m_theme, width);
        document.setTheme(m_theme, width);
        QCOMPARE(document.codeLayout()->height(), painted.height());
    }
}

void CodeEditorTest::typing_tableOfKeys_givesText_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("start");
    QTest::addColumn<int>("end");
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const QString &text, int start, int end, int key, int modifiers,
                         const QString &expected) {
        QTest::newRow(name) << text << start << end << key << modifiers << expected;
    };
    const int ctrl = Qt::ControlModifier;
    const int shift = Qt::ShiftModifier;
    row("newline after colon indents", u"if x:"_s, 5, 5, Qt::Key_Return, 0, u"if x:\n    "_s);
    row("newline keeps indent", u"  a"_s, 3, 3, Qt::Key_Return, 0, u"  a\n  "_s);
    row("newline after return dedents", u"def f():\n    return 1"_s, 21, 21, Qt::Key_Return, 0,
        u"def f():\n    return 1\n"_s);
    row("newline in pair opens it", u"f()"_s, 2, 2, Qt::Key_Return, 0, u"f(\n    \n)"_s);
    row("tab inserts to next step", u"ab"_s, 2, 2, Qt::Key_Tab, 0, u"ab  "_s);
    row("tab on lines indents them", u"a\nb"_s, 0, 3, Qt::Key_Tab, 0, u"    a\n    b"_s);
    row("tab follows the cell's own step", u"if x:\n  y\n"_s, 10, 10, Qt::Key_Tab, 0, u"if x:\n  y\n  "_s);
    row("tab follows tabs", u"if x:\n\ty\n"_s, 9, 9, Qt::Key_Tab, 0, u"if x:\n\ty\n\t"_s);
    row("shift tab takes one step", u"        a"_s, 9, 9, Qt::Key_Backtab, shift, u"    a"_s);
    row("comment", u"a\n  b"_s, 0, 5, Qt::Key_Slash, ctrl, u"# a\n#   b"_s);
    row("uncomment", u"# a\n#   b"_s, 0, 9, Qt::Key_Slash, ctrl, u"a\n  b"_s);
    row("backspace in indent", u"        a"_s, 8, 8, Qt::Key_Backspace, 0, u"    a"_s);
    row("bracket closes itself", u"f"_s, 1, 1, Qt::Key_ParenLeft, 0, u"f()"_s);
    row("bracket before a word stays alone", u"f x"_s, 2, 2, Qt::Key_ParenLeft, 0, u"f (x"_s);
    row("bracket encloses selection", u"a b"_s, 0, 3, Qt::Key_BracketLeft, 0, u"[a b]"_s);
}

void CodeEditorTest::typing_tableOfKeys_givesText()
{
    QFETCH(QString, text);
    QFETCH(int, start);
    QFETCH(int, end);
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QFETCH(QString, expected);
    CodeDocument document(text, u"python"_s, m_theme, kWidth);
    CodeEditor editor;
    editor.setTheme(m_theme);
    editor.showDocument(&document);
    QTextCursor cursor = editor.textCursor();
    cursor.setPosition(start);
    cursor.setPosition(end, QTextCursor::KeepAnchor);
    editor.setTextCursor(cursor);
    if (key == Qt::Key_ParenLeft)
        QTest::keyClick(&editor, '(');
    else if (key == Qt::Key_BracketLeft)
        QTest::keyClick(&editor, '[');
    else
        QTest::keyClick(&editor, static_cast<Qt::Key>(key), Qt::KeyboardModifiers(modifiers));
    QCOMPARE(editor.toPlainText(), expected);
    editor.undo();
    QCOMPARE(editor.toPlainText(), text);
}

void CodeEditorTest::typing_oneLetter_emitsSourceOnce()
{
    CodeDocument document(u"prin"_s, u"python"_s, m_theme, kWidth);
    CodeEditor editor;
    editor.setTheme(m_theme);
    editor.showDocument(&document);
    editor.placeCursor(4);
    QSignalSpy edited(&editor, &CodeEditor::sourceEdited);
    QTest::keyClick(&editor, 't');
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited.first().first().toString(), u"print"_s);
}

void CodeEditorTest::highlighting_alone_emitsNothing()
{
    CodeDocument document(kPython, {}, m_theme, kWidth);
    CodeEditor editor;
    editor.setTheme(m_theme);
    editor.showDocument(&document);
    QSignalSpy edited(&editor, &CodeEditor::sourceEdited);
    document.setLanguage(u"python"_s);
    QCoreApplication::sendPostedEvents();
    QVERIFY(edited.isEmpty());
}

void CodeEditorTest::undo_afterAdoptedText_keepsTyping()
{
    CodeDocument document(u"ab"_s, u"python"_s, m_theme, kWidth);
    CodeEditor editor;
    editor.setTheme(m_theme);
    editor.showDocument(&document);
    editor.placeCursor(2);
    QTest::keyClick(&editor, 'c');
    document.adoptText(u"Xabc"_s);
    QCOMPARE(editor.toPlainText(), u"Xabc"_s);
    QCOMPARE(editor.textCursor().position(), 4);
    editor.undo();
    QCOMPARE(editor.toPlainText(), u"abc"_s);
    editor.undo();
    QCOMPARE(editor.toPlainText(), u"ab"_s);
}

void CodeEditorTest::click_betweenRows_placesCursorInThatRow()
{
    CodeDocument document(u"aaaa\nbbbb\ncccc"_s, u"python"_s, m_theme, kWidth);
    CodeEditor editor;
    editor.setTheme(m_theme);
    editor.showDocument(&document);
    const int pitch = static_cast<int>(document.codeLayout()->linePx());
    editor.resize(kWidth, 3 * pitch);
    editor.show();
    for (int y = 0; y < 3 * pitch; ++y) {
        QTest::mouseClick(editor.viewport(), Qt::LeftButton, {}, QPoint(200, y));
        QCOMPARE(editor.textCursor().blockNumber(), y / pitch);
        QCOMPARE(editor.textCursor().positionInBlock(), 4);
    }
}

void CodeEditorTest::firstAndLastRow_withWrappedLines_areVisualRows()
{
    CodeDocument document(u"word "_s.repeated(40), u"python"_s, m_theme, 200);
    CodeEditor editor;
    editor.setTheme(m_theme);
    editor.showDocument(&document);
    editor.placeCursor(0);
    QVERIFY(editor.isOnFirstRow());
    QVERIFY(!editor.isOnLastRow());
    QTest::keyClick(&editor, Qt::Key_Down);
    QVERIFY(!editor.isOnFirstRow());
    editor.placeCursorOnRow(true, 0);
    QVERIFY(editor.isOnLastRow());
    QVERIFY(!editor.isOnFirstRow());
}

QTEST_MAIN(CodeEditorTest)
#include "tst_codeeditor.moc"
