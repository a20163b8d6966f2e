#include "core/base/json.h"
#include "tests/unit/lizardfixture.h"

using namespace Qt::StringLiterals;
using namespace sandfish;
using namespace sandfish::test;
using Mode = FakeHttpServer::Mode;
using Reply = FakeHttpServer::Reply;
using Kind = FakeLizard::Kind;

/// Runs over HTTP that are refused, lost, interrupted or late: protocols.md §6.4 and §7.2.
class LizardEndingsTest : public QObject, private LizardFixture
{
    Q_OBJECT
private slots:
    void init() { close(); }
    void run_refused_isRejectedWithWords_data();
    void run_refused_isRejectedWithWords();
    void run_nobodyListens_isConnectionLost();
    void run_addressChanged_isSentToTheNewOne();
    void run_contextGone_isRejectedAndDead();
    void run_engineStreamLost_isTakenUpAgain();
    void run_engineGone_isConnectionLost();
    void run_seedTimeLimit_isTimedOut();
    void interrupt_engine_isAccepted();
    void interrupt_seed_isUnsupported();
    void restart_running_endsInterruptedAndAbortsWaiting();
    void lost_javascriptOfSeed_advisesRestart();
};

void LizardEndingsTest::run_refused_isRejectedWithWords_data()
{
    QTest::addColumn<FakeHttpServer::Mode>("mode");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("401") << Mode::Unauthorised << "Invalid API key"_ba;
    QTest::newRow("429") << Mode::RateLimited << "Try again in 7 s"_ba;
    QTest::newRow("500") << Mode::ServerFault << "Internal Server Error"_ba;
}

void LizardEndingsTest::run_refused_isRejectedWithWords()
{
    QFETCH(FakeHttpServer::Mode, mode);
    QFETCH(QByteArray, words);
    open(Kind::Seed);
    m_server->setMode(mode, "/cap-");
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Rejected);
    QVERIFY2(recorder.summary.reason.find(words.toStdString()) != std::string::npos, recorder.summary.reason.c_str());
    QCOMPARE(m_server->executeCount(), 1);
}

void LizardEndingsTest::run_nobodyListens_isConnectionLost()
{
    open(Kind::Seed);
    m_server->shutDown();
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::ConnectionLost);
    QVERIFY(recorder.summary.reason.find("Cannot reach") != std::string::npos);
}

void LizardEndingsTest::run_addressChanged_isSentToTheNewOne()
{
    open(Kind::Seed);
    m_server->setCapability("cap-2");
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Ok);
    QCOMPARE(m_server->exposeCount(), 2);
}

void LizardEndingsTest::run_contextGone_isRejectedAndDead()
{
    open(Kind::Seed);
    m_server->setExecuteReply(Reply::json(R"({"detail":"Context c1 not found"})", 404));
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Rejected);
    QCOMPARE(m_context->state(), Context::State::Dead);
    QCOMPARE(m_server->executeCount(), 1);
}

void LizardEndingsTest::run_engineStreamLost_isTakenUpAgain()
{
    open(Kind::LocalEngine);
    Reply cut = Reply::stream("{\"type\":\"accepted\",\"execution_id\":\"e1\",\"context_id\":\"c1\"}\n"
                              "{\"type\":\"started\",\"execution_count\":4,\"seq\":1}\n"
                              "{\"type\":\"stdout\",\"data\":\"one \",\"seq\":2}\n"
                              "{\"type\":\"stdout\",\"data\":\"tw");
    cut.cutAt = cut.body.size();
    m_server->setExecuteReply(cut);
    m_server->route("GET", "/cap-1/executions/e1/events", [](const FakeHttpServer::Request &request) {
        return request.path.endsWith("?from=3")
            ? Reply::stream("{\"type\":\"stdout\",\"data\":\"two\",\"seq\":3}\n"
                            "{\"type\":\"done\",\"execution_count\":4,\"status\":\"ok\",\"ms\":12,\"seq\":4}\n")
            : Reply::json("{}", 404);
    });
    QList<Context::State> states;
    connect(m_context.get(), &Context::stateChanged, this, [&](Context::State state) { states.append(state); });
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.text(), std::string("one two"));
    QCOMPARE(recorder.summary.outcome, Outcome::Ok);
    QCOMPARE(recorder.summary.duration, std::chrono::milliseconds(12));
    QCOMPARE(m_server->executeCount(), 1);
    QVERIFY(states.contains(Context::State::Reconnecting));
    QCOMPARE(m_context->state(), Context::State::Idle);
}

void LizardEndingsTest::run_engineGone_isConnectionLost()
{
    open(Kind::LocalEngine);
    Reply held = Reply::stream("{\"type\":\"accepted\",\"execution_id\":\"e1\",\"context_id\":\"c1\"}\n"
                               "{\"type\":\"stdout\",\"data\":\"one\",\"seq\":1}\n{}");
    held.stallAt = held.body.size() - 2;
    m_server->setExecuteReply(held);
    Recorder recorder(run());
    QTRY_COMPARE(recorder.text(), std::string("one"));
    m_server->shutDown();
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::ConnectionLost);
    QCOMPARE(recorder.text(), std::string("one"));
}

void LizardEndingsTest::run_seedTimeLimit_isTimedOut()
{
    open(Kind::Seed);
    m_server->setMode(Mode::Stall, "/cap-");
    Recorder recorder(m_context->execute({.code = "x", .timeout = std::chrono::milliseconds(50)}));
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::TimedOut);
}

void LizardEndingsTest::interrupt_engine_isAccepted()
{
    open(Kind::LocalEngine);
    const auto result =
        awaited<std::monostate>([&](QObject *receiver, auto done) { m_context->interrupt(receiver, std::move(done)); });
    QVERIFY(result);
    QCOMPARE(m_server->requestCount("POST", "/cap-1/contexts/c1/interrupt"), 1);
}

void LizardEndingsTest::interrupt_seed_isUnsupported()
{
    open(Kind::Seed);
    const auto result =
        awaited<std::monostate>([&](QObject *receiver, auto done) { m_context->interrupt(receiver, std::move(done)); });
    QVERIFY(!result);
    QCOMPARE(result.error().kind, Error::Kind::Unsupported);
    QVERIFY(result.error().message.find("Restart the context") != std::string::npos);
}

void LizardEndingsTest::restart_running_endsInterruptedAndAbortsWaiting()
{
    open(Kind::Seed);
    m_server->setMode(Mode::Stall, "/cap-1/execute");
    Recorder running(run("first"));
    Recorder waiting(run("second"));
    QTRY_COMPARE(m_server->executeCount(), 1);
    const auto result =
        awaited<std::monostate>([&](QObject *receiver, auto done) { m_context->restart(receiver, std::move(done)); });
    QVERIFY(result);
    QVERIFY(running.waitForEnd());
    QCOMPARE(running.summary.outcome, Outcome::Interrupted);
    QCOMPARE(waiting.summary.outcome, Outcome::Aborted);
    QCOMPARE(m_server->executeCount(), 1);
    QCOMPARE(m_context->state(), Context::State::Idle);
}

void LizardEndingsTest::lost_javascriptOfSeed_advisesRestart()
{
    open(Kind::Seed);
    m_server->route("GET", "/cap-1/contexts", Reply::json(R"([{"id":"c1","language":"javascript","cwd":"/"}])"));
    const auto context = awaited<std::shared_ptr<Context>>([&](QObject *receiver, auto done) {
        m_provider->attachContext({"s1"}, {{"c1"}, "javascript"}, receiver, std::move(done));
    });
    QVERIFY(context);
    m_server->setExecuteReply(Reply::stream("{\"type\":\"stdout\",\"data\":\"part\"}\n"));
    Recorder recorder((*context)->execute({.code = "x"}));
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::ConnectionLost);
    QVERIFY(recorder.summary.reason.find("Restart the context") != std::string::npos);
}

QTEST_GUILESS_MAIN(LizardEndingsTest)
#include "tst_lizardendings.moc"
