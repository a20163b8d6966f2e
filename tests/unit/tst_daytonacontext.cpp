#include "tests/support/fakedaytonafixture.h"

#include <QJsonDocument>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;
using namespace sandfish::test;
using namespace std::chrono_literals;
using Mode = FakeHttpServer::Mode;
using Reply = FakeHttpServer::Reply;

/// A context of Daytona: order, interrupt, restart, what a crash means (protocols.md §3.5, §3.6, §7.2-49, §7.5-69).
class DaytonaContextTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void open_context_tellsTheVersionOfItsInterpreter();
    void open_lookFails_runsAllTheSame();
    void run_twoAtOnce_areSentOneAfterTheOther();
    void run_afterAnErrorAlone_waitsForItsRest();
    void run_endedAtOnceAfterThat_isDoubted();
    void run_crash_isFollowedByANewInterpreter();
    void run_contextUnknown_isDead();
    void run_long_countsAsActivity();
    void run_silent_staysOpenWhileTheSandboxRuns();
    void run_silentAndStopped_isLost();
    void run_silentAndOutOfReach_isLost();
    void interrupt_running_sendsTheSignalAndEndsInterrupted();
    void interrupt_processGone_givesTheChoices();
    void interrupt_unknownProcess_isUnsupported();
    void interrupt_commandRefused_isToldAndTheEndStaysALimit();
    void interrupt_waiting_endsWhatWaits();
    void restart_running_closesAndOpensAnew();
    void restart_newId_isToldAndUsed();
    void restart_closeRefused_keepsTheContext();
    void restart_noNewContext_isDead();

private:
    std::shared_ptr<Context> open();
    /// Of one that never ends by itself.
    Execution *hold(const std::string &code = "held");
    template <typename Act> Result<> ask(Act act)
    {
        return awaited<std::monostate>(
            [&](QObject *receiver, auto done) { ((*m_context).*act)(receiver, std::move(done)); });
    }
    FakeDaytona &server() { return m_fixture->server; }

    std::unique_ptr<FakeDaytonaFixture> m_fixture;
    std::shared_ptr<Context> m_context;
    RawWebSocket *m_held = nullptr;
};

void DaytonaContextTest::init()
{
    m_context.reset();
    m_held = nullptr;
    m_fixture = std::make_unique<FakeDaytonaFixture>();
}

std::shared_ptr<Context> DaytonaContextTest::open()
{
    m_fixture->connect();
    const auto context = m_fixture->open();
    if (!context || !QTest::qWaitFor([&] { return (*context)->state() == Context::State::Idle; }))
        return nullptr;
    m_context = *context;
    return m_context;
}

Execution *DaytonaContextTest::hold(const std::string &code)
{
    server().setRun([this](RawWebSocket *socket, const QJsonObject &) { m_held = socket; });
    Execution *execution = m_context->execute({.code = code});
    return QTest::qWaitFor([this] { return m_held != nullptr; }) ? execution : nullptr;
}

void DaytonaContextTest::open_context_tellsTheVersionOfItsInterpreter()
{
    QVERIFY(open());
    QCOMPARE(m_context->info().version, std::string("3.12.1"));
    QCOMPARE(m_context->info().cwd, std::string("/home/daytona"));
    QVERIFY(server().runs().isEmpty());
}

void DaytonaContextTest::open_lookFails_runsAllTheSame()
{
    m_fixture->config.setupLimit = 50ms;
    server().setWorker({});
    QVERIFY(open());
    QVERIFY(m_context->info().version.empty());
    Recorder recorder(m_context->execute({.code = "x"}));
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Ok);
}

void DaytonaContextTest::run_twoAtOnce_areSentOneAfterTheOther()
{
    QVERIFY(open());
    Recorder first(hold("first"));
    Execution *waiting = m_context->execute({.code = "second"});
    Recorder second(waiting);
    QTest::qWait(50);
    QCOMPARE(server().runs().size(), 1);
    QCOMPARE(waiting->state(), Execution::State::Queued);
    QCOMPARE(m_context->state(), Context::State::Busy);
    server().setFrames({FakeDaytona::frame("control", "completed")});
    m_held->send(FakeDaytona::frame("control", "completed") + RawWebSocket::close(1000));
    QVERIFY(second.waitForEnd());
    QCOMPARE(first.summary.outcome, Outcome::Ok);
    QCOMPARE(server().runs().last().value("code"_L1).toString(), u"second"_s);
}

void DaytonaContextTest::run_afterAnErrorAlone_waitsForItsRest()
{
    QVERIFY(open());
    server().setFrames({FakeDaytona::errorFrame("E", "v", "t")});
    Recorder first(m_context->execute({.code = "1/0"}));
    QVERIFY(first.waitForEnd());
    QElapsedTimer age;
    age.start();
    server().setFrames({FakeDaytona::frame("control", "completed")});
    Recorder second(m_context->execute({.code = "x"}));
    QVERIFY(second.waitForEnd());
    QVERIFY(age.elapsed() >= 200);
    QVERIFY(second.all<Notice>().empty());
}

void DaytonaContextTest::run_endedAtOnceAfterThat_isDoubted()
{
    QVERIFY(open());
    server().setFrames({FakeDaytona::errorFrame("E", "v", "t")});
    Recorder first(m_context->execute({.code = "1/0"}));
    QVERIFY(first.waitForEnd());
    server().setFrames({FakeDaytona::frame("control", "completed")});
    Recorder second(m_context->execute({.code = "print(1)"}));
    QVERIFY(second.waitForEnd());
    QCOMPARE(second.all<Notice>().size(), std::size_t(1));
    Recorder third(m_context->execute({.code = "print(1)"}));
    QVERIFY(third.waitForEnd());
    QVERIFY(third.all<Notice>().empty());
}

void DaytonaContextTest::run_crash_isFollowedByANewInterpreter()
{
    QVERIFY(open());
    server().setWorker(R"({"pid": 99, "started": "888", "version": "3.13.0"})");
    server().setFrames({FakeDaytona::frame("stdout", "part")}, 1001, "worker process ended");
    Recorder recorder(m_context->execute({.code = "crash"}));
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Crashed);
    QVERIFY(recorder.summary.reason.find("variables are gone") != std::string::npos);
    QTRY_COMPARE(m_context->state(), Context::State::Idle);
    QCOMPARE(m_context->info().version, std::string("3.13.0"));
}

void DaytonaContextTest::run_contextUnknown_isDead()
{
    QVERIFY(open());
    server().setFrames({}, 1008, "context not found: c-1");
    Recorder recorder(m_context->execute({.code = "x"}));
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Rejected);
    QCOMPARE(m_context->state(), Context::State::Dead);
}

void DaytonaContextTest::run_long_countsAsActivity()
{
    m_fixture->config.awakeInterval = 20ms;
    QVERIFY(open());
    Recorder recorder(hold());
    QTRY_VERIFY(server().requestCount("POST", "/api/sandbox/sb-1/last-activity") > 1);
    m_held->send(FakeDaytona::frame("control", "completed") + RawWebSocket::close(1000));
    QVERIFY(recorder.waitForEnd());
    const int count = server().requestCount("POST", "/api/sandbox/sb-1/last-activity");
    QTest::qWait(80);
    QVERIFY(server().requestCount("POST", "/api/sandbox/sb-1/last-activity") <= count + 1);
}

void DaytonaContextTest::run_silent_staysOpenWhileTheSandboxRuns()
{
    m_fixture->config.pingInterval = 20ms;
    QVERIFY(open());
    server().setRun([this](RawWebSocket *socket, const QJsonObject &) {
        socket->setAnswersPings(false);
        m_held = socket;
    });
    Recorder recorder(m_context->execute({.code = "x"}));
    QTRY_VERIFY(server().requestCount("GET", "/api/sandbox/sb-1") > 5);
    QCOMPARE(recorder.finishedCount, 0);
    m_held->send(FakeDaytona::frame("control", "completed") + RawWebSocket::close(1000));
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Ok);
}

void DaytonaContextTest::run_silentAndStopped_isLost()
{
    m_fixture->config.pingInterval = 20ms;
    QVERIFY(open());
    server().setRun([](RawWebSocket *socket, const QJsonObject &) {
        socket->send(FakeDaytona::frame("stdout", "part"));
        socket->setAnswersPings(false);
    });
    Recorder recorder(m_context->execute({.code = "x"}));
    QTRY_COMPARE(recorder.text(), std::string("part"));
    server().setStates({u"stopped"_s});
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::ConnectionLost);
}

void DaytonaContextTest::run_silentAndOutOfReach_isLost()
{
    m_fixture->config.pingInterval = 20ms;
    QVERIFY(open());
    server().setRun([](RawWebSocket *socket, const QJsonObject &) { socket->setAnswersPings(false); });
    Recorder recorder(m_context->execute({.code = "x"}));
    QTRY_COMPARE(server().runs().size(), 1);
    server().shutDown();
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::ConnectionLost);
}

void DaytonaContextTest::interrupt_running_sendsTheSignalAndEndsInterrupted()
{
    QVERIFY(open());
    Recorder recorder(hold());
    QVERIFY(ask(&Context::interrupt));
    QCOMPARE(server().requestCount("POST", "/toolbox/sb-1/process/execute"), 1);
    const QString command =
        QJsonDocument::fromJson(server().requests().last().body).object().value("command"_L1).toString();
    QVERIFY2(command.contains("kill -INT 41"_L1) && command.contains("= 777 ]"_L1), qPrintable(command));
    m_held->send(FakeDaytona::frame("control", "interrupted") + RawWebSocket::close(4008));
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Interrupted);
}

void DaytonaContextTest::interrupt_processGone_givesTheChoices()
{
    QVERIFY(open());
    server().route("POST", "/toolbox/sb-1/process/execute", Reply::json(R"({"exitCode":3,"result":""})"));
    Recorder recorder(hold());
    const Result<> result = ask(&Context::interrupt);
    QVERIFY(!result);
    QCOMPARE(result.error().kind, Error::Kind::Unsupported);
    for (const char *choice : {"Let it go on", "restart the context", "kill the sandbox"})
        QVERIFY2(result.error().message.find(choice) != std::string::npos, result.error().message.c_str());
    QCOMPARE(recorder.finishedCount, 0);
}

void DaytonaContextTest::interrupt_unknownProcess_isUnsupported()
{
    m_fixture->config.setupLimit = 50ms;
    server().setWorker({});
    QVERIFY(open());
    Recorder recorder(hold());
    QCOMPARE(ask(&Context::interrupt).error().kind, Error::Kind::Unsupported);
    QCOMPARE(server().requestCount("POST", "/toolbox/sb-1/process/execute"), 0);
}

void DaytonaContextTest::interrupt_commandRefused_isToldAndTheEndStaysALimit()
{
    QVERIFY(open());
    server().route("POST", "/toolbox/sb-1/process/execute", Reply::empty(500));
    Recorder recorder(hold());
    QCOMPARE(ask(&Context::interrupt).error().kind, Error::Kind::ServerError);
    m_held->send(FakeDaytona::frame("control", "interrupted") + RawWebSocket::close(4008));
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::TimedOut);
}

void DaytonaContextTest::interrupt_waiting_endsWhatWaits()
{
    m_fixture->config.setupLimit = 5000ms;
    server().setWorker({});
    m_fixture->connect();
    const auto context = m_fixture->open();
    QVERIFY(context);
    m_context = *context;
    Recorder recorder(m_context->execute({.code = "x"}));
    QVERIFY(ask(&Context::interrupt));
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Interrupted);
    QVERIFY(server().runs().isEmpty());
}

void DaytonaContextTest::restart_running_closesAndOpensAnew()
{
    QVERIFY(open());
    Recorder running(hold());
    Recorder waiting(m_context->execute({.code = "second"}));
    server().route("DELETE", "/toolbox/sb-1/process/interpreter/context/c-1", [this](const auto &) {
        m_held->send(RawWebSocket::close(1001, "context shutdown"));
        return Reply::json("{}");
    });
    QVERIFY(ask(&Context::restart));
    QVERIFY(running.waitForEnd());
    QCOMPARE(running.summary.outcome, Outcome::Interrupted);
    QVERIFY(waiting.waitForEnd());
    QCOMPARE(waiting.summary.outcome, Outcome::Aborted);
    QTRY_COMPARE(m_context->state(), Context::State::Idle);
}

void DaytonaContextTest::restart_newId_isToldAndUsed()
{
    QVERIFY(open());
    server().route("POST", "/toolbox/sb-1/process/interpreter/context",
        Reply::json(R"({"id":"c-2","cwd":"/home/daytona","language":"python","active":true})"));
    QSignalSpy told(m_context.get(), &Context::infoChanged);
    QVERIFY(ask(&Context::restart));
    QVERIFY(told.count() >= 1);
    QCOMPARE(m_context->info().id.value, std::string("c-2"));
    QCOMPARE(server().requestCount("DELETE", "/toolbox/sb-1/process/interpreter/context/c-1"), 1);
    Recorder recorder(m_context->execute({.code = "x"}));
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(server().runs().last().value("contextId"_L1).toString(), u"c-2"_s);
}

void DaytonaContextTest::restart_closeRefused_keepsTheContext()
{
    QVERIFY(open());
    server().route("DELETE", "/toolbox/sb-1/process/interpreter/context/c-1", Reply::empty(400));
    QVERIFY(!ask(&Context::restart));
    QCOMPARE(m_context->state(), Context::State::Idle);
    QCOMPARE(m_context->info().id.value, std::string("c-1"));
}

void DaytonaContextTest::restart_noNewContext_isDead()
{
    QVERIFY(open());
    server().route("POST", "/toolbox/sb-1/process/interpreter/context", Reply::empty(500));
    QVERIFY(!ask(&Context::restart));
    QCOMPARE(m_context->state(), Context::State::Dead);
}

QTEST_GUILESS_MAIN(DaytonaContextTest)
#include "tst_daytonacontext.moc"
