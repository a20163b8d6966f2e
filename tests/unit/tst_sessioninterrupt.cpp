#include "core/document/notebookdocument.h"
#include "core/session/executionqueue.h"
#include "core/session/notebooksession.h"
#include "core/session/stuckcellwatch.h"
#include "core/session/variablecount.h"
#include "tests/support/scriptedprovider.h"
#include "tests/unit/queuefixture.h"

#include <QSignalSpy>
#include <QTest>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// P32 of notebooks.md: every press acts, a late interrupt hits no other cell, and what does not react is told.
class SessionInterruptTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void interrupt_everyPress_isSent();
    void interrupt_unanswered_holdsTheNextCell();
    void stuck_afterPatience_isTold();
    void stuck_cellEnds_isOver();
    void stuck_reactsInTime_isNeverTold();
    void stuck_paused_waits();
    void variables_afterTheLastRun_areCounted();

private:
    CellId add(const QString &source)
    {
        return m_document->insertCell(m_document->cellCount(), Cell::Type::Code, source);
    }
    void startHanging();
    StuckCellWatch &watch() const { return *m_session->interruptWatch(); }
    ScriptedContext &context() const { return *m_provider->contexts().at(0); }

    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<ScriptedProvider> m_provider;
    std::unique_ptr<NotebookSession> m_session;
    CellId m_cell;
};

void SessionInterruptTest::init()
{
    m_document = std::make_unique<NotebookDocument>();
    m_provider = std::make_unique<ScriptedProvider>();
    m_session = std::make_unique<NotebookSession>(m_document.get(), m_provider.get());
    m_cell = add(u"loop"_s);
    watch().setPatience(50ms);
}

void SessionInterruptTest::cleanup()
{
    m_session.reset();
    m_provider.reset();
    m_document.reset();
}

void SessionInterruptTest::startHanging()
{
    Script script = Script::printing("so far");
    script.staysOpen = true;
    m_provider->setDefaultScript(script);
    if (!m_provider->contexts().empty())
        context().setDefaultScript(script);
    m_session->runCells({m_cell});
    QTRY_COMPARE(m_document->find(m_cell)->outputs.size(), std::size_t(1));
    context().setObeysInterrupt(false);
}

void SessionInterruptTest::interrupt_everyPress_isSent()
{
    startHanging();
    for (int i = 1; i <= 3; ++i) {
        m_session->interrupt();
        QCOMPARE(context().interruptCount(), i);
    }
    QVERIFY(m_session->queue()->running() == m_cell);
}

namespace {

/// Answers an interrupt when the test says so.
class SlowContext : public ScriptedContext
{
public:
    Request interrupt(QObject *receiver, Done<> done) override
    {
        held.emplace_back(receiver, std::move(done));
        return held.back().request();
    }
    std::vector<Completion<>> held;
};

class OneContext : public ContextSource
{
public:
    Request contextFor(const std::string &, QObject *receiver, Done<std::shared_ptr<Context>> done) override
    {
        const Completion<std::shared_ptr<Context>> completion(receiver, std::move(done));
        completion.finish(std::shared_ptr<Context>(context));
        return completion.request();
    }
    std::shared_ptr<SlowContext> context = std::make_shared<SlowContext>();
};

} // namespace

void SessionInterruptTest::interrupt_unanswered_holdsTheNextCell()
{
    OneContext source;
    ExecutionQueue queue(m_document.get());
    queue.setContextSource(&source);
    source.context->setScript("loop", Script::hanging());
    const CellId next = add(u"next"_s);
    queue.enqueue({m_cell});
    QTRY_COMPARE(source.context->state(), Context::State::Busy);
    queue.interrupt();
    queue.interrupt();
    QCOMPARE(source.context->held.size(), std::size_t(2));
    source.context->finishNow({Outcome::Interrupted});
    QTRY_VERIFY(!queue.running());
    queue.enqueue({next});
    source.context->held[0].finish({});
    QTest::qWait(0);
    QCOMPARE(source.context->requests().size(), std::size_t(1));
    source.context->held[1].finish({});
    QTRY_COMPARE(m_document->find(next)->run.state, CellRun::State::Finished);
    QCOMPARE(m_document->find(next)->run.outcome, Outcome::Ok);
}

void SessionInterruptTest::stuck_afterPatience_isTold()
{
    startHanging();
    QSignalSpy changed(&watch(), &StuckCellWatch::changed);
    m_session->interrupt();
    QVERIFY(!watch().stuck());
    QVERIFY(changed.wait());
    QVERIFY(watch().stuck() == m_cell);
    // A press after that is sent like any other.
    m_session->interrupt();
    QCOMPARE(context().interruptCount(), 2);
}

void SessionInterruptTest::stuck_cellEnds_isOver()
{
    startHanging();
    QSignalSpy changed(&watch(), &StuckCellWatch::changed);
    m_session->interrupt();
    QVERIFY(changed.wait());
    context().finishNow({Outcome::Interrupted});
    QTRY_COMPARE(changed.count(), 2);
    QVERIFY(!watch().stuck());
}

void SessionInterruptTest::stuck_reactsInTime_isNeverTold()
{
    startHanging();
    context().setObeysInterrupt(true);
    QSignalSpy changed(&watch(), &StuckCellWatch::changed);
    m_session->interrupt();
    QTRY_COMPARE(m_document->find(m_cell)->run.state, CellRun::State::Finished);
    QVERIFY(!changed.wait(200));
}

void SessionInterruptTest::stuck_paused_waits()
{
    startHanging();
    QSignalSpy changed(&watch(), &StuckCellWatch::changed);
    m_session->interrupt();
    m_session->pause();
    QTRY_COMPARE(m_session->state(), NotebookSession::State::Paused);
    QVERIFY(!changed.wait(200));
    m_session->resume();
    QVERIFY(changed.wait());
    QVERIFY(watch().stuck() == m_cell);
}

void SessionInterruptTest::variables_afterTheLastRun_areCounted()
{
    VariableCount *count = m_session->findChild<VariableCount *>();
    count->setReadAfter(10ms);
    QSignalSpy changed(count, &VariableCount::changed);
    m_session->runCells({m_cell});
    QTRY_COMPARE(m_document->find(m_cell)->run.state, CellRun::State::Finished);
    QVERIFY(!m_session->variableCount());
    context().look().looks = Context::Look::Variables;
    context().look().variables.total = 14;
    m_session->runCells({m_cell});
    QVERIFY(changed.wait());
    QCOMPARE(*m_session->variableCount(), 14);
    // While a cell hangs the number is still known, and nobody asks.
    startHanging();
    QCOMPARE(*m_session->variableCount(), 14);
    QCOMPARE(context().look().variablesAsked, 1);
}

QTEST_GUILESS_MAIN(SessionInterruptTest)
#include "tst_sessioninterrupt.moc"
