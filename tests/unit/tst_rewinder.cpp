#include "core/document/notebookdocument.h"
#include "core/session/executionqueue.h"
#include "core/session/notebooksession.h"
#include "core/session/rewinder.h"
#include "tests/support/scriptedprovider.h"

#include <QSignalSpy>
#include <QTest>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

using WhileBusy = Context::WhileBusy;

/// Which cell has which kept state, and what a rewind makes of the page.
class RewinderTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void run_hasTheStateFromBeforeIt();
    void whyNot_cellWithoutRun_saysSo();
    void whyNot_contextWithoutStates_saysWhy();
    void whyNot_paused_saysSo();
    void rewind_marksWhatRanAfterThePoint();
    void rewind_thenRun_oldAndNewRunsAreToldApart();
    void rewind_leavesTheDocumentSaved();
    void rewind_running_stopsItAndDropsTheQueue();
    void rewind_runningWithoutStop_isRefused();
    void rewind_otherLanguageRuns_stopsNothing();
    void rewind_gone_failsAndDisablesTheAct();
    void rewind_stateCannotBeKept_hasNoUndo();
    void runDuringRewind_waits();
    void undo_bringsTheStateAndTheMarksBack();
    void undo_afterARun_isNotOffered();
    void kept_evicted_isForgotten();
    void restart_forgetsAll();
    void branch_givesContextAndMarks();
    void branchSession_usesOnlyItsContext();
    void crash_stateKept_isTakenAsRewound();
    void crash_stateNotKept_offersTheNewest();
    void crash_nothingKept_offersNothing();

private:
    CellId add(const QString &source)
    {
        return m_document->insertCell(m_document->cellCount(), Cell::Type::Code, source);
    }
    const Cell &cell(const CellId &id) const { return *m_document->find(id); }
    ScriptedContext &context(std::size_t index = 0) const { return *m_provider->contexts().at(index); }
    Rewinder &rewinder() const { return *m_session->rewinder(); }
    void run(const std::vector<CellId> &ids);
    void startHanging(const CellId &id);
    void rewindTo(const CellId &id, WhileBusy whileBusy = WhileBusy::Refuse);
    QString undone() const; ///< the sources of the marked cells

    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<ScriptedProvider> m_provider;
    std::unique_ptr<NotebookSession> m_session;
    CellId m_a, m_b, m_c;
};

void RewinderTest::init()
{
    m_document = std::make_unique<NotebookDocument>();
    m_document->removeCells(0, 1);
    m_provider = std::make_unique<ScriptedProvider>();
    m_provider->setKeepsCheckpoints(true);
    m_session = std::make_unique<NotebookSession>(m_document.get(), m_provider.get());
    m_a = add(u"a"_s);
    m_b = add(u"b"_s);
    m_c = add(u"c"_s);
}

void RewinderTest::cleanup()
{
    m_session.reset();
    m_provider.reset();
    m_document.reset();
}

void RewinderTest::run(const std::vector<CellId> &ids)
{
    QSignalSpy idle(m_session->queue(), &ExecutionQueue::idle);
    m_session->runCells(ids);
    QVERIFY(idle.wait());
}

void RewinderTest::startHanging(const CellId &id)
{
    context().setScript(cell(id).source.toStdString(), Script::hanging());
    const int before = cell(id).executionCount;
    m_session->runCells({id});
    QTRY_VERIFY(cell(id).executionCount > before);
}

void RewinderTest::rewindTo(const CellId &id, WhileBusy whileBusy)
{
    QSignalSpy rewound(&rewinder(), &Rewinder::rewound);
    rewinder().rewind(id, whileBusy);
    QTRY_COMPARE(rewound.count(), 1);
}

QString RewinderTest::undone() const
{
    QString letters;
    for (qsizetype i = 0; i < m_document->cellCount(); ++i) {
        if (m_document->peekAt(i).run.isUndone)
            letters += m_document->peekAt(i).source;
    }
    return letters;
}

void RewinderTest::run_hasTheStateFromBeforeIt()
{
    run({m_a});
    context().states().inexact = {"threads:1"};
    run({m_b});
    QVERIFY(cell(m_a).run.before.has_value());
    QCOMPARE(cell(m_a).run.before->id, std::string("cp-1"));
    QVERIFY(cell(m_a).run.before->inexact.empty());
    QCOMPARE(cell(m_b).run.before->inexact, std::vector<std::string>{"threads:1"});
    QVERIFY(rewinder().whyNot(m_a).isEmpty());
}

void RewinderTest::whyNot_cellWithoutRun_saysSo()
{
    QCOMPARE(rewinder().whyNot(m_a), u"This cell has not run."_s);
    const CellId text = m_document->insertCell(0, Cell::Type::Markdown, u"t"_s);
    QCOMPARE(rewinder().whyNot(text), u"This is no code cell."_s);
}

void RewinderTest::whyNot_contextWithoutStates_saysWhy()
{
    m_provider->setKeepsCheckpoints(false);
    run({m_a});
    context().states().whyNot = "JavaScript cannot be rewound.";
    QCOMPARE(rewinder().whyNot(m_a), u"JavaScript cannot be rewound."_s);
    QSignalSpy failed(&rewinder(), &Rewinder::failed);
    rewinder().rewind(m_a, WhileBusy::Stop);
    QCOMPARE(failed.count(), 1);
}

void RewinderTest::whyNot_paused_saysSo()
{
    run({m_a});
    m_session->pause();
    QTRY_COMPARE(m_session->state(), NotebookSession::State::Paused);
    QCOMPARE(rewinder().whyNot(m_a), u"The sandbox is paused. Resume it first."_s);
}

void RewinderTest::rewind_marksWhatRanAfterThePoint()
{
    run({m_a, m_b, m_c});
    QCOMPARE(rewinder().undoneBy(m_b).size(), std::size_t(2));
    QSignalSpy rewound(&rewinder(), &Rewinder::rewound);
    rewindTo(m_b);
    QCOMPARE(context().states().rewoundTo, std::vector<std::string>{"cp-2"});
    QCOMPARE(undone(), u"bc"_s);
    const auto report = rewound.front().front().value<RewindReport>();
    QVERIFY(report.cell == m_b);
    QCOMPARE(report.executionCount, 2);
    QCOMPARE(report.undoneCells, 2);
    // The engine counts on from there.
    run({m_c});
    QCOMPARE(cell(m_c).executionCount, 2);
    QCOMPARE(undone(), u"b"_s);
}

void RewinderTest::rewind_thenRun_oldAndNewRunsAreToldApart()
{
    run({m_a, m_b, m_c});
    rewindTo(m_b);
    const CellId d = add(u"d"_s);
    run({d});
    // Forward again to the state from before c, which has a and b, but not d.
    rewindTo(m_c);
    QCOMPARE(undone(), u"cd"_s);
    rewindTo(m_a);
    QCOMPARE(undone(), u"abcd"_s);
}

void RewinderTest::rewind_leavesTheDocumentSaved()
{
    run({m_a, m_b});
    m_document->markSaved();
    rewindTo(m_a);
    QCOMPARE(undone(), u"ab"_s);
    QVERIFY(!m_document->isModified());
}

void RewinderTest::rewind_running_stopsItAndDropsTheQueue()
{
    run({m_a});
    startHanging(m_b);
    m_session->runCells({m_c});
    QVERIFY(rewinder().isBusy(m_b));
    rewindTo(m_b, WhileBusy::Stop);
    QCOMPARE(context().states().rewoundWhileBusy, std::vector{WhileBusy::Stop});
    QTRY_COMPARE(cell(m_b).run.outcome, Outcome::Interrupted);
    QCOMPARE(cell(m_c).run.state, CellRun::State::None);
    QVERIFY(!rewinder().canUndo());
    QTRY_VERIFY(m_session->queue()->isIdle());
}

void RewinderTest::rewind_runningWithoutStop_isRefused()
{
    run({m_a});
    startHanging(m_b);
    QSignalSpy failed(&rewinder(), &Rewinder::failed);
    rewinder().rewind(m_a, WhileBusy::Refuse);
    QCOMPARE(failed.count(), 1);
    QVERIFY(context().states().rewoundTo.empty());
    QVERIFY(m_session->queue()->running() == m_b);
}

void RewinderTest::rewind_otherLanguageRuns_stopsNothing()
{
    m_document->setCellLanguage(m_b, u"bash"_s);
    run({m_a, m_b});
    context(1).setScript("b", Script::hanging());
    m_session->runCells({m_b});
    QTRY_COMPARE(cell(m_b).executionCount, 2);
    QVERIFY(!rewinder().isBusy(m_a));
    rewindTo(m_a, WhileBusy::Stop);
    QVERIFY(m_session->queue()->running() == m_b);
    QCOMPARE(undone(), u"a"_s);
}

void RewinderTest::rewind_gone_failsAndDisablesTheAct()
{
    run({m_a, m_b});
    std::erase_if(context().states().kept, [](const CheckpointInfo &each) { return each.ref.id == "cp-1"; });
    QSignalSpy failed(&rewinder(), &Rewinder::failed);
    rewinder().rewind(m_a, WhileBusy::Refuse);
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(failed.front().front().value<Error>().kind, Error::Kind::NotFound);
    QVERIFY(undone().isEmpty());
    QTRY_COMPARE(rewinder().whyNot(m_a), u"The state from before this cell is not kept."_s);
    run({m_c});
}

void RewinderTest::rewind_stateCannotBeKept_hasNoUndo()
{
    run({m_a, m_b});
    context().states().nextError = Error{Error::Kind::Conflict, "The state has child processes.", {}, 409};
    rewindTo(m_b);
    QVERIFY(!rewinder().canUndo());
    QCOMPARE(undone(), u"b"_s);
}

void RewinderTest::runDuringRewind_waits()
{
    run({m_a, m_b});
    const std::size_t before = context().requests().size();
    QSignalSpy rewound(&rewinder(), &Rewinder::rewound);
    connect(&rewinder(), &Rewinder::rewound, this, [&] { QCOMPARE(context().requests().size(), before); });
    rewinder().rewind(m_b, WhileBusy::Refuse);
    m_session->runCells({m_c});
    QTRY_COMPARE(cell(m_c).run.state, CellRun::State::Finished);
    QCOMPARE(rewound.count(), 1);
    QCOMPARE(cell(m_c).executionCount, 2);
}

void RewinderTest::undo_bringsTheStateAndTheMarksBack()
{
    run({m_a, m_b, m_c});
    rewindTo(m_b);
    QVERIFY(rewinder().canUndo());
    // What the rewind left is kept while it is needed, and not pinned for ever.
    QCOMPARE(context().states().unpinned, std::vector<std::string>{"cp-4"});
    QSignalSpy rewound(&rewinder(), &Rewinder::rewound);
    rewinder().undo();
    QTRY_COMPARE(rewound.count(), 1);
    QVERIFY(rewound.front().front().value<RewindReport>().isUndo);
    QCOMPARE(context().states().rewoundTo.back(), std::string("cp-4"));
    QVERIFY(undone().isEmpty());
    QVERIFY(!rewinder().canUndo());
    const CellId d = add(u"d"_s);
    run({d});
    QCOMPARE(cell(d).executionCount, 4);
}

void RewinderTest::undo_afterARun_isNotOffered()
{
    run({m_a, m_b});
    rewindTo(m_b);
    run({m_c});
    QVERIFY(!rewinder().canUndo());
    rewinder().undo();
    QCOMPARE(context().states().rewoundTo.size(), std::size_t(1));
}

void RewinderTest::kept_evicted_isForgotten()
{
    run({m_a});
    std::erase_if(context().states().kept, [](const CheckpointInfo &each) { return each.ref.id == "cp-1"; });
    run({m_b});
    QTRY_VERIFY(!cell(m_a).run.before.has_value());
    QVERIFY(cell(m_b).run.before.has_value());
    QVERIFY(!rewinder().whyNot(m_a).isEmpty());
    QVERIFY(rewinder().whyNot(m_b).isEmpty());
}

void RewinderTest::restart_forgetsAll()
{
    run({m_a, m_b});
    rewindTo(m_b);
    m_session->restart();
    QTRY_VERIFY(undone().isEmpty());
    QVERIFY(!cell(m_a).run.before.has_value());
    QVERIFY(!rewinder().canUndo());
    QVERIFY(!rewinder().whyNot(m_a).isEmpty());
}

void RewinderTest::branch_givesContextAndMarks()
{
    run({m_a, m_b, m_c});
    QSignalSpy branched(&rewinder(), &Rewinder::branched);
    rewinder().branch(m_b);
    QTRY_COMPARE(branched.count(), 1);
    const auto point = branched.front().front().value<BranchPoint>();
    QVERIFY(point.cell == m_b);
    QCOMPARE(point.executionCount, 2);
    QCOMPARE(point.undoneCells.size(), std::size_t(2));
    QVERIFY(point.sandbox == m_session->sandbox().id);
    QVERIFY(undone().isEmpty());
    QCOMPARE(m_provider->contexts().size(), std::size_t(2));
}

void RewinderTest::branchSession_usesOnlyItsContext()
{
    m_document->setCellLanguage(m_c, u"bash"_s);
    run({m_a, m_b, m_c});
    QSignalSpy branched(&rewinder(), &Rewinder::branched);
    rewinder().branch(m_b);
    QTRY_COMPARE(branched.count(), 1);
    const auto point = branched.front().front().value<BranchPoint>();
    NotebookDocument copy;
    const CellId d = copy.insertCell(0, Cell::Type::Code, u"d"_s);
    NotebookSession second(&copy, m_provider.get());
    second.attachBranch(point.sandbox, point.context, NotebookSession::FolderAccess::None);
    second.runCells({d});
    QTRY_COMPARE(copy.find(d)->run.state, CellRun::State::Finished);
    QCOMPARE(copy.find(d)->executionCount, 2);
    QCOMPARE(second.contexts().size(), std::size_t(1));
    QVERIFY(second.contexts().front()->info().id == point.context.id);
    QVERIFY(second.branchContext().has_value());
    QVERIFY(!second.isSandboxUnused());
}

void RewinderTest::crash_stateKept_isTakenAsRewound()
{
    run({m_a});
    startHanging(m_b);
    QSignalSpy crashed(&rewinder(), &Rewinder::crashed);
    context().finishNow({Outcome::Crashed, 0, {}, "The interpreter ended."});
    QTRY_COMPARE(crashed.count(), 1);
    const auto report = crashed.front().front().value<CrashReport>();
    QVERIFY(report.isRewound);
    QVERIFY(report.cell == m_b);
    QVERIFY(!report.offered);
    run({m_c});
    rewindTo(m_c);
    QCOMPARE(undone(), u"bc"_s);
}

void RewinderTest::crash_stateNotKept_offersTheNewest()
{
    run({m_a, m_b});
    startHanging(m_c);
    std::erase_if(context().states().kept, [](const CheckpointInfo &each) { return each.ref.id == "cp-3"; });
    QSignalSpy crashed(&rewinder(), &Rewinder::crashed);
    context().finishNow({Outcome::Crashed, 0, {}, "The interpreter ended."});
    QTRY_COMPARE(crashed.count(), 1);
    QVERIFY(!crashed.front().front().value<CrashReport>().isRewound);
    QVERIFY(crashed.front().front().value<CrashReport>().offered == m_b);
    rewindTo(m_b);
    QCOMPARE(context().states().rewoundTo, std::vector<std::string>{"cp-2"});
}

void RewinderTest::crash_nothingKept_offersNothing()
{
    m_provider->setKeepsCheckpoints(false);
    run({m_a});
    context().setScript("b", Script::hanging());
    m_session->runCells({m_b});
    QTRY_VERIFY(m_session->queue()->running() == m_b);
    QTRY_COMPARE(context().state(), Context::State::Busy);
    QSignalSpy crashed(&rewinder(), &Rewinder::crashed);
    context().finishNow({Outcome::Crashed, 0, {}, "The interpreter ended."});
    QTRY_COMPARE(crashed.count(), 1);
    QVERIFY(!crashed.front().front().value<CrashReport>().isRewound);
    QVERIFY(!crashed.front().front().value<CrashReport>().offered);
}

QTEST_GUILESS_MAIN(RewinderTest)
#include "tst_rewinder.moc"
