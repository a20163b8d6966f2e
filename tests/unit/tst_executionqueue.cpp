#include "tests/support/eventloopwatch.h"
#include "tests/unit/queuefixture.h"

#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

/// The order of cells, what is sent, and where output and questions go.
class ExecutionQueueTest : public QObject, private QueueFixture
{
    Q_OBJECT
private slots:
    void init() { setUp(); }
    void cleanup() { tearDown(); }
    void enqueue_cells_runInOrderOneAtATime();
    void received_everyEvent_isPassedOnAfterTheDocument();
    void cellTimeout_set_isThatOfEachRun();
    void enqueue_waitingCell_isNotQueuedTwice();
    void enqueue_runningCell_runsAgain();
    void enqueue_markdownAndEmptyCells_areSkipped();
    void enqueue_languages_getTheirOwnContexts();
    void run_output_goesIntoTheDocument();
    void run_newOutput_replacesTheOldWithoutAnEmptyFrame();
    void run_noOutput_removesTheOldAfterAMoment();
    void cancel_oneWaitingCell_leavesTheOthers();
    void removeQueuedCell_runningOneGoesOn();
    void removeRunningCell_queueGoesOn();
    void hold_sendsNothingNew();
    void input_isAskedAnsweredAndEchoed();
    void input_password_isNotShown();
    void tenThousandCells_firstIsSentAtOnce();
};

void ExecutionQueueTest::enqueue_cells_runInOrderOneAtATime()
{
    EventLoopWatch watch;
    const CellId a = add(u"a"_s), b = add(u"b"_s), c = add(u"c"_s);
    QSignalSpy idle(m_queue.get(), &ExecutionQueue::idle);
    QSignalSpy finished(m_queue.get(), &ExecutionQueue::cellFinished);
    m_queue->enqueue({a, b, c});
    QCOMPARE(state(b), CellRun::State::Queued);
    QCOMPARE(cell(b).run.queuePosition, 2);
    QTRY_COMPARE(idle.count(), 1);
    QCOMPARE(sent(), QStringList({u"a"_s, u"b"_s, u"c"_s}));
    QCOMPARE(finished.count(), 3);
    QCOMPARE(state(c), CellRun::State::Finished);
    QCOMPARE(cell(c).executionCount, 3);
    QVERIFY(cell(c).run.startedAt.isValid());
    QCOMPARE(cell(c).run.sourceHash, sourceHash(u"c"));
    QVERIFY(m_queue->isIdle());
    QVERIFY2(!watch.wasBlocked(), watch.report());
}

void ExecutionQueueTest::received_everyEvent_isPassedOnAfterTheDocument()
{
    const CellId a = add(u"a"_s);
    python().setScript("a", Script::printing("hello"));
    QByteArray documentThen;
    std::string passedOn;
    connect(m_queue.get(), &ExecutionQueue::received, this,
        [&](const CellId &id, const std::vector<ExecutionEvent> &events) {
            documentThen = text(id);
            for (const ExecutionEvent &event : events) {
                if (const auto *stream = std::get_if<StreamText>(&event))
                    passedOn += stream->text;
            }
        });
    m_queue->enqueue({a});
    QTRY_VERIFY(m_queue->isIdle());
    QCOMPARE(passedOn, std::string("hello"));
    QCOMPARE(documentThen, QByteArray("hello"));
}

void ExecutionQueueTest::cellTimeout_set_isThatOfEachRun()
{
    m_queue->setCellTimeout(std::chrono::milliseconds(1500));
    m_queue->enqueue({add(u"a"_s), add(u"b"_s)});
    QTRY_VERIFY(m_queue->isIdle());
    QCOMPARE(python().requests().size(), std::size_t(2));
    QCOMPARE(python().requests()[1].timeout, std::chrono::milliseconds(1500));
}

void ExecutionQueueTest::enqueue_waitingCell_isNotQueuedTwice()
{
    python().setDefaultScript(Script::hanging());
    const CellId a = add(u"a"_s), b = add(u"b"_s);
    m_queue->enqueue({a, b, b});
    m_queue->enqueue({b});
    QTRY_VERIFY(m_queue->running().has_value());
    QCOMPARE(m_queue->pending().size(), std::size_t(1));
}

void ExecutionQueueTest::enqueue_runningCell_runsAgain()
{
    python().setDefaultScript(Script::hanging());
    const CellId a = add(u"a"_s);
    m_queue->enqueue({a});
    QTRY_COMPARE(sent().size(), 1);
    m_queue->enqueue({a});
    QCOMPARE(state(a), CellRun::State::Running);
    QCOMPARE(m_queue->pending().size(), std::size_t(1));
    python().finishNow({});
    QTRY_COMPARE(sent().size(), 2);
}

void ExecutionQueueTest::enqueue_markdownAndEmptyCells_areSkipped()
{
    const CellId text = add(u"# t"_s, Cell::Type::Markdown), empty = add(u"  \n"_s), code = add(u"x"_s);
    QSignalSpy idle(m_queue.get(), &ExecutionQueue::idle);
    m_queue->enqueue({text, empty, code});
    QTRY_COMPARE(idle.count(), 1);
    QCOMPARE(sent(), QStringList{u"x"_s});
    QCOMPARE(state(empty), CellRun::State::None);
}

void ExecutionQueueTest::enqueue_languages_getTheirOwnContexts()
{
    const CellId a = add(u"a"_s), b = add(u"b"_s);
    m_document->setCellLanguage(b, u"bash"_s);
    QSignalSpy idle(m_queue.get(), &ExecutionQueue::idle);
    m_queue->enqueue({a, b});
    QTRY_COMPARE(idle.count(), 1);
    QCOMPARE(m_source->asked, (std::vector<std::string>{"python", "bash"}));
    QCOMPARE(m_source->context("bash")->requests().size(), std::size_t(1));
}

void ExecutionQueueTest::run_output_goesIntoTheDocument()
{
    python().setDefaultScript(Script::printing("hello\n"));
    const CellId a = add(u"a"_s);
    m_queue->enqueue({a});
    QTRY_COMPARE(state(a), CellRun::State::Finished);
    QCOMPARE(text(a), QByteArray("hello\n"));
    QCOMPARE(cell(a).run.outcome, Outcome::Ok);
}

void ExecutionQueueTest::run_newOutput_replacesTheOldWithoutAnEmptyFrame()
{
    python().setDefaultScript(Script::printing("new"));
    const CellId a = add(u"a"_s);
    m_document->apply(a, {StreamText{StreamText::Channel::Stdout, "old", false}});
    QSignalSpy settled(m_document.get(), &NotebookDocument::outputsChanged);
    QTRY_COMPARE(settled.count(), 1);
    bool wasEmpty = false;
    connect(m_document.get(), &NotebookDocument::outputsChanged, this,
        [&] { wasEmpty = wasEmpty || cell(a).outputs.empty(); });
    m_queue->enqueue({a});
    QTRY_COMPARE(state(a), CellRun::State::Finished);
    QCOMPARE(text(a), QByteArray("new"));
    QVERIFY(!wasEmpty);
    m_document->disconnect(this);
}

void ExecutionQueueTest::run_noOutput_removesTheOldAfterAMoment()
{
    python().setDefaultScript(Script::hanging());
    const CellId a = add(u"a"_s);
    m_document->apply(a, {StreamText{StreamText::Channel::Stdout, "old", false}});
    m_queue->enqueue({a});
    QTRY_COMPARE(sent().size(), 1);
    QCOMPARE(text(a), QByteArray("old"));
    QTRY_VERIFY(cell(a).outputs.empty());
}

void ExecutionQueueTest::cancel_oneWaitingCell_leavesTheOthers()
{
    const CellId a = add(u"a"_s), b = add(u"b"_s), c = add(u"c"_s);
    QSignalSpy idle(m_queue.get(), &ExecutionQueue::idle);
    m_queue->enqueue({a, b, c});
    m_queue->cancel(b);
    QTRY_COMPARE(idle.count(), 1);
    QCOMPARE(sent(), QStringList({u"a"_s, u"c"_s}));
    QCOMPARE(state(b), CellRun::State::None);
}

// P22 of notebooks.md.
void ExecutionQueueTest::removeQueuedCell_runningOneGoesOn()
{
    python().setScript("a", Script::hanging());
    const CellId a = add(u"a"_s), b = add(u"b"_s);
    m_queue->enqueue({a, b});
    QTRY_COMPARE(sent().size(), 1);
    m_document->removeCells(1, 1);
    QVERIFY(m_queue->pending().empty());
    QCOMPARE(python().interruptCount(), 0);
    m_document->undoStack()->undo();
    QTRY_VERIFY(python().state() == Context::State::Busy);
    python().finishNow({});
    QTRY_COMPARE(state(a), CellRun::State::Finished);
    QCOMPARE(cell(a).run.outcome, Outcome::Ok);
    QCOMPARE(state(b), CellRun::State::None);
    QCOMPARE(sent(), QStringList{u"a"_s});
}

void ExecutionQueueTest::removeRunningCell_queueGoesOn()
{
    python().setScript("a", Script::hanging());
    const CellId a = add(u"a"_s), b = add(u"b"_s);
    m_queue->enqueue({a, b});
    QTRY_VERIFY(python().state() == Context::State::Busy);
    m_document->removeCells(0, 1);
    python().finishNow({});
    QTRY_COMPARE(state(b), CellRun::State::Finished);
}

void ExecutionQueueTest::hold_sendsNothingNew()
{
    python().setScript("a", Script::hanging());
    const CellId a = add(u"a"_s), b = add(u"b"_s);
    m_queue->enqueue({a, b});
    QTRY_VERIFY(python().state() == Context::State::Busy);
    m_queue->setHeld(ExecutionQueue::Hold::Pause, true);
    python().finishNow({});
    QTRY_COMPARE(state(a), CellRun::State::Finished);
    QCOMPARE(state(b), CellRun::State::Queued);
    QCOMPARE(sent().size(), 1);
    m_queue->setHeld(ExecutionQueue::Hold::Pause, false);
    QTRY_COMPARE(state(b), CellRun::State::Finished);
}

// P33 of notebooks.md: prompt and answer stay.
void ExecutionQueueTest::input_isAskedAnsweredAndEchoed()
{
    Script script;
    script.turns = {{InputRequest{"Name: ", false}}, {StreamText{StreamText::Channel::Stdout, "hi\n", false}}};
    python().setDefaultScript(script);
    const CellId a = add(u"a"_s);
    m_queue->enqueue({a});
    QTRY_COMPARE(state(a), CellRun::State::AwaitingInput);
    QCOMPARE(cell(a).run.inputRequest.prompt, std::string("Name: "));
    m_queue->sendInput("Ann");
    QTRY_COMPARE(state(a), CellRun::State::Finished);
    QCOMPARE(python().inputs(), std::vector<std::string>{"Ann"});
    QCOMPARE(text(a), QByteArray("Name: Ann\nhi\n"));
}

void ExecutionQueueTest::input_password_isNotShown()
{
    Script script;
    script.turns = {{InputRequest{"PW: ", true}}};
    python().setDefaultScript(script);
    const CellId a = add(u"a"_s);
    m_queue->enqueue({a});
    QTRY_COMPARE(state(a), CellRun::State::AwaitingInput);
    m_queue->sendInput("secret");
    QTRY_COMPARE(state(a), CellRun::State::Finished);
    QVERIFY(!m_document->toJson().contains("secret"));
}

// G6 of notebooks.md.
void ExecutionQueueTest::tenThousandCells_firstIsSentAtOnce()
{
    python().setDefaultScript(Script::hanging());
    std::vector<Cell> cells(10'000);
    for (Cell &each : cells)
        each.source = u"x"_s;
    const std::vector<CellId> ids = m_document->insertCells(0, cells);
    QSignalSpy changed(m_document.get(), &NotebookDocument::runChanged);
    m_queue->enqueue(ids);
    QTRY_COMPARE(sent().size(), 1);
    // Once for each cell that waits, and a few for the one that runs: nothing is told anew of the others.
    QVERIFY2(changed.count() <= 10'100, qPrintable(QString::number(changed.count())));
    QCOMPARE(state(ids.back()), CellRun::State::Queued);
}

QTEST_GUILESS_MAIN(ExecutionQueueTest)
#include "tst_executionqueue.moc"
