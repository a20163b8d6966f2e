#include "core/document/notebookdocument.h"
#include "ui/notebook/celllayout.h"
#include "ui/notebook/findmarks.h"
#include "ui/notebook/notebookview.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/text/codeeditor.h"
#include "ui/text/syntaxrepository.h"
#include "ui/text/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QSignalSpy>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// Text of outputs and rendered Markdown: selected by mouse, copied, and marked by a search.
class TextMarksTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void drag_overStream_selectsText();
    void drag_overColoredText_copiesWithoutColors();
    void drag_overTwoOutputs_copiesBoth();
    void drag_backwards_selectsTheSame();
    void drag_overMarkdown_selectsItsText();
    void drag_overTable_copiesWithTabs();
    void drag_overError_copiesTitle();
    void doubleClick_onOutput_selectsWord();
    void selection_isPainted();
    void selection_whileOutputGrows_stays();
    void escape_withSelection_clearsIt();
    void click_elsewhere_clearsSelection();
    void hits_inCodeAndOutput_areMarked_data();
    void hits_inCodeAndOutput_areMarked();
    void hits_outOfScope_areNotMarked();
    void hit_inLiveEditor_isMarked();
    void hit_farDown_isScrolledTo();
    void hit_inFoldedOutput_unfoldsIt();

private:
    void apply(std::vector<ExecutionEvent> events);
    QPoint place(qreal column, int row) const;
    void drag(QPoint from, QPoint to);
    QString copied() const;
    bool hasColor(ColorToken token) const;
    CellId id(qsizetype index) const { return m_document->peekAt(index).id; }
    FindMarks search(const QString &needle, std::uint64_t serial, TextPoint point, int ordinal = 0) const;

    Theme m_theme = Theme::forApplication(Theme::Mode::Light);
    std::unique_ptr<OutputRendererRegistry> m_renderers;
    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<NotebookView> m_view;
};

void TextMarksTest::initTestCase()
{
    SyntaxRepository::instance().loadNow();
    m_renderers = OutputRendererRegistry::withDefaults();
}

void TextMarksTest::init()
{
    m_document = std::make_unique<NotebookDocument>();
    m_document->setSource(id(0), u"code"_s);
    m_document->insertCell(1, Cell::Type::Code, u"other"_s);
    m_view = std::make_unique<NotebookView>(m_document.get(), m_renderers.get());
    m_view->setTheme(m_theme);
    m_view->resize(800, 600);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    m_view->setFocus();
    QApplication::clipboard()->clear();
}

void TextMarksTest::cleanup()
{
    m_view.reset();
    m_document.reset();
}

namespace {

StreamText out(const char *text)
{
    return {StreamText::Channel::Stdout, text, false};
}

} // namespace

void TextMarksTest::apply(std::vector<ExecutionEvent> events)
{
    QSignalSpy changed(m_document.get(), &NotebookDocument::outputsChanged);
    m_document->apply(id(0), events);
    QTRY_VERIFY(!changed.isEmpty());
}

/// A point in the output of the first cell, by column and row of the code font.
QPoint TextMarksTest::place(qreal column, int row) const
{
    const CellMetrics metrics(m_theme);
    const qreal columnPx = QFontMetricsF(m_theme.codeFont()).horizontalAdvance(u'0');
    const qreal top = CellMetrics::kPageTop + CellMetrics::kCellPad
        + 2 * (CellMetrics::kEdge + CellMetrics::kCodePadTop) + metrics.linePitch + CellMetrics::kOutputTop;
    return QPointF(metrics.textX() + column * columnPx, top + (row + 0.5) * metrics.linePitch).toPoint();
}

void TextMarksTest::drag(QPoint from, QPoint to)
{
    QWidget *page = m_view->viewport();
    QTest::mousePress(page, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, page->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(page, &move);
    QTest::mouseRelease(page, Qt::LeftButton, {}, to);
}

QString TextMarksTest::copied() const
{
    QTest::keyClick(m_view.get(), Qt::Key_C, Qt::ControlModifier);
    return QApplication::clipboard()->text();
}

bool TextMarksTest::hasColor(ColorToken token) const
{
    const QImage image = m_view->viewport()->grab().toImage();
    const QRgb wanted = m_theme.color(token).rgb();
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 70; x < image.width(); ++x) {
            if (image.pixel(x, y) == wanted)
                return true;
        }
    }
    return false;
}

FindMarks TextMarksTest::search(const QString &needle, std::uint64_t serial, TextPoint point, int ordinal) const
{
    FindMarks marks;
    marks.needle = needle;
    marks.current = FindHit{id(0), serial, ordinal, point};
    return marks;
}

void TextMarksTest::drag_overStream_selectsText()
{
    apply({out("first line\nsecond line\nthird\n")});
    drag(place(6, 0), place(6, 1));
    QCOMPARE(m_view->selectedText(), u"line\nsecond"_s);
    QCOMPARE(copied(), u"line\nsecond"_s);
}

void TextMarksTest::drag_overColoredText_copiesWithoutColors()
{
    apply({out("\x1b[31mred\x1b[0m and plain\n")});
    drag(place(0, 0), place(7, 0));
    QCOMPARE(copied(), u"red and"_s);
}

void TextMarksTest::drag_overTwoOutputs_copiesBoth()
{
    apply({out("from out\n"), StreamText{StreamText::Channel::Stderr, "from err\n", false}});
    drag(place(5, 0), place(4, 1));
    QCOMPARE(copied(), u"out\nfrom"_s);
}

void TextMarksTest::drag_backwards_selectsTheSame()
{
    apply({out("from out\n"), StreamText{StreamText::Channel::Stderr, "from err\n", false}});
    drag(place(4, 1), place(5, 0));
    QCOMPARE(copied(), u"out\nfrom"_s);
}

void TextMarksTest::drag_overMarkdown_selectsItsText()
{
    m_document->setType(id(0), Cell::Type::Markdown);
    m_document->setSource(id(0), u"Some **strong** words"_s);
    const CellMetrics metrics(m_theme);
    const int y = int(CellMetrics::kPageTop + CellMetrics::kCellPad + CellMetrics::kProsePad) + 10;
    drag(QPoint(int(metrics.textX()), y), QPoint(700, y));
    QCOMPARE(copied(), u"Some strong words"_s);
    QCOMPARE(m_view->mode(), NotebookView::Mode::Command);
}

void TextMarksTest::drag_overTable_copiesWithTabs()
{
    ExecuteResult result;
    result.data.set("text/html",
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>");
    apply({result});
    const QPoint start = place(0, 0);
    drag(start, start + QPoint(300, 60));
    QCOMPARE(copied(), u"a\tb\n1\t2"_s);
}

void TextMarksTest::drag_overError_copiesTitle()
{
    apply({ErrorOutput{"KeyError", "'depth_mm'", {}}});
    const QPoint title = place(0, 0) + QPoint(0, 6);
    drag(title, title + QPoint(400, 0));
    QCOMPARE(copied(), u"KeyError: 'depth_mm'"_s);
}

void TextMarksTest::doubleClick_onOutput_selectsWord()
{
    apply({out("one two_2 three\n")});
    QTest::mouseDClick(m_view->viewport(), Qt::LeftButton, {}, place(5.5, 0));
    QCOMPARE(copied(), u"two_2"_s);
}

void TextMarksTest::selection_isPainted()
{
    apply({out("some text\n")});
    QVERIFY(!hasColor(ColorToken::Selected));
    drag(place(0, 0), place(4, 0));
    QVERIFY(hasColor(ColorToken::Selected));
}

void TextMarksTest::selection_whileOutputGrows_stays()
{
    apply({out("first line\n")});
    drag(place(0, 0), place(5, 0));
    apply({out("more\n")});
    QCOMPARE(m_view->selectedText(), u"first"_s);
    m_document->clearOutputs(id(0));
    QTRY_COMPARE(m_view->selectedText(), QString());
}

void TextMarksTest::escape_withSelection_clearsIt()
{
    apply({out("some text\n")});
    drag(place(0, 0), place(4, 0));
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QCOMPARE(m_view->selectedText(), QString());
    QCOMPARE(copied(), u"code"_s);
}

void TextMarksTest::click_elsewhere_clearsSelection()
{
    apply({out("some text\n")});
    drag(place(0, 0), place(4, 0));
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, QPoint(20, 20));
    QCOMPARE(m_view->selectedText(), QString());
}

void TextMarksTest::hits_inCodeAndOutput_areMarked_data()
{
    QTest::addColumn<QString>("needle");
    QTest::addColumn<bool>("isMarked");
    QTest::newRow("in code") << u"od"_s << true;
    QTest::newRow("in output") << u"printed"_s << true;
    QTest::newRow("other case") << u"PRINTED"_s << true;
    QTest::newRow("in a result") << u"forty"_s << true;
    QTest::newRow("nowhere") << u"absent"_s << false;
}

void TextMarksTest::hits_inCodeAndOutput_areMarked()
{
    QFETCH(QString, needle);
    ExecuteResult result;
    result.data.set("text/plain", "forty-two");
    apply({out("printed text\n"), result});
    FindMarks marks;
    marks.needle = needle;
    m_view->setFind(marks);
    QTEST(hasColor(ColorToken::Find), "isMarked");
    m_view->setFind({});
    QVERIFY(!hasColor(ColorToken::Find));
}

void TextMarksTest::hits_outOfScope_areNotMarked()
{
    apply({out("printed text\n")});
    FindMarks marks;
    marks.needle = u"printed"_s;
    marks.inOutput = false;
    m_view->setFind(marks);
    QVERIFY(!hasColor(ColorToken::Find));
}

void TextMarksTest::hit_inLiveEditor_isMarked()
{
    m_view->setCurrentCell(id(0));
    m_view->editCurrentCell();
    m_view->setFind(search(u"od"_s, 0, {0, 1}));
    QVERIFY(hasColor(ColorToken::FindCurrent));
}

void TextMarksTest::hit_farDown_isScrolledTo()
{
    std::string text;
    for (int i = 0; i < 200; ++i)
        text += "line\n";
    apply({out((text + "needle\n" + text).c_str())});
    const FindMarks marks = search(u"needle"_s, m_document->peekAt(0).outputs.front().serial, {200, 0});
    m_view->setFind(marks);
    QVERIFY(!hasColor(ColorToken::FindCurrent));
    m_view->showHit(*marks.current);
    QVERIFY(hasColor(ColorToken::FindCurrent));
    QVERIFY(!hasColor(ColorToken::Find));
}

void TextMarksTest::hit_inFoldedOutput_unfoldsIt()
{
    apply({out("needle\n")});
    m_document->setOutputsCollapsed(id(0), true);
    const FindMarks marks = search(u"needle"_s, m_document->peekAt(0).outputs.front().serial, {0, 0});
    m_view->setFind(marks);
    m_view->showHit(*marks.current);
    QVERIFY(!m_document->peekAt(0).outputsCollapsed);
    QVERIFY(hasColor(ColorToken::FindCurrent));
}

QTEST_MAIN(TextMarksTest)
#include "tst_textmarks.moc"
