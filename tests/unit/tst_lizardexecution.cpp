#include "core/base/json.h"
#include "tests/support/eventloopwatch.h"
#include "tests/unit/lizardfixture.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;
using namespace sandfish::test;
using Mode = FakeHttpServer::Mode;
using Reply = FakeHttpServer::Reply;
using Kind = FakeLizard::Kind;

/// Runs over HTTP: protocols.md §6.4 and §7.2.
class LizardExecutionTest : public QObject, private LizardFixture
{
    Q_OBJECT
private slots:
    void init() { close(); }
    void run_recordedStream_givesItsEvents();
    void run_splitAtEveryByte_givesTheSame();
    void run_missingMembers_countAsEmpty();
    void run_unknownRecords_areIgnored();
    void run_badRecord_isToldOnceAndSkipped();
    void run_cutAnywhere_isNeverSuccess();
    void run_endWithoutDone_isConnectionLost();
    void run_twoAtOnce_areSentOneAfterTheOther();
    void run_seedError_isCodeError();
    void run_engine_sendsDialectLabelAndNoLimit();
    void run_seed_warnsOnceOfLastLine();
    void run_silentStream_staysOpen();
    void run_hugeRecord_doesNotBlockTheLoop();
    void run_manyRecords_comeInFewEmissions();
    void input_engine_isSentAndRunGoesOn();
    void context_releasedInsideReceived_isSafe();
};

namespace {

// protocols.md §1.5, with a figure and an error as §1.4 describes them.
const QByteArray kRecorded =
    "{\"type\": \"stdout\", \"data\": \"hi \\u00e9\\ud83d\\ude00\\n\", \"ts\": 1795959541946}\n"
    "{\"type\":\"stderr\",\"data\":\"careful ✓\\n\",\"ts\":1}\n"
    "{\"type\":\"result\",\"mime\":\"image/png\",\"data\":\"iVBORw0KGgo=\"}\n"
    "{\"type\": \"result\", \"mime\": \"application/json\", \"data\": \"2\"}\n"
    "{\"type\":\"error\",\"name\":\"ValueError\",\"message\":\"no\",\"traceback\":\"Trace\"}\n"
    "{\"type\": \"done\", \"execution_count\": 3}\n";

void compareWithRecorded(const Recorder &recorder)
{
    QCOMPARE(recorder.text(), std::string("hi é😀\n"));
    QCOMPARE(recorder.text(StreamText::Channel::Stderr), std::string("careful ✓\n"));
    const auto results = recorder.all<ExecuteResult>();
    QCOMPARE(results.size(), std::size_t(2));
    QCOMPARE(results[0].data.text("image/png"), std::string_view("iVBORw0KGgo="));
    QVERIFY(*results[1].data.find("application/json") == Json(2));
    QCOMPARE(recorder.all<ErrorOutput>().front().name, std::string("ValueError"));
    QCOMPARE(recorder.summary.executionCount, 3);
    QCOMPARE(recorder.summary.outcome, Outcome::CodeError);
    QCOMPARE(recorder.finishedCount, 1);
}

} // namespace

void LizardExecutionTest::run_recordedStream_givesItsEvents()
{
    open(Kind::Seed);
    m_server->setExecuteReply(Reply::stream(kRecorded));
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    compareWithRecorded(recorder);
    QCOMPARE(m_context->state(), Context::State::Idle);
}

void LizardExecutionTest::run_splitAtEveryByte_givesTheSame()
{
    open(Kind::Seed);
    for (qsizetype piece = 1; piece < kRecorded.size(); piece = piece < 16 ? piece + 1 : piece * 2) {
        Reply reply = Reply::stream(kRecorded);
        reply.pieceBytes = piece;
        m_server->setExecuteReply(reply);
        Recorder recorder(run());
        QVERIFY(recorder.waitForEnd());
        compareWithRecorded(recorder);
    }
}

void LizardExecutionTest::run_missingMembers_countAsEmpty()
{
    open(Kind::Seed);
    m_server->setExecuteReply(
        Reply::stream("{\"type\":\"result\"}\n{\"type\":\"error\"}\n{\"type\":\"stdout\"}\n{\"type\":\"done\"}\n"));
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.all<ErrorOutput>().front().name, std::string());
    QCOMPARE(recorder.summary.outcome, Outcome::CodeError);
}

void LizardExecutionTest::run_unknownRecords_areIgnored()
{
    open(Kind::Seed);
    m_server->setExecuteReply(Reply::stream(
        "{\"type\":\"keepalive\"}\n{\"type\":\"hologram\",\"data\":{}}\n{\"type\":\"done\",\"execution_count\":1}\n"));
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Ok);
    QVERIFY(recorder.text().empty());
}

void LizardExecutionTest::run_badRecord_isToldOnceAndSkipped()
{
    open(Kind::LocalEngine);
    m_server->setExecuteReply(Reply::stream(
        "{\"type\":\n[1]\n{\"type\":\"stdout\",\"data\":\"on\"}\n\"x\"\n{\"type\":\"done\",\"execution_count\":1}\n"));
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Ok);
    QCOMPARE(recorder.text(), std::string("on"));
    QCOMPARE(recorder.all<Notice>().size(), std::size_t(1));
}

void LizardExecutionTest::run_cutAnywhere_isNeverSuccess()
{
    open(Kind::Seed);
    const qsizetype doneAt = kRecorded.lastIndexOf("{\"type\": \"done\"");
    for (const qsizetype cut :
        {qsizetype(0), qsizetype(20), kRecorded.indexOf('\n') + 1, doneAt, kRecorded.size() - 3}) {
        Reply reply = Reply::stream(kRecorded);
        reply.cutAt = cut;
        m_server->setExecuteReply(reply);
        Recorder recorder(run());
        QSignalSpy lost(m_context.get(), &Context::connectionLost);
        QVERIFY(recorder.waitForEnd());
        QCOMPARE(recorder.summary.outcome, Outcome::ConnectionLost);
        QVERIFY(!recorder.summary.reason.empty());
        QCOMPARE(lost.count(), 1);
        if (cut > kRecorded.indexOf('\n'))
            QCOMPARE(recorder.text(), std::string("hi é😀\n"));
    }
}

void LizardExecutionTest::run_endWithoutDone_isConnectionLost()
{
    open(Kind::Seed);
    m_server->setExecuteReply(Reply::stream("{\"type\":\"stdout\",\"data\":\"part\"}\n"));
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::ConnectionLost);
    QCOMPARE(recorder.text(), std::string("part"));
}

void LizardExecutionTest::run_twoAtOnce_areSentOneAfterTheOther()
{
    open(Kind::Seed);
    Reply held = Reply::stream("{\"type\":\"stdout\",\"data\":\"a\"}\n{\"type\":\"done\",\"execution_count\":1}\n");
    held.stallAt = 31;
    m_server->setExecuteReply(held);
    Recorder first(run("first"));
    Execution *waiting = run("second");
    Recorder second(waiting);
    QTRY_COMPARE(first.text(), std::string("a"));
    QCOMPARE(waiting->state(), Execution::State::Queued);
    QCOMPARE(m_server->executeCount(), 1);
    m_server->setExecuteReply(Reply::stream("{\"type\":\"done\",\"execution_count\":2}\n"));
    m_server->closeConnections();
    QVERIFY(second.waitForEnd());
    QCOMPARE(first.summary.outcome, Outcome::ConnectionLost);
    QCOMPARE(second.summary.outcome, Outcome::Ok);
}

void LizardExecutionTest::run_seedError_isCodeError()
{
    open(Kind::Seed);
    m_server->setExecuteReply(
        Reply::stream("{\"type\":\"error\",\"name\":\"E\"}\n{\"type\":\"done\",\"execution_count\":1}\n"));
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::CodeError);
}

void LizardExecutionTest::run_engine_sendsDialectLabelAndNoLimit()
{
    open(Kind::LocalEngine);
    Recorder recorder(m_context->execute({.code = "1+1", .label = "7", .environment = {{"A", "é"}}}));
    QVERIFY(recorder.waitForEnd());
    const Json expected = {{"code", "1+1"}, {"context_id", "c1"}, {"env_vars", {{"A", "é"}}},
        {"sandfish", {{"dialect", "full"}, {"label", "7"}, {"timeout_ms", 0}, {"stdin", true}}}};
    QCOMPARE(m_server->lastExecuteBody().toStdString(), dumpJson(expected));
}

void LizardExecutionTest::run_seed_warnsOnceOfLastLine()
{
    open(Kind::Seed);
    Recorder first(run());
    QVERIFY(first.waitForEnd());
    QCOMPARE(first.all<Notice>().size(), std::size_t(1));
    Recorder second(run());
    QVERIFY(second.waitForEnd());
    QVERIFY(second.all<Notice>().empty());
    QVERIFY(m_server->lastExecuteBody().indexOf("sandfish") < 0);
}

void LizardExecutionTest::run_silentStream_staysOpen()
{
    open(Kind::Seed);
    m_server->setMode(Mode::Stall, "/cap-");
    Recorder recorder(run());
    QTRY_COMPARE(m_server->executeCount(), 1);
    QTest::qWait(300);
    QCOMPARE(recorder.finishedCount, 0);
    QCOMPARE(m_context->state(), Context::State::Busy);
}

void LizardExecutionTest::run_hugeRecord_doesNotBlockTheLoop()
{
    open(Kind::Seed);
    const QByteArray text(50 << 20, 'x');
    m_server->setExecuteReply(
        Reply::stream("{\"type\":\"stdout\",\"data\":\"" + text + "\"}\n{\"type\":\"done\",\"execution_count\":1}\n"));
    Recorder recorder(run());
    std::unique_ptr<EventLoopWatch> watch;
    // The server writes the 50 MiB from this thread; what is watched begins with the answer.
    connect(m_context.get(), &Context::stateChanged, this, [&] { watch.reset(); });
    QTRY_VERIFY(m_server->executeCount() == 1);
    watch = std::make_unique<EventLoopWatch>();
    QVERIFY(recorder.waitForEnd(60000));
    QCOMPARE(recorder.text().size(), std::size_t(50 << 20));
    if (watch)
        QVERIFY2(!watch->wasBlocked(), watch->report());
}

void LizardExecutionTest::run_manyRecords_comeInFewEmissions()
{
    open(Kind::Seed);
    QByteArray body;
    for (int i = 0; i < 20000; ++i)
        body += "{\"type\":\"stdout\",\"data\":\"" + QByteArray::number(i) + "\\n\",\"ts\":1}\n";
    Reply reply = Reply::stream(body + "{\"type\":\"done\",\"execution_count\":1}\n");
    reply.pieceBytes = 64 << 10;
    m_server->setExecuteReply(reply);
    Recorder recorder(run());
    EventLoopWatch watch;
    QVERIFY(recorder.waitForEnd(60000));
    std::string expected;
    for (int i = 0; i < 20000; ++i)
        expected += std::to_string(i) + '\n';
    QVERIFY(recorder.text() == expected);
    QVERIFY2(recorder.emissions < 2000, QByteArray::number(recorder.emissions).constData());
    QVERIFY2(!watch.wasBlocked(), watch.report());
}

void LizardExecutionTest::input_engine_isSentAndRunGoesOn()
{
    open(Kind::LocalEngine);
    Reply held = Reply::stream("{\"type\":\"accepted\",\"execution_id\":\"e1\",\"context_id\":\"c1\"}\n"
                               "{\"type\":\"input_request\",\"prompt\":\"name? \",\"password\":false,\"seq\":1}\n{}");
    held.stallAt = held.body.size() - 2;
    m_server->setExecuteReply(held);
    Execution *execution = run();
    Recorder recorder(execution);
    QTRY_COMPARE(execution->state(), Execution::State::AwaitingInput);
    QCOMPARE(recorder.all<InputRequest>().front().prompt, std::string("name? "));
    execution->sendInput("É");
    QCOMPARE(execution->state(), Execution::State::Running);
    QTRY_COMPARE(m_server->requestCount("POST", "/cap-1/contexts/c1/input"), 1);
    QCOMPARE(m_server->requests().last().body, "{\"text\":\"É\"}"_ba);
}

void LizardExecutionTest::context_releasedInsideReceived_isSafe()
{
    open(Kind::Seed);
    m_server->setExecuteReply(Reply::stream(kRecorded));
    Execution *execution = run();
    bool isReleased = false;
    connect(execution, &Execution::received, this, [&] {
        m_context.reset();
        isReleased = true;
    });
    QTRY_VERIFY(isReleased);
    QTRY_COMPARE(m_server->openConnectionCount() >= 0, true);
}

QTEST_GUILESS_MAIN(LizardExecutionTest)
#include "tst_lizardexecution.moc"
