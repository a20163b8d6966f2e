#include "tests/support/fakedaytonafixture.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;
using namespace sandfish::test;
using namespace std::chrono_literals;
using Mode = FakeHttpServer::Mode;
using Reply = FakeHttpServer::Reply;
using Capability = Provider::Capability;

/// How sandboxes of Daytona come, stop, pause and go: protocols.md §3.3 and §7.5-66 to -68.
class DaytonaLifecycleTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void create_transitionalStates_areWaitedFor();
    void create_unknownState_isTransitional();
    void create_failure_endsTheWaitWithItsReason_data();
    void create_failure_endsTheWaitWithItsReason();
    void create_deletedMeanwhile_isGone();
    void create_neverReady_endsInTime();
    void create_serviceAwayForAMoment_isAskedAgain();
    void create_polls_growLonger();
    void create_cancelledWhileWaiting_deletesWhatWasMade();
    void create_cancelledBeforeItsAnswer_deletesWhatWasMade();
    void create_cancelledAfterItsProvider_isCancelled();
    void create_changes_areTold();
    void resume_stopped_isStarted();
    void resume_startedAlready_isNoError();
    void stop_running_waitsUntilStopped();
    void stop_deletedAtItsEnd_isGone();
    void pause_running_waitsUntilPaused();
    void pause_refusedWhileRunning_withdrawsTheCapability_data();
    void pause_refusedWhileRunning_withdrawsTheCapability();
    void pause_refusedWhileStopping_keepsTheCapability();
    void pause_keyRefused_keepsTheCapability();
    void change_cancelled_endsTheWait();
    void kill_sandbox_isToldAsGone();
    void kill_goneAlready_isNoError();
    void kill_refused_isAnError();
    void setTimeout_seconds_areWholeMinutes();

private:
    template <typename Member> Result<SandboxInfo> change(Member member)
    {
        return m_fixture->call<SandboxInfo>(
            [&](auto &p, auto *r, auto done) { (p.*member)({"sb-1"}, r, std::move(done)); });
    }
    int pollCount() const { return m_fixture->server.requestCount("GET", "/api/sandbox/sb-1"); }
    int deleteCount() const { return m_fixture->server.requestCount("DELETE", "/api/sandbox/sb-1"); }
    bool canPause() const { return m_fixture->provider->capabilities().testFlag(Capability::Pause); }

    std::unique_ptr<FakeDaytonaFixture> m_fixture;
};

void DaytonaLifecycleTest::init()
{
    m_fixture = std::make_unique<FakeDaytonaFixture>();
}

void DaytonaLifecycleTest::create_transitionalStates_areWaitedFor()
{
    m_fixture->server.setStates({u"creating"_s, u"pulling_snapshot"_s, u"starting"_s, u"started"_s});
    const auto made = m_fixture->create();
    QVERIFY(made);
    QCOMPARE(made->state, SandboxState::Running);
    QCOMPARE(pollCount(), 3);
    QCOMPARE(
        m_fixture->server.requests().first().body, R"({"labels":{"code-toolbox-language":"python"},"target":"eu"})"_ba);
}

void DaytonaLifecycleTest::create_unknownState_isTransitional()
{
    m_fixture->server.setStates({u"creating"_s, u"defrosting"_s, u"11184809"_s, u"started"_s});
    QVERIFY(m_fixture->create());
    QCOMPARE(pollCount(), 3);
}

void DaytonaLifecycleTest::create_failure_endsTheWaitWithItsReason_data()
{
    QTest::addColumn<QString>("state");
    QTest::newRow("error") << u"error"_s;
    QTest::newRow("build_failed") << u"build_failed"_s;
}

void DaytonaLifecycleTest::create_failure_endsTheWaitWithItsReason()
{
    QFETCH(QString, state);
    m_fixture->server.setStates({u"creating"_s, u"creating"_s});
    QByteArray failed = m_fixture->server.sandboxJson(state);
    failed.replace("\"name\"", R"("errorReason":"no runner in eu","name")");
    m_fixture->server.route("GET", "/api/sandbox/sb-1", Reply::json(failed));
    const auto made = m_fixture->create();
    QVERIFY(!made);
    const std::string expected =
        "The sandbox has failed (" + state.toStdString() + "): \"no runner in eu\". Delete it and start a new one.";
    QCOMPARE(made.error().message, expected);
    QCOMPARE(pollCount(), 1);
}

void DaytonaLifecycleTest::create_deletedMeanwhile_isGone()
{
    m_fixture->server.setStates({u"creating"_s, u"destroyed"_s});
    const auto made = m_fixture->create();
    QVERIFY(!made);
    QCOMPARE(made.error().kind, Error::Kind::Gone);
}

void DaytonaLifecycleTest::create_neverReady_endsInTime()
{
    m_fixture->config.createLimit = 100ms;
    m_fixture->connect();
    m_fixture->server.setStates({u"creating"_s});
    const auto made = m_fixture->create();
    QVERIFY(!made);
    QCOMPARE(made.error().kind, Error::Kind::Timeout);
    QVERIFY2(made.error().message.find("still \"creating\"") != std::string::npos, made.error().message.c_str());
    QVERIFY(made.error().message.find("kill it") != std::string::npos);
}

void DaytonaLifecycleTest::create_serviceAwayForAMoment_isAskedAgain()
{
    m_fixture->server.setStates({u"creating"_s, u"creating"_s, u"started"_s});
    m_fixture->server.setMode(Mode::ServerFault, "/api/sandbox/sb-1", 4); // more than one call tries by itself
    QVERIFY(m_fixture->create());
}

void DaytonaLifecycleTest::create_polls_growLonger()
{
    m_fixture->config.firstPoll = 10ms;
    m_fixture->config.longestPoll = 80ms;
    m_fixture->config.createLimit = 400ms;
    m_fixture->connect();
    m_fixture->server.setStates({u"creating"_s});
    QVERIFY(!m_fixture->create());
    // 10, 15, 22, 33, 49, 73, 80… ms: without growth it would be forty.
    QVERIFY2(pollCount() >= 3 && pollCount() <= 9, QByteArray::number(pollCount()).constData());
}

void DaytonaLifecycleTest::create_cancelledWhileWaiting_deletesWhatWasMade()
{
    m_fixture->server.setStates({u"creating"_s});
    std::optional<Result<SandboxInfo>> answer;
    const Request request =
        m_fixture->provider->create({}, this, [&](const Result<SandboxInfo> &made) { answer = made; });
    QTRY_VERIFY(pollCount() > 0);
    request.cancel();
    QTRY_VERIFY(answer);
    QCOMPARE(answer->error().kind, Error::Kind::Cancelled);
    QTRY_COMPARE(deleteCount(), 1);
}

void DaytonaLifecycleTest::create_cancelledBeforeItsAnswer_deletesWhatWasMade()
{
    Reply slow = Reply::json(m_fixture->server.sandboxJson(u"creating"_s));
    slow.pieceBytes = 8;
    slow.dripInterval = 2ms;
    m_fixture->server.route("POST", "/api/sandbox", slow);
    std::optional<Result<SandboxInfo>> answer;
    const Request request =
        m_fixture->provider->create({}, this, [&](const Result<SandboxInfo> &made) { answer = made; });
    QTRY_COMPARE(m_fixture->server.requestCount("POST", "/api/sandbox"), 1);
    request.cancel();
    QTRY_VERIFY(answer);
    QCOMPARE(answer->error().kind, Error::Kind::Cancelled);
    QTRY_COMPARE(deleteCount(), 1);
    QCOMPARE(pollCount(), 0);
}

void DaytonaLifecycleTest::create_cancelledAfterItsProvider_isCancelled()
{
    m_fixture->server.setStates({u"creating"_s});
    std::optional<Result<SandboxInfo>> answer;
    const Request request =
        m_fixture->provider->create({}, this, [&](const Result<SandboxInfo> &made) { answer = made; });
    QTRY_VERIFY(pollCount() > 0);
    m_fixture->provider.reset();
    request.cancel();
    QTRY_VERIFY(answer);
    QCOMPARE(answer->error().kind, Error::Kind::Cancelled);
}

void DaytonaLifecycleTest::create_changes_areTold()
{
    m_fixture->server.setStates({u"creating"_s, u"starting"_s, u"started"_s});
    QList<SandboxState> states;
    connect(m_fixture->provider.get(), &Provider::sandboxChanged, this,
        [&](const SandboxInfo &info) { states.append(info.state); });
    QVERIFY(m_fixture->create());
    QCOMPARE(states, (QList{SandboxState::Creating, SandboxState::Resuming, SandboxState::Running}));
}

void DaytonaLifecycleTest::resume_stopped_isStarted()
{
    m_fixture->server.setStates({u"restoring"_s, u"starting"_s, u"started"_s});
    const auto started = change(&Provider::resume);
    QVERIFY(started);
    QCOMPARE(started->state, SandboxState::Running);
    QCOMPARE(m_fixture->server.requestCount("POST", "/api/sandbox/sb-1/start"), 1);
}

void DaytonaLifecycleTest::resume_startedAlready_isNoError()
{
    m_fixture->server.route(
        "POST", "/api/sandbox/sb-1/start", Reply::json(R"({"message":"Sandbox is not in valid state"})", 400));
    QVERIFY(change(&Provider::resume));
    m_fixture->server.setStates({u"archiving"_s, u"archived"_s});
    m_fixture->config.changeLimit = 100ms;
    m_fixture->connect();
    QVERIFY(!change(&Provider::resume));
}

void DaytonaLifecycleTest::stop_running_waitsUntilStopped()
{
    m_fixture->server.setStates({u"stopping"_s, u"stopping"_s, u"stopped"_s});
    const auto stopped = change(&Provider::stop);
    QVERIFY(stopped);
    QCOMPARE(stopped->state, SandboxState::Stopped);
    QCOMPARE(pollCount(), 2);
}

void DaytonaLifecycleTest::stop_deletedAtItsEnd_isGone()
{
    m_fixture->server.setStates({u"stopping"_s, u"destroyed"_s});
    const auto stopped = change(&Provider::stop);
    QVERIFY(stopped);
    QCOMPARE(stopped->state, SandboxState::Gone);
}

void DaytonaLifecycleTest::pause_running_waitsUntilPaused()
{
    m_fixture->server.setStates({u"pausing"_s, u"pausing"_s, u"paused"_s});
    const auto paused = change(&Provider::pause);
    QVERIFY(paused);
    QCOMPARE(paused->state, SandboxState::Paused);
    QCOMPARE(paused->pauseKeeps, PauseKeeps::FilesAndMemory);
    QVERIFY(canPause());
}

void DaytonaLifecycleTest::pause_refusedWhileRunning_withdrawsTheCapability_data()
{
    QTest::addColumn<int>("status");
    for (const int status : {400, 403, 404, 405, 422})
        QTest::addRow("%d", status) << status;
}

void DaytonaLifecycleTest::pause_refusedWhileRunning_withdrawsTheCapability()
{
    QFETCH(int, status);
    m_fixture->server.route("POST", "/api/sandbox/sb-1/pause", Reply::json(R"({"message":"no vm"})", status));
    const auto paused = change(&Provider::pause);
    QVERIFY(!paused);
    QCOMPARE(paused.error().kind, Error::Kind::Unsupported);
    QVERIFY(paused.error().message.find("keeps its files and loses its variables") != std::string::npos);
    QVERIFY(paused.error().message.find("no vm") != std::string::npos);
    QVERIFY(!canPause());
    QVERIFY(m_fixture->provider->capabilities().testFlag(Capability::Stop));
}

void DaytonaLifecycleTest::pause_refusedWhileStopping_keepsTheCapability()
{
    m_fixture->server.setStates({u"stopping"_s});
    m_fixture->server.route("POST", "/api/sandbox/sb-1/pause", Reply::json(R"({"message":"not started"})", 400));
    const auto paused = change(&Provider::pause);
    QVERIFY(!paused);
    QCOMPARE(paused.error().kind, Error::Kind::BadRequest);
    QVERIFY(canPause());
}

void DaytonaLifecycleTest::pause_keyRefused_keepsTheCapability()
{
    m_fixture->server.setMode(Mode::Unauthorised);
    QCOMPARE(change(&Provider::pause).error().kind, Error::Kind::Unauthenticated);
    QVERIFY(canPause());
}

void DaytonaLifecycleTest::change_cancelled_endsTheWait()
{
    m_fixture->server.setStates({u"stopping"_s});
    std::optional<Result<SandboxInfo>> answer;
    const Request request =
        m_fixture->provider->stop({"sb-1"}, this, [&](const Result<SandboxInfo> &stopped) { answer = stopped; });
    QTRY_VERIFY(pollCount() > 1);
    request.cancel();
    QTRY_VERIFY(answer);
    const int count = pollCount();
    QTest::qWait(100);
    QVERIFY(pollCount() <= count + 1);
    QCOMPARE(deleteCount(), 0);
}

void DaytonaLifecycleTest::kill_sandbox_isToldAsGone()
{
    QVERIFY(m_fixture->list());
    QSignalSpy changed(m_fixture->provider.get(), &Provider::sandboxChanged);
    QVERIFY(m_fixture->call<std::monostate>([](auto &p, auto *r, auto done) { p.kill({"sb-1"}, r, std::move(done)); }));
    QCOMPARE(changed.last().first().value<SandboxInfo>().state, SandboxState::Gone);
    QCOMPARE(changed.last().first().value<SandboxInfo>().name, std::string("blue"));
}

void DaytonaLifecycleTest::kill_goneAlready_isNoError()
{
    QVERIFY(
        m_fixture->call<std::monostate>([](auto &p, auto *r, auto done) { p.kill({"other"}, r, std::move(done)); }));
}

void DaytonaLifecycleTest::kill_refused_isAnError()
{
    m_fixture->server.route(
        "DELETE", "/api/sandbox/sb-1", Reply::json(R"({"message":"State change in progress"})", 409));
    const auto killed =
        m_fixture->call<std::monostate>([](auto &p, auto *r, auto done) { p.kill({"sb-1"}, r, std::move(done)); });
    QVERIFY(!killed);
    QCOMPARE(killed.error().kind, Error::Kind::Conflict);
}

void DaytonaLifecycleTest::setTimeout_seconds_areWholeMinutes()
{
    QVERIFY(m_fixture->call<std::monostate>(
        [](auto &p, auto *r, auto done) { p.setTimeout({"sb-1"}, 61s, r, std::move(done)); }));
    QCOMPARE(m_fixture->server.requests().last().path, "/api/sandbox/sb-1/autostop/2"_ba);
}

QTEST_GUILESS_MAIN(DaytonaLifecycleTest)
#include "tst_daytonalifecycle.moc"
