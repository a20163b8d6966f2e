#include "core/document/notebookdocument.h"
#include "ui/notebook/notebookview.h"
#include "ui/outputs/markdownrender.h"
#include "ui/outputs/markdownsource.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/text/codedocument.h"
#include "ui/text/codeeditor.h"
#include "ui/text/codetext.h"
#include "ui/text/shownsource.h"
#include "ui/text/theme.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QPainter>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// Sources with lines so long that laying them out would freeze the window: the beginning is shown, all is kept.
class LongLinesTest : public QObject
{
    Q_OBJECT
private slots:
    void shortLines_areShownWhole();
    void longLine_endsInNoteAndOffsetsMap();
    void manyLongLines_areCutEarlier();
    void cutInPair_keepsTheCharacter();
    void longLine_paintedAndLive_samePixels();
    void longLine_inCells_isShownAndKept_data();
    void longLine_inCells_isShownAndKept();
    void longLine_typedAndUndone_isKept();
    void split_behindLongLine_partsTheSource();
    void line_growingWhileTyped_staysEditable();
    void longText_pasted_isRefused();
    void longLines_insertedElsewhere_fixTheEditor();
    void markdown_ofLongTexts_isBounded_data();
    void markdown_ofLongTexts_isBounded();
    void longPicture_inMarkdown_isPainted();
    void longPicture_outsideOfImage_isShort();

private:
    void showNotebook(const QString &source, Cell::Type type = Cell::Type::Code);
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    CodeEditor *editor() const { return m_view->findChild<CodeEditor *>(); }
    QString source(qsizetype index = 0) const { return m_document->peekAt(index).source; }

    Theme m_theme = Theme::forApplication(Theme::Mode::Light);
    std::unique_ptr<OutputRendererRegistry> m_renderers = OutputRendererRegistry::withDefaults();
    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<NotebookView> m_view;
};

namespace {

constexpr auto kBound = ShownSource::kMaxLineChars;
constexpr qsizetype kLong = 500'000;
constexpr qsizetype kNoteRoom = 200; // for the words of a note

QString lineOf(qsizetype length)
{
    return QString(length, u'x') + u'\n';
}

QString pictureUri()
{
    QImage image(600, 600, QImage::Format_RGB32);
    image.fill(Qt::red);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "BMP");
    return u"data:image/bmp;base64,"_s + QString::fromLatin1(bytes.toBase64());
}

} // namespace

void LongLinesTest::showNotebook(const QString &source, Cell::Type type)
{
    m_view.reset();
    m_document = std::make_unique<NotebookDocument>();
    const CellId id = m_document->peekAt(0).id;
    m_document->setSource(id, source);
    m_document->setType(id, type);
    m_view = std::make_unique<NotebookView>(m_document.get(), m_renderers.get());
    m_view->setTheme(m_theme);
    m_view->resize(800, 600);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    m_view->setFocus();
    m_view->setCurrentCell(id);
    m_view->grab();
}

void LongLinesTest::press(Qt::Key key, Qt::KeyboardModifiers modifiers)
{
    QTest::keyClick(QApplication::focusWidget(), key, modifiers);
}

void LongLinesTest::shortLines_areShownWhole()
{
    const QString text = u"a\n"_s + QString(kBound, u'b') + u"\n"_s;
    const ShownSource shown(text);
    QVERIFY(!shown.isCut());
    QCOMPARE(shown.text(), text);
    QCOMPARE(shown.shownOffset(100), 100);
    QCOMPARE(shown.sourceOffset(100), 100);
}

void LongLinesTest::longLine_endsInNoteAndOffsetsMap()
{
    const QString text = u"ab\n"_s + QString(kLong, u'c') + u"\nlast"_s;
    const ShownSource shown(text);
    QVERIFY(shown.isCut());
    QVERIFY(shown.text().startsWith(u"ab\n"_s + QString(kBound, u'c') + u" … "_s));
    QVERIFY(shown.text().endsWith(u"\nlast"_s));
    QVERIFY(shown.text().size() < kBound + kNoteRoom);
    const auto inSource = static_cast<int>(text.indexOf(u"last"_s));
    const auto inShown = static_cast<int>(shown.text().indexOf(u"last"_s));
    QCOMPARE(shown.shownOffset(inSource), inShown);
    QCOMPARE(shown.sourceOffset(inShown), inSource);
    QCOMPARE(shown.shownOffset(inSource - 100), 3 + static_cast<int>(kBound));
    QCOMPARE(shown.sourceOffset(inShown - 5), inSource - 1);
    QCOMPARE(shown.sourceOffset(5), 5);
}

void LongLinesTest::manyLongLines_areCutEarlier()
{
    const QString text = lineOf(kBound).repeated(200);
    const ShownSource shown(text);
    QCOMPARE(shown.text().count(u'\n'), 200);
    QVERIFY(shown.text().size() < ShownSource::kMaxLongChars + kBound + 200 * (1000 + kNoteRoom));
    const auto end = static_cast<int>(text.size());
    QCOMPARE(shown.sourceOffset(shown.shownOffset(end)), end);
}

void LongLinesTest::cutInPair_keepsTheCharacter()
{
    const ShownSource shown(QString(kBound - 1, u'x') + u"😀😀"_s);
    QVERIFY(shown.text().startsWith(QString(kBound - 1, u'x') + u" … 4 more"_s));
}

void LongLinesTest::longLine_paintedAndLive_samePixels()
{
    constexpr int kWidth = 400;
    LineLayoutCache cache;
    CodeText painted(cache);
    painted.setText(u"first\n"_s + u"12345, "_s.repeated(100'000) + u"\nlast"_s);
    painted.layOut(m_theme, kWidth);
    const QColor ground = m_theme.color(ColorToken::Code);
    QImage idle(kWidth, static_cast<int>(painted.height()), QImage::Format_RGB32);
    idle.fill(ground);
    QPainter painter(&idle);
    painted.paint(painter, m_theme, {}, idle.rect());
    painter.end();

    CodeDocument document(painted.shown().text(), {}, m_theme, kWidth);
    CodeEditor live;
    live.setTheme(m_theme);
    live.showDocument(&document);
    QCOMPARE(live.textHeight(), painted.height());
    live.setTextIsFixed(true);
    live.placeCursor(document.characterCount() - 1);
    live.resize(idle.size());
    QImage edited(idle.size(), QImage::Format_RGB32);
    edited.fill(ground);
    live.render(&edited, {}, {}, QWidget::DrawChildren);
    const QRect withoutCaret = idle.rect().adjusted(0, 0, 0, -static_cast<int>(document.codeLayout()->linePx()));
    QCOMPARE(edited.copy(withoutCaret), idle.copy(withoutCaret));
}

void LongLinesTest::longLine_inCells_isShownAndKept_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<Cell::Type>("type");
    const std::pair<const char *, Cell::Type> types[] = {
        {"code", Cell::Type::Code}, {"markdown", Cell::Type::Markdown}, {"raw", Cell::Type::Raw}};
    for (const auto &[name, type] : types) {
        QTest::addRow("letters in %s", name) << QString(kLong, u'x') << type;
        QTest::addRow("numbers in %s", name) << u"12345, "_s.repeated(kLong / 7) << type;
        QTest::addRow("Chinese in %s", name) << QString(kLong, QChar(0x4e2d)) << type;
        QTest::addRow("tabs in %s", name) << u"a\t"_s.repeated(kLong / 2) << type;
        QTest::addRow("picture in %s", name) << u"![p](%1)"_s.arg(pictureUri()) << type;
        QTest::addRow("three lines in %s", name) << lineOf(kLong).repeated(3) << type;
    }
}

void LongLinesTest::longLine_inCells_isShownAndKept()
{
    QFETCH(QString, text);
    QFETCH(Cell::Type, type);
    showNotebook(text, type);
    press(Qt::Key_Return);
    QVERIFY(editor() && editor()->hasFocus());
    m_view->grab();
    QVERIFY(editor()->document()->characterCount() < 3 * (kBound + kNoteRoom));
    QVERIFY(editor()->isReadOnly());
    press(Qt::Key_Escape);
    QVERIFY(source() == text);
}

void LongLinesTest::longLine_typedAndUndone_isKept()
{
    const QString text = u"a\n"_s + QString(kLong, u'x');
    showNotebook(text);
    press(Qt::Key_Return);
    QTest::keyClicks(editor(), u"y("_s);
    for (const Qt::Key key : {Qt::Key_Tab, Qt::Key_Backspace, Qt::Key_Delete})
        press(key);
    for (const Qt::Key key : {Qt::Key_Slash, Qt::Key_X, Qt::Key_V})
        press(key, Qt::ControlModifier);
    QVERIFY(source() == text);
    m_view->undo();
    press(Qt::Key_Escape);
    m_view->redo();
    QVERIFY(source() == text);
}

void LongLinesTest::split_behindLongLine_partsTheSource()
{
    const QString line(kLong, u'x');
    showNotebook(line + u"\nfirst\nlast"_s);
    press(Qt::Key_Return);
    editor()->placeCursor(static_cast<int>(editor()->toPlainText().indexOf(u"last"_s)));
    press(Qt::Key_Minus, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(m_document->cellCount(), 2);
    QVERIFY(source() == line + u"\nfirst"_s);
    QCOMPARE(source(1), u"last"_s);
    QVERIFY(!editor()->isReadOnly());
}

void LongLinesTest::line_growingWhileTyped_staysEditable()
{
    showNotebook(QString(kBound - 1, u'x'));
    press(Qt::Key_Return);
    editor()->placeCursor(0);
    QTest::keyClicks(editor(), u"abc"_s);
    QCOMPARE(source(), u"abc"_s + QString(kBound - 1, u'x'));
    QVERIFY(!editor()->isReadOnly());
    QCOMPARE(editor()->toPlainText(), source());
}

void LongLinesTest::longText_pasted_isRefused()
{
    showNotebook(u"a"_s);
    press(Qt::Key_Return);
    QApplication::clipboard()->setText(QString(kLong, u'x'));
    editor()->paste();
    QCOMPARE(source(), u"a"_s);
    QApplication::clipboard()->setText(lineOf(kBound - 1).repeated(2));
    editor()->placeCursor(0);
    editor()->paste();
    QCOMPARE(source(), lineOf(kBound - 1).repeated(2) + u"a"_s);
}

void LongLinesTest::longLines_insertedElsewhere_fixTheEditor()
{
    showNotebook(u"a"_s);
    press(Qt::Key_Return);
    const CellId id = m_document->peekAt(0).id;
    const QString text(kLong, u'x');
    m_document->setSource(id, text);
    QVERIFY(editor()->isReadOnly());
    QVERIFY(source() == text);
    m_document->setSource(id, u"b"_s);
    QVERIFY(!editor()->isReadOnly());
    QTest::keyClicks(editor(), u"c"_s);
    QVERIFY(source().contains(u'c') && source().size() == 2);
}

void LongLinesTest::markdown_ofLongTexts_isBounded_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isPlain");
    QTest::newRow("line") << u"word "_s.repeated(kLong / 5) << false;
    QTest::newRow("lines of one paragraph") << u"some words here\n"_s.repeated(60'000) << true;
    QTest::newRow("paragraphs") << u"some words here\n\n"_s.repeated(2000) << false;
    QTest::newRow("list item") << u"- "_s + QString(kLong, u'x') << false;
    QTest::newRow("code") << u"```\n"_s + QString(kLong, u'x') + u"\n```"_s << false;
}

void LongLinesTest::markdown_ofLongTexts_isBounded()
{
    QFETCH(QString, text);
    QFETCH(bool, isPlain);
    const MarkdownSource source = boundedMarkdown(text);
    QCOMPARE(source.isPlain, isPlain);
    for (const QString &line : source.text.split(u'\n'))
        QVERIFY(line.size() < kBound + kNoteRoom);
}

void LongLinesTest::longPicture_inMarkdown_isPainted()
{
    const QString uri = pictureUri();
    QVERIFY(uri.size() > 1 << 20);
    MarkdownRender render(u"![p](%1)"_s.arg(uri), m_theme);
    QVERIFY(render.heightForWidth(700) >= 600);
    QImage image(700, 600, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    render.paint(painter, image.rect());
    painter.end();
    QCOMPARE(image.pixelColor(300, 300), QColor(Qt::red));
}

void LongLinesTest::longPicture_outsideOfImage_isShort()
{
    MarkdownRender render(u"```\n"_s + pictureUri() + u"\n```"_s, m_theme);
    QVERIFY(render.plainText().startsWith(u"data:image/bmp;base64,"_s));
    QVERIFY(render.plainText().size() < kNoteRoom);
}

QTEST_MAIN(LongLinesTest)
#include "tst_longlines.moc"
