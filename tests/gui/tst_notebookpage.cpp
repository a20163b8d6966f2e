#include "core/document/notebookdocument.h"
#include "ui/notebook/celllook.h"
#include "ui/notebook/notebookpage.h"
#include "ui/notebook/notebookview.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/text/codeeditor.h"
#include "ui/text/syntaxrepository.h"

#include <QApplication>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>

using namespace sandfish;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// What the page shows and keeps in place: looks of cells, the reading line, the live cell beside the painted one.
class NotebookPageTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup();
    void look_ofRun_hasPromptAndMeta_data();
    void look_ofRun_hasPromptAndMeta();
    void look_ofRunWhilePaused_hasNoClock();
    void cells_narrowedAndWidened_areAsBefore_data();
    void cells_narrowedAndWidened_areAsBefore();
    void liveCell_besidePaintedOne_hasSamePixels_data();
    void liveCell_besidePaintedOne_hasSamePixels();
    void output_growingAbove_movesNothing();
    void output_atEnd_isFollowed();
    void output_atEnd_isNotFollowedAfterTurningBack();
    void output_belowView_movesNothing();
    void cells_insertedAbove_moveNothing();
    void page_ofTenThousandCells_laysOutWhatIsSeen();
    void page_scrolledThrough_keepsFewItems();

private:
    void makeView(int cells, const QString &source = u"x = 1\ny = 2"_s);
    QImage picture(qreal ratio = 1) const;
    void grow(qsizetype index, int lines);
    void settle();
    void wheel(int notches);
    CellId id(qsizetype index) const { return m_document->peekAt(index).id; }

    std::unique_ptr<OutputRendererRegistry> m_renderers;
    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<NotebookView> m_view;
};

void NotebookPageTest::initTestCase()
{
    SyntaxRepository::instance().loadNow();
    m_renderers = OutputRendererRegistry::withDefaults();
}

void NotebookPageTest::cleanup()
{
    m_view.reset();
    m_document.reset();
}

namespace {

std::unique_ptr<NotebookDocument> documentOf(int cells, const QString &source)
{
    auto document = std::make_unique<NotebookDocument>();
    std::vector<Cell> all(static_cast<std::size_t>(cells - 1));
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i].source = u"# cell %1\n"_s.arg(i) + source;
    document->insertCells(0, all);
    document->setSource(document->peekAt(cells - 1).id, source);
    return document;
}

CellRun runOf(CellRun::State state, Outcome outcome = Outcome::Ok, std::chrono::milliseconds duration = 0ms)
{
    CellRun run;
    run.state = state;
    run.outcome = outcome;
    run.duration = duration;
    return run;
}

} // namespace

void NotebookPageTest::makeView(int cells, const QString &source)
{
    m_document = documentOf(cells, source);
    m_view = std::make_unique<NotebookView>(m_document.get(), m_renderers.get());
    m_view->setTheme(Theme::forApplication(Theme::Mode::Light));
    m_view->resize(800, 600);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    QTRY_VERIFY(m_view->hasPainted());
}

QImage NotebookPageTest::picture(qreal ratio) const
{
    QImage image(m_view->viewport()->size() * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    m_view->viewport()->render(&image);
    return image;
}

void NotebookPageTest::grow(qsizetype index, int lines)
{
    QSignalSpy changed(m_document.get(), &NotebookDocument::outputsChanged);
    std::string text;
    for (int i = 0; i < lines; ++i)
        text += "line " + std::to_string(i) + "\n";
    m_document->apply(id(index), {StreamText{StreamText::Channel::Stdout, text, false}});
    QTRY_VERIFY(!changed.isEmpty());
}

/// Until what the page has put off to the next turn of the loop is done.
void NotebookPageTest::settle()
{
    bool isDone = false;
    QTimer::singleShot(0, m_view.get(), [&isDone] { isDone = true; });
    QTRY_VERIFY(isDone);
}

void NotebookPageTest::wheel(int notches)
{
    const QPointF point(400, 300);
    QWheelEvent event(point, m_view->viewport()->mapToGlobal(point), {}, QPoint(0, 120 * notches), Qt::NoButton,
        Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(m_view->viewport(), &event);
}

void NotebookPageTest::look_ofRun_hasPromptAndMeta_data()
{
    QTest::addColumn<int>("executionCount");
    QTest::addColumn<CellRun>("run");
    QTest::addColumn<QString>("count");
    QTest::addColumn<QString>("meta");
    using State = CellRun::State;
    CellRun running = runOf(State::Running);
    running.startedAt = QDateTime(QDate(2031, 8, 1), QTime(14, 0, 0));
    CellRun waiting = running;
    waiting.state = State::AwaitingInput;
    CellRun queued = runOf(State::Queued);
    queued.queuePosition = 2;
    CellRun paused = runOf(State::Finished, Outcome::Interrupted);
    paused.reason = "Interrupted by pause after 0:14";
    QTest::newRow("never run") << 0 << CellRun() << u"[ ]"_s << QString();
    QTest::newRow("read from a file") << 7 << CellRun() << u"[7]"_s << QString();
    QTest::newRow("queued") << 3 << queued << u"[ ]"_s << u"Queued, 2nd"_s;
    QTest::newRow("running") << 3 << running << u"[*]"_s << u"Running 0:14"_s;
    QTest::newRow("waiting") << 3 << waiting << u"[*]"_s << u"Waiting for input 0:14"_s;
    QTest::newRow("ok") << 4 << runOf(State::Finished, Outcome::Ok, 400ms) << u"[4]"_s << u"0.4 s"_s;
    QTest::newRow("failed") << 9 << runOf(State::Finished, Outcome::CodeError, 100ms) << u"[9]"_s << u"Failed 0.1 s"_s;
    QTest::newRow("interrupted") << 5 << runOf(State::Finished, Outcome::Interrupted) << u"[5]"_s << u"Interrupted"_s;
    QTest::newRow("paused") << 5 << paused << u"[5]"_s << u"Interrupted by pause"_s;
}

void NotebookPageTest::look_ofRun_hasPromptAndMeta()
{
    QFETCH(int, executionCount);
    QFETCH(CellRun, run);
    Cell cell;
    cell.executionCount = executionCount;
    cell.run = run;
    CellFlags flags;
    flags.now = QDateTime(QDate(2031, 8, 1), QTime(14, 0, 14));
    const CellLook look = lookOf(cell, flags);
    QTEST(look.count, "count");
    QTEST(look.metaText, "meta");
}

void NotebookPageTest::look_ofRunWhilePaused_hasNoClock()
{
    Cell cell;
    cell.run.state = CellRun::State::Running;
    cell.run.startedAt = QDateTime(QDate(2031, 8, 1), QTime(14, 0));
    CellFlags flags;
    flags.now = cell.run.startedAt.addSecs(5);
    flags.isPaused = true;
    const CellLook look = lookOf(cell, flags);
    QCOMPARE(look.metaText, u"Paused"_s);
    QVERIFY(!look.isSpinning);
    QVERIFY(!look.isAnimated);
    QCOMPARE(spokenState(cell, flags), u"paused"_s);
}

void NotebookPageTest::cells_narrowedAndWidened_areAsBefore_data()
{
    QTest::addColumn<bool>("isEdited");
    QTest::newRow("painted") << false;
    QTest::newRow("edited") << true;
}

void NotebookPageTest::cells_narrowedAndWidened_areAsBefore()
{
    QFETCH(bool, isEdited);
    makeView(3, u"for i in 1 2 3; do echo \"line $i of the loop\"; done\nls"_s);
    for (int i = 0; i < 3; ++i)
        m_document->setRun(id(i), runOf(CellRun::State::Finished));
    m_view->setCurrentCell(id(1));
    if (isEdited) {
        m_view->editCurrentCell();
        m_view->findChild<CodeEditor *>()->clearFocus(); // no caret
    }
    settle();
    const QImage before = picture();
    m_view->resize(330, 600);
    settle();
    m_view->resize(800, 600);
    settle();
    QCOMPARE(picture(), before);
}

void NotebookPageTest::liveCell_besidePaintedOne_hasSamePixels_data()
{
    QTest::addColumn<qreal>("ratio");
    QTest::addColumn<Theme::Mode>("mode");
    QTest::newRow("light, 1") << 1.0 << Theme::Mode::Light;
    QTest::newRow("light, 2") << 2.0 << Theme::Mode::Light;
    QTest::newRow("dark, 1") << 1.0 << Theme::Mode::Dark;
    QTest::newRow("dark, 2") << 2.0 << Theme::Mode::Dark;
}

void NotebookPageTest::liveCell_besidePaintedOne_hasSamePixels()
{
    QFETCH(qreal, ratio);
    QFETCH(Theme::Mode, mode);
    makeView(
        3, u"for day in progress(days):  # each\n    print(f\"{day:.2f}\", 3.5)\n"_s + u"long = 1; "_s.repeated(20));
    m_view->setTheme(Theme::forApplication(mode));
    m_view->setCurrentCell(id(1));
    settle();
    const QImage painted = picture(ratio);
    m_view->editCurrentCell();
    auto *editor = m_view->findChild<CodeEditor *>();
    editor->clearFocus(); // no caret
    const QImage live = picture(ratio);
    const QRect place = editor->geometry();
    QVERIFY(place.height() > 3 * 15);
    QVERIFY(painted != live); // the edge of the box tells that it is edited
    // In the first row the language stands where the state of the run was.
    const QRect firstRow(place.left(), place.top(), place.width() / 2, place.height() / 4);
    const QRect below(place.left(), place.top() + place.height() / 4, place.width(), place.height() * 3 / 4);
    for (const QRect &area : {firstRow, below}) {
        const QRect device(area.topLeft() * ratio, area.size() * ratio);
        QCOMPARE(live.copy(device), painted.copy(device));
    }
}

void NotebookPageTest::output_growingAbove_movesNothing()
{
    makeView(60);
    grow(3, 5);
    m_view->setCurrentCell(id(40));
    const QImage before = picture();
    grow(3, 200);
    settle();
    QCOMPARE(picture(), before);
    m_document->clearOutputs(id(3));
    settle();
    QCOMPARE(picture(), before);
}

void NotebookPageTest::output_atEnd_isFollowed()
{
    makeView(30);
    m_view->setCurrentCell(id(29));
    grow(29, 100);
    const int before = m_view->verticalScrollBar()->value();
    grow(29, 100);
    QTRY_VERIFY(m_view->verticalScrollBar()->value() > before + 100 * 15);
}

void NotebookPageTest::output_atEnd_isNotFollowedAfterTurningBack()
{
    makeView(30);
    m_view->setCurrentCell(id(29));
    grow(29, 100);
    wheel(1);
    const QImage before = picture();
    grow(29, 100);
    settle();
    QCOMPARE(picture(), before);
}

void NotebookPageTest::output_belowView_movesNothing()
{
    makeView(60);
    const QImage before = picture();
    grow(59, 100);
    settle();
    QCOMPARE(picture(), before);
    QCOMPARE(m_view->verticalScrollBar()->value(), 0);
}

void NotebookPageTest::cells_insertedAbove_moveNothing()
{
    makeView(60);
    m_view->setCurrentCell(id(40));
    const QImage before = picture();
    m_document->insertCell(2, Cell::Type::Code, u"one\ntwo\nthree"_s);
    settle();
    QCOMPARE(picture(), before);
}

void NotebookPageTest::page_ofTenThousandCells_laysOutWhatIsSeen()
{
    const auto document = documentOf(10'000, u"x"_s);
    PageStyle style(Theme::forApplication(Theme::Mode::Light));
    style.renderers = m_renderers.get();
    int prepared = 0;
    NotebookPage page(*document, style, [&prepared](const Cell &, CellItem &) { ++prepared; });
    page.setViewportHeight(900);
    page.reset();
    page.layOutVisible();
    QVERIFY(page.places().size() > 5);
    QVERIFY(page.itemCount() < 60);
    QVERIFY(prepared < 200);
    QVERIFY(page.maxScrollY() > 10'000 * 30);
}

void NotebookPageTest::page_scrolledThrough_keepsFewItems()
{
    const auto document = documentOf(5'000, u"x"_s);
    PageStyle style(Theme::forApplication(Theme::Mode::Light));
    style.renderers = m_renderers.get();
    NotebookPage page(*document, style, [](const Cell &, CellItem &) {});
    page.setViewportHeight(900);
    page.reset();
    for (int i = 0; i <= 1000; ++i) {
        page.scrollTo(page.maxScrollY() * i / 1000);
        page.layOutVisible();
    }
    QVERIFY(page.itemCount() <= 400);
    QCOMPARE(page.places().back().index, qsizetype(4'999));
}

QTEST_MAIN(NotebookPageTest)
#include "tst_notebookpage.moc"
