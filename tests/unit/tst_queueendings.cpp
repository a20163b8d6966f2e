#include "tests/unit/queuefixture.h"

#include <QSignalSpy>
#include <QTest>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

/// What ends a cell early, and what becomes of the cells behind it.
class QueueEndingsTest : public QObject, private QueueFixture
{
    Q_OBJECT
private slots:
    void init() { setUp(); }
    void cleanup() { tearDown(); }
    void error_stopsTheRestWhichIsNotRun();
    void error_withContinue_goesOn();
    void error_ofTaggedCell_goesOn();
    void timeout_ofTaggedCell_stopsTheRest();
    void interrupt_everyPress_sendsAnother();
    void interrupt_clearsTheQueue();
    void contextFails_cellSaysWhyAndRestIsNotRun();
    void interrupt_whileContextStarts_isNotRun();
    void connectionLost_keepsOutputAndSaysSo();
    void connectionLost_expected_hasTheGivenReason();
    void contextDestroyed_duringRun_ends();
    void abandonRunning_ignoresTheRest();

private:
    void useTaggedNotebook();
};

void QueueEndingsTest::useTaggedNotebook()
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

// P31 of notebooks.md.
void QueueEndingsTest::error_stopsTheRestWhichIsNotRun()
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

void QueueEndingsTest::error_withContinue_goesOn()
{
    python().setScript("bad", Script::raising("ValueError", "no"));
    const CellId a = add(u"bad"_s), b = add(u"b"_s);
    m_queue->enqueue({a, b}, ExecutionQueue::OnError::Continue);
    QTRY_COMPARE(state(b), CellRun::State::Finished);
}

void QueueEndingsTest::error_ofTaggedCell_goesOn()
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

void QueueEndingsTest::timeout_ofTaggedCell_stopsTheRest()
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
void QueueEndingsTest::interrupt_everyPress_sendsAnother()
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

void QueueEndingsTest::interrupt_clearsTheQueue()
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

void QueueEndingsTest::contextFails_cellSaysWhyAndRestIsNotRun()
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

void QueueEndingsTest::interrupt_whileContextStarts_isNotRun()
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

void QueueEndingsTest::connectionLost_keepsOutputAndSaysSo()
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

void QueueEndingsTest::connectionLost_expected_hasTheGivenReason()
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

void QueueEndingsTest::contextDestroyed_duringRun_ends()
{
    python().setDefaultScript(Script::hanging());
    const CellId a = add(u"a"_s);
    m_queue->enqueue({a});
    QTRY_VERIFY(python().state() == Context::State::Busy);
    m_queue.reset();
    m_source.reset();
    QCOMPARE(state(a), CellRun::State::Running);
}

void QueueEndingsTest::abandonRunning_ignoresTheRest()
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

QTEST_GUILESS_MAIN(QueueEndingsTest)
#include "tst_queueendings.moc"
