#include "core/document/notebookdocument.h"
#include "core/session/executionqueue.h"
#include "tests/support/eventloopwatch.h"
#include "tests/support/scriptedcontext.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QUndoStack>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

namespace {

/// Hands out one scripted context per language.
class Source : public ContextSource
{
public:
    Request contextFor(const std::string &language, QObject *receiver, Done<std::shared_ptr<Context>> done) override
    {
        asked.push_back(language);
        const Completion<std::shared_ptr<Context>> completion(receiver, std::move(done));
        if (isSilent)
            return completion.request();
        if (error) {
            completion.finish(*error);
            return completion.request();
        }
        completion.finish(std::shared_ptr<Context>(context(language)));
        return completion.request();
    }
    std::shared_ptr<ScriptedContext> context(const std::string &language)
    {
        auto &known = m_contexts[language];
        if (!known)
            known = std::make_shared<ScriptedContext>(language);
        return known;
    }

    std::vector<std::string> asked;
    std::optional<Error> error;
    bool isSilent = false;

private:
    std::map<std::string, std::shared_ptr<ScriptedContext>> m_contexts;
};

} // namespace

class ExecutionQueueTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
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
    void error_stopsTheRestWhichIsNotRun();
    void error_withContinue_goesOn();
    void error_ofTaggedCell_goesOn();
    void timeout_ofTaggedCell_stopsTheRest();
    void interrupt_everyPress_sendsAnother();
    void interrupt_clearsTheQueue();
    void cancel_oneWaitingCell_leavesTheOthers();
    void removeQueuedCell_runningOneGoesOn();
    void removeRunningCell_queueGoesOn();
    void hold_sendsNothingNew();
    void input_isAskedAnsweredAndEchoed();
    void input_password_isNotShown();
    void contextFails_cellSaysWhyAndRestIsNotRun();
    void interrupt_whileContextStarts_isNotRun();
    void connectionLost_keepsOutputAndSaysSo();
    void connectionLost_expected_hasTheGivenReason();
    void contextDestroyed_duringRun_ends();
    void abandonRunning_ignoresTheRest();
    void tenThousandCells_firstIsSentAtOnce();

private:
    void useTaggedNotebook();
    CellId add(const QString &source, Cell::Type type = Cell::Type::Code);
    const Cell &cell(const CellId &id) const { return *m_document->find(id); }
    CellRun::State state(const CellId &id) const { return cell(id).run.state; }
    QByteArray text(const CellId &id) const;
    ScriptedContext &python() { return *m_source->context("python"); }
    QStringList sent();

    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<Source> m_source;
    std::unique_ptr<ExecutionQueue> m_queue;
};

void ExecutionQueueTest::init()
{
    m_document = std::make_unique<NotebookDocument>();
    m_document->removeCells(0, 1);
    m_source = std::make_unique<Source>();
    m_queue = std::make_unique<ExecutionQueue>(m_document.get());
    m_queue->setContextSource(m_source.get());
}

void ExecutionQueueTest::cleanup()
{
    m_queue.reset();
    m_source.reset();
    m_document.reset();
}

CellId ExecutionQueueTest::add(const QString &source, Cell::Type type)
{
    return m_document->insertCell(m_document->cellCount(), type, source);
}

QByteArray ExecutionQueueTest::text(const CellId &id) const
{
    QByteArray all;
    for (const Output &output : cell(id).outputs)
        all += output.text ? QByteArray::fromStdString(output.text->toUtf8()) : QByteArray("?");
    return all;
}

QStringList ExecutionQueueTest::sent()
{
    QStringList codes;
    for (const ExecuteRequest &request : python().requests())
        codes += QString::fromStdString(request.code);
    return codes;
}

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

// P31 of notebooks.md.
void ExecutionQueueTest::error_stopsTheRestWhichIsNotRun()
{
    python().setScript("bad", Script::raising("ValueError", "no"));
    const CellId a = add(u"bad"_s), b = add(u"b"_s);
    QSignalSpy idle(m_queue.get(), &ExecutionQueue::idle);
    m_queue->enqueue({a});
    m_queue->enqueue({b});
    QTRY_COMPARE(idle.count(), 1);
    QCOMPARE(cell(a).run.outcome, Outcome::CodeError);
    QCOMPARE(state(b), CellRun::State::None);
    QVERIFY(cell(b).outputs.empty());
    QCOMPARE(sent(), QStringList{u"bad"_s});
}

void ExecutionQueueTest::error_withContinue_goesOn()
{
    python().setScript("bad", Script::raising("ValueError", "no"));
    const CellId a = add(u"bad"_s), b = add(u"b"_s);
    m_queue->enqueue({a, b}, ExecutionQueue::OnError::Continue);
    QTRY_COMPARE(state(b), CellRun::State::Finished);
}

void ExecutionQueueTest::useTaggedNotebook()
{
    m_queue.reset();
    m_document = NotebookDocument::fromJson(R"({"cells": [
        {"cell_type": "code", "id": "a", "metadata": {"tags": ["other", "raises-exception"]}, "source": "a"},
        {"cell_type": "code", "id": "b", "metadata": {"tags": "raises-exception"}, "source": "b"},
        {"cell_type": "code", "id": "c", "metadata": {}, "source": "c"}],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 5})")
                     .take();
    m_queue = std::make_unique<ExecutionQueue>(m_document.get());
    m_queue->setContextSource(m_source.get());
}

void ExecutionQueueTest::error_ofTaggedCell_goesOn()
{
    useTaggedNotebook();
    python().setDefaultScript(Script::raising("ValueError", "wrong"));
    QSignalSpy idle(m_queue.get(), &ExecutionQueue::idle);
    m_queue->enqueue({{u"a"_s}, {u"b"_s}, {u"c"_s}});
    QTRY_COMPARE(idle.size(), 1);
    QCOMPARE(sent(), (QStringList{u"a"_s, u"b"_s}));
    QCOMPARE(cell({u"a"_s}).run.outcome, Outcome::CodeError);
    QCOMPARE(state({u"c"_s}), CellRun::State::None);
}

void ExecutionQueueTest::timeout_ofTaggedCell_stopsTheRest()
{
    useTaggedNotebook();
    Script late;
    late.summary.outcome = Outcome::TimedOut;
    python().setDefaultScript(late);
    QSignalSpy idle(m_queue.get(), &ExecutionQueue::idle);
    m_queue->enqueue({{u"a"_s}, {u"b"_s}});
    QTRY_COMPARE(idle.size(), 1);
    QCOMPARE(sent(), QStringList{u"a"_s});
}

// P32 of notebooks.md.
void ExecutionQueueTest::interrupt_everyPress_sendsAnother()
{
    python().setDefaultScript(Script::hanging());
    python().setObeysInterrupt(false);
    const CellId a = add(u"a"_s);
    m_queue->enqueue({a});
    QTRY_COMPARE(sent().size(), 1);
    for (int i = 0; i < 3; ++i)
        m_queue->interrupt();
    QCOMPARE(python().interruptCount(), 3);
    QCOMPARE(state(a), CellRun::State::Running);
}

void ExecutionQueueTest::interrupt_clearsTheQueue()
{
    python().setDefaultScript(Script::hanging());
    const CellId a = add(u"a"_s), b = add(u"b"_s);
    m_queue->enqueue({a, b});
    QTRY_COMPARE(sent().size(), 1);
    QTRY_VERIFY(python().state() == Context::State::Busy);
    m_queue->interrupt();
    QTRY_VERIFY(m_queue->isIdle());
    QCOMPARE(cell(a).run.outcome, Outcome::Interrupted);
    QCOMPARE(state(b), CellRun::State::None);
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
    m_queue->setHeld(true);
    python().finishNow({});
    QTRY_COMPARE(state(a), CellRun::State::Finished);
    QCOMPARE(state(b), CellRun::State::Queued);
    QCOMPARE(sent().size(), 1);
    m_queue->setHeld(false);
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

void ExecutionQueueTest::contextFails_cellSaysWhyAndRestIsNotRun()
{
    m_source->error = Error{Error::Kind::Unreachable, "The engine does not answer.", {}};
    const CellId a = add(u"a"_s), b = add(u"b"_s);
    QSignalSpy failed(m_queue.get(), &ExecutionQueue::failed);
    m_queue->enqueue({a, b});
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(cell(a).run.outcome, Outcome::Aborted);
    QCOMPARE(cell(a).run.reason, std::string("The engine does not answer."));
    QCOMPARE(state(b), CellRun::State::None);
    QVERIFY(m_queue->isIdle());
}

void ExecutionQueueTest::interrupt_whileContextStarts_isNotRun()
{
    m_source->isSilent = true;
    const CellId a = add(u"a"_s), b = add(u"b"_s);
    m_queue->enqueue({a});
    m_queue->interrupt();
    QCOMPARE(state(a), CellRun::State::None);
    m_source->isSilent = false;
    m_queue->enqueue({b});
    QTRY_COMPARE(state(b), CellRun::State::Finished);
    QCOMPARE(sent(), QStringList{u"b"_s});
}

void ExecutionQueueTest::connectionLost_keepsOutputAndSaysSo()
{
    Script script = Script::printing("so far");
    script.staysOpen = true;
    python().setDefaultScript(script);
    const CellId a = add(u"a"_s), b = add(u"b"_s);
    m_queue->enqueue({a, b}, ExecutionQueue::OnError::Continue);
    QTRY_COMPARE(text(a), QByteArray("so far"));
    python().loseConnection();
    QTRY_COMPARE(state(a), CellRun::State::Finished);
    QCOMPARE(cell(a).run.outcome, Outcome::ConnectionLost);
    QVERIFY(!cell(a).run.reason.empty());
    QCOMPARE(text(a), QByteArray("so far"));
    QCOMPARE(state(b), CellRun::State::None);
}

void ExecutionQueueTest::connectionLost_expected_hasTheGivenReason()
{
    python().setDefaultScript(Script::hanging());
    const CellId a = add(u"a"_s);
    m_queue->enqueue({a});
    QTRY_VERIFY(python().state() == Context::State::Busy);
    m_queue->expectLoss(ExecutionSummary{Outcome::Interrupted, 0, {}, "Interrupted by pause after 0:14"});
    python().loseConnection();
    QTRY_COMPARE(state(a), CellRun::State::Finished);
    QCOMPARE(cell(a).run.outcome, Outcome::Interrupted);
    QCOMPARE(cell(a).run.reason, std::string("Interrupted by pause after 0:14"));
}

void ExecutionQueueTest::contextDestroyed_duringRun_ends()
{
    python().setDefaultScript(Script::hanging());
    const CellId a = add(u"a"_s);
    m_queue->enqueue({a});
    QTRY_VERIFY(python().state() == Context::State::Busy);
    m_queue.reset();
    m_source.reset();
    QCOMPARE(state(a), CellRun::State::Running);
}

void ExecutionQueueTest::abandonRunning_ignoresTheRest()
{
    Script script = Script::printing("so far");
    script.staysOpen = true;
    python().setDefaultScript(script);
    const CellId a = add(u"a"_s);
    m_queue->enqueue({a});
    QTRY_COMPARE(text(a), QByteArray("so far"));
    m_queue->abandonRunning({Outcome::Interrupted, 0, {}, "The sandbox was shut down."});
    QCOMPARE(state(a), CellRun::State::Finished);
    QVERIFY(m_queue->isIdle());
    python().finishNow({Outcome::Ok});
    QCOMPARE(cell(a).run.reason, std::string("The sandbox was shut down."));
}

// G6 of notebooks.md.
void ExecutionQueueTest::tenThousandCells_firstIsSentAtOnce()
{
    python().setDefaultScript(Script::hanging());
    std::vector<Cell> cells(10'000);
    for (Cell &each : cells)
        each.source = u"x"_s;
    const std::vector<CellId> ids = m_document->insertCells(0, cells);
    QElapsedTimer timer;
    timer.start();
    m_queue->enqueue(ids);
    QTRY_COMPARE(sent().size(), 1);
    QVERIFY2(timer.elapsed() <= 100, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(state(ids.back()), CellRun::State::Queued);
}

QTEST_GUILESS_MAIN(ExecutionQueueTest)
#include "tst_executionqueue.moc"
