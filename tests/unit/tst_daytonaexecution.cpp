#include "tests/support/eventloopwatch.h"
#include "tests/support/fakedaytonafixture.h"

#include <QJsonObject>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;
using namespace sandfish::test;
using namespace std::chrono_literals;
using Reply = FakeHttpServer::Reply;

/// Runs over Daytona's socket: protocols.md §3.6, §6.4, §7.2 and §7.5-62 to -64.
class DaytonaExecutionTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void run_handshake_carriesTheKeyAndFirstFrameTheCode();
    void run_workedExample_givesItsEvents();
    void run_splitAtEveryByte_givesTheSame();
    void run_bothStreams_keepTheirOrder();
    void run_unknownAndMissingMembers_areTolerated();
    void run_garbageMessage_isToldOnceAndSkipped();
    void run_cutAnywhere_isNeverSuccess();
    void run_closeCode_givesItsOutcome_data();
    void run_closeCode_givesItsOutcome();
    void run_errorWithoutControl_isComplete();
    void run_endToldAndNoClose_endsByItself();
    void run_handshakeRefused_isRejectedWithWords_data();
    void run_handshakeRefused_isRejectedWithWords();
    void run_sandboxStopped_isLostAndSaysSo();
    void run_sandboxGone_isLost();
    void run_gatewayAwayForAMoment_isOpenedAgain();
    void run_codeSentOnce_isNeverSentAgain();
    void run_limit_isSentAndKeptToHere();
    void run_hugeMessage_doesNotBlockTheLoop();
    void run_manyMessages_comeInFewEmissions();
    void context_releasedInsideReceived_isSafe();

private:
    Execution *run(const std::string &code = "x") { return m_context->execute({.code = code}); }
    FakeDaytona &server() { return m_fixture->server; }

    std::unique_ptr<FakeDaytonaFixture> m_fixture;
    std::shared_ptr<Context> m_context;
};

namespace {

const QByteArray kTraceback = "Traceback (most recent call last):\n  File \"<stdin>\", line 2\n"
                              "ZeroDivisionError: division by zero\n";

// protocols.md §3.6, with the escapes as Go writes them.
const QByteArray kExample =
    RawWebSocket::text(R"({"type":"stdout","text":"hi é😀\n","name":"","value":"","traceback":""})")
    + RawWebSocket::text(
        R"({"type":"error","text":"","name":"ZeroDivisionError","value":"division by zero","traceback":)"
        R"("Traceback (most recent call last):\n  File \"\u003cstdin\u003e\", line 2\n)"
        R"(ZeroDivisionError: division by zero\n"})")
    + RawWebSocket::text(R"({"type":"control","text":"completed","name":"","value":"","traceback":""})")
    + RawWebSocket::close(1000);

void compareWithExample(const Recorder &recorder)
{
    QCOMPARE(recorder.text(), std::string("hi é😀\n"));
    const auto errors = recorder.all<ErrorOutput>();
    QCOMPARE(errors.size(), std::size_t(1));
    QCOMPARE(errors.front().name, std::string("ZeroDivisionError"));
    QCOMPARE(errors.front().message, std::string("division by zero"));
    QCOMPARE(errors.front().traceback.front(), kTraceback.toStdString());
    QCOMPARE(recorder.summary.outcome, Outcome::CodeError);
    QCOMPARE(recorder.finishedCount, 1);
}

} // namespace

void DaytonaExecutionTest::init()
{
    m_context.reset();
    m_fixture = std::make_unique<FakeDaytonaFixture>();
    const auto context = m_fixture->open();
    QVERIFY(context);
    m_context = *context;
    QTRY_COMPARE(m_context->state(), Context::State::Idle);
}

void DaytonaExecutionTest::run_handshake_carriesTheKeyAndFirstFrameTheCode()
{
    Recorder recorder(m_context->execute({.code = "1+1", .environment = {{"A", "é"}}}));
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(server().requests().last().headers.value("authorization"), "Bearer secret-key"_ba);
    QVERIFY(!server().requests().last().path.contains('?'));
    const QJsonObject expected{{u"code"_s, u"1+1"_s}, {u"contextId"_s, u"c-1"_s}, {u"timeout"_s, 0},
        {u"envs"_s, QJsonObject{{u"A"_s, u"é"_s}}}};
    QCOMPARE(server().runs().first(), expected);
    QCOMPARE(recorder.summary.outcome, Outcome::Ok);
}

void DaytonaExecutionTest::run_workedExample_givesItsEvents()
{
    server().setRun([](RawWebSocket *socket, const QJsonObject &) { socket->send(kExample); });
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    compareWithExample(recorder);
    QCOMPARE(m_context->state(), Context::State::Idle);
}

void DaytonaExecutionTest::run_splitAtEveryByte_givesTheSame()
{
    for (qsizetype piece = 1; piece < kExample.size(); piece = piece < 12 ? piece + 1 : piece * 2) {
        server().setRun([piece](RawWebSocket *socket, const QJsonObject &) { socket->send(kExample, piece); });
        Recorder recorder(run());
        QVERIFY(recorder.waitForEnd());
        compareWithExample(recorder);
    }
}

void DaytonaExecutionTest::run_bothStreams_keepTheirOrder()
{
    server().setFrames({FakeDaytona::frame("stdout", "1"), FakeDaytona::frame("stderr", "2"),
        FakeDaytona::frame("stdout", "3"), FakeDaytona::frame("control", "completed")});
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    std::string all;
    for (const auto &text : recorder.all<StreamText>())
        all += text.text;
    QCOMPARE(all, std::string("123"));
    QCOMPARE(recorder.text(StreamText::Channel::Stderr), std::string("2"));
}

void DaytonaExecutionTest::run_unknownAndMissingMembers_areTolerated()
{
    server().setFrames({RawWebSocket::text(R"({"type":"hologram"})"), RawWebSocket::text("{}"),
        RawWebSocket::text(R"({"type":"control","text":"warming up"})"), RawWebSocket::text(R"({"type":"stdout"})"),
        RawWebSocket::text(R"({"type":"error","more":[]})"), FakeDaytona::frame("control", "completed")});
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.all<ErrorOutput>().front().name, std::string());
    QCOMPARE(recorder.summary.outcome, Outcome::CodeError);
}

void DaytonaExecutionTest::run_garbageMessage_isToldOnceAndSkipped()
{
    server().setFrames({RawWebSocket::text("{"), RawWebSocket::text("[1]"), FakeDaytona::frame("stdout", "on"),
        FakeDaytona::frame("control", "completed")});
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.text(), std::string("on"));
    QCOMPARE(recorder.all<Notice>().size(), std::size_t(1));
    QCOMPARE(recorder.summary.outcome, Outcome::Ok);
}

void DaytonaExecutionTest::run_cutAnywhere_isNeverSuccess()
{
    const QByteArray frames = FakeDaytona::frame("stdout", "part\n");
    const QByteArray end = FakeDaytona::frame("control", "completed");
    const QList<QByteArray> cuts{{}, frames, frames + end.first(20), frames + end.chopped(1)};
    for (const QByteArray &sent : cuts) {
        server().setRun([sent](RawWebSocket *socket, const QJsonObject &) {
            socket->send(sent);
            QTimer::singleShot(20, socket, &RawWebSocket::cut);
        });
        QSignalSpy lost(m_context.get(), &Context::connectionLost);
        Recorder recorder(run());
        QVERIFY(recorder.waitForEnd());
        QCOMPARE(recorder.summary.outcome, Outcome::ConnectionLost);
        QVERIFY(recorder.summary.reason.find("may still run") != std::string::npos);
        QCOMPARE(recorder.text(), std::string(sent.isEmpty() ? "" : "part\n"));
        QCOMPARE(lost.count(), 1);
    }
}

void DaytonaExecutionTest::run_closeCode_givesItsOutcome_data()
{
    QTest::addColumn<QByteArray>("control");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("reason");
    QTest::addColumn<Outcome>("outcome");
    QTest::newRow("normal without an end") << ""_ba << 1000 << ""_ba << Outcome::ConnectionLost;
    QTest::newRow("worker ended") << ""_ba << 1001 << "worker process ended"_ba << Outcome::Crashed;
    QTest::newRow("policy") << ""_ba << 1008 << "code is required"_ba << Outcome::Rejected;
    QTest::newRow("internal") << ""_ba << 1011 << "failed to start"_ba << Outcome::ConnectionLost;
    QTest::newRow("time limit") << ""_ba << 4008 << ""_ba << Outcome::TimedOut;
    QTest::newRow("interrupted") << "interrupted"_ba << 4008 << ""_ba << Outcome::TimedOut;
    QTest::newRow("interrupted, normal") << "interrupted"_ba << 1000 << ""_ba << Outcome::TimedOut;
    QTest::newRow("no code") << ""_ba << 0 << ""_ba << Outcome::ConnectionLost;
}

void DaytonaExecutionTest::run_closeCode_givesItsOutcome()
{
    QFETCH(QByteArray, control);
    QFETCH(int, code);
    QFETCH(QByteArray, reason);
    QFETCH(Outcome, outcome);
    server().setFrames(
        control.isEmpty() ? QList<QByteArray>() : QList{FakeDaytona::frame("control", control)}, code, reason);
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, outcome);
    QVERIFY(!recorder.summary.reason.empty());
    if (outcome == Outcome::Rejected)
        QVERIFY(recorder.summary.reason.find(reason.toStdString()) != std::string::npos);
}

void DaytonaExecutionTest::run_errorWithoutControl_isComplete()
{
    server().setFrames({FakeDaytona::errorFrame("E", "v", "t")});
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::CodeError);
}

void DaytonaExecutionTest::run_endToldAndNoClose_endsByItself()
{
    server().setRun(
        [](RawWebSocket *socket, const QJsonObject &) { socket->send(FakeDaytona::frame("control", "completed")); });
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Ok);
}

void DaytonaExecutionTest::run_handshakeRefused_isRejectedWithWords_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("401") << 401 << R"({"message":"Bad key"})"_ba
                         << "Check the key"_ba;
    QTest::newRow("403") << 403 << R"({"message":"Not yours"})"_ba
                         << "It answered \"Not yours\""_ba;
    QTest::newRow("empty") << 400 << ""_ba
                           << "rejected the request"_ba;
    QTest::newRow("429") << 429 << R"({"message":"Slow","retryAfterS":99})"_ba
                         << "Try again in 99 s"_ba;
}

void DaytonaExecutionTest::run_handshakeRefused_isRejectedWithWords()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, words);
    server().setHandshake(Reply::json(body, status));
    server().route("GET", "/toolbox/sb-1/process/interpreter/context", Reply::json(body, status));
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Rejected);
    QVERIFY2(recorder.summary.reason.find(words.toStdString()) != std::string::npos, recorder.summary.reason.c_str());
    QVERIFY(server().runs().isEmpty());
}

void DaytonaExecutionTest::run_sandboxStopped_isLostAndSaysSo()
{
    server().setHandshake(Reply::empty(400));
    server().setStates({u"stopped"_s});
    QSignalSpy lost(m_context.get(), &Context::connectionLost);
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::ConnectionLost);
    QVERIFY(recorder.summary.reason.find("\"stopped\"") != std::string::npos);
    QVERIFY(recorder.summary.reason.find("Resume it") != std::string::npos);
    QCOMPARE(lost.count(), 1);
}

void DaytonaExecutionTest::run_sandboxGone_isLost()
{
    server().setHandshake(Reply::empty(404));
    server().route("GET", "/api/sandbox/sb-1", Reply::json(R"({"message":"Sandbox sb-1 not found"})", 404));
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::ConnectionLost);
    QVERIFY(recorder.summary.reason.find("no longer exists") != std::string::npos);
}

void DaytonaExecutionTest::run_gatewayAwayForAMoment_isOpenedAgain()
{
    server().setHandshake(Reply::empty(502));
    QList<Context::State> states;
    connect(m_context.get(), &Context::stateChanged, this, [&](Context::State state) { states.append(state); });
    Recorder recorder(run());
    const int before = server().handshakeCount();
    QTRY_COMPARE(server().handshakeCount(), before + 1);
    server().acceptHandshakes();
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Ok);
    QCOMPARE(server().runs().size(), 1);
    QVERIFY(states.contains(Context::State::Reconnecting));
    QCOMPARE(m_context->state(), Context::State::Idle);
}

void DaytonaExecutionTest::run_codeSentOnce_isNeverSentAgain()
{
    server().setRun([](RawWebSocket *socket, const QJsonObject &) { socket->cut(); });
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QTest::qWait(400); // longer than the first pause before another try
    QCOMPARE(server().runs().size(), 1);
    QCOMPARE(recorder.finishedCount, 1);
}

void DaytonaExecutionTest::run_limit_isSentAndKeptToHere()
{
    server().setFrames({FakeDaytona::frame("control", "interrupted")}, 4008);
    Recorder recorder(m_context->execute({.code = "x", .timeout = 1500ms}));
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(server().runs().first().value("timeout"_L1).toInt(), 2);
    QCOMPARE(recorder.summary.outcome, Outcome::TimedOut);
    QVERIFY(recorder.summary.reason.find("variables are kept") != std::string::npos);
}

void DaytonaExecutionTest::run_hugeMessage_doesNotBlockTheLoop()
{
    const QByteArray text(8 << 20, 'x');
    const QByteArray frames = FakeDaytona::frame("stdout", text) + FakeDaytona::frame("control", "completed");
    server().setRun([&](RawWebSocket *socket, const QJsonObject &) {
        socket->send(frames + RawWebSocket::close(1000), 256 << 10);
    });
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd(60000));
    QCOMPARE(recorder.text().size(), std::size_t(text.size()));
    QCOMPARE(recorder.summary.outcome, Outcome::Ok);
}

void DaytonaExecutionTest::run_manyMessages_comeInFewEmissions()
{
    QByteArray frames;
    std::string expected;
    for (int i = 0; i < 20000; ++i) {
        frames += FakeDaytona::frame("stdout", QByteArray::number(i) + '\n');
        expected += std::to_string(i) + '\n';
    }
    frames += FakeDaytona::frame("control", "completed") + RawWebSocket::close(1000);
    server().setRun([&](RawWebSocket *socket, const QJsonObject &) { socket->send(frames, 64 << 10); });
    EventLoopWatch watch;
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd(60000));
    QVERIFY(recorder.text() == expected);
    QVERIFY2(recorder.emissions < 2000, QByteArray::number(recorder.emissions).constData());
    QVERIFY2(!watch.wasBlocked(), watch.report());
}

void DaytonaExecutionTest::context_releasedInsideReceived_isSafe()
{
    server().setRun([](RawWebSocket *socket, const QJsonObject &) { socket->send(kExample); });
    bool isReleased = false;
    Execution *execution = run();
    connect(execution, &Execution::received, this, [&] {
        m_context.reset();
        isReleased = true;
    });
    QTRY_VERIFY(isReleased);
    QTest::qWait(20);
}

QTEST_GUILESS_MAIN(DaytonaExecutionTest)
#include "tst_daytonaexecution.moc"
