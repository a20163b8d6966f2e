#include "tests/support/enginefixture.h"
#include "tests/support/processes.h"

#include <QElapsedTimer>
#include <QFile>
#include <QNetworkReply>
#include <QTest>

#include <sys/resource.h>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// Pause, resume and end of a sandbox, also when they are asked for at the same time.
class EngineLifecycleTest : public QObject
{
    Q_OBJECT
private slots:
    void pause_busyLoop_usesNoCpu_data();
    void pause_busyLoop_usesNoCpu();
    void pause_deadlines_standStill();
    void pause_execute_is409();
    void changes_atTheSameTime_areAllAnswered_data();
    void changes_atTheSameTime_areAllAnswered();
    void kill_whilePausing_leavesNoProcess_data();
    void kill_whilePausing_leavesNoProcess();
    void kill_whileStarting_leavesNothing();
    void kill_pausedSandbox_leavesNoProcess();
    void kill_daemonisedChildren_leavesNoProcess();
    void kill_running_endsItsStream();
    void kill_veryDeepFolder_removesItsFiles();
    void daemonKilled_sandboxesGoWithIt();

private:
    using Replies = std::vector<std::unique_ptr<QNetworkReply>>;
    void startBusyProcesses(EngineFixture &engine, const EngineSandbox &sandbox);
};

namespace {

void addWays()
{
    QTest::addColumn<QString>("level");
    QTest::addColumn<QString>("freezer");
    QTest::newRow("best") << QString() << QString();
    QTest::newRow("signals") << QString() << u"signals"_s;
    QTest::newRow("no namespaces") << u"landlock"_s << QString();
    QTest::newRow("no namespaces, signals") << u"landlock"_s << u"signals"_s;
}

void waitFor(int ms)
{
    QElapsedTimer timer;
    timer.start();
    QVERIFY(QTest::qWaitFor([&] { return timer.elapsed() >= ms; }, ms + 5000));
}

} // namespace

// Processes that are hard to stop all at once: some compute, some come and go.
void EngineLifecycleTest::startBusyProcesses(EngineFixture &engine, const EngineSandbox &sandbox)
{
    const EngineItems items = engine.run(sandbox,
        u"for i in 1 2 3 4 5 6; do (while :; do :; done) & (while :; do sleep 0.01; done) & done; disown -a; echo on"_s,
        u"bash"_s);
    QCOMPARE(items.text(), u"on\n"_s);
}

void EngineLifecycleTest::pause_busyLoop_usesNoCpu_data()
{
    QTest::addColumn<QString>("freezer");
    QTest::newRow("best") << QString();
    QTest::newRow("signals") << u"signals"_s;
}

void EngineLifecycleTest::pause_busyLoop_usesNoCpu()
{
    QFETCH(QString, freezer);
    EngineFixture engine;
    engine.setEnvironment(u"SANDFISH_FREEZER"_s, freezer);
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    const auto running = engine.startExecution(sandbox,
        {{u"code"_s,
            u"import subprocess\nsubprocess.Popen(['sh', '-c', 'while :; do :; done'])\nprint('on')\nwhile True: pass"_s}});
    QByteArray body;
    QTRY_VERIFY((body += running->readAll()).contains("on"));
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(engine.post(sandbox.path + u"/pause"_s).status, 200);
    QVERIFY(timer.elapsed() < 2000);
    const QList<qint64> pids = processesBelow(engine.process().processId());
    QVERIFY(pids.size() >= 3);
    const qint64 before = cpuTicks(pids);
    waitFor(500);
    QCOMPARE(cpuTicks(pids), before);
    QCOMPARE(engine.post(sandbox.path + u"/resume"_s).status, 200);
    QTRY_VERIFY(cpuTicks(pids) > before);
}

void EngineLifecycleTest::pause_deadlines_standStill()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create({{u"timeoutMs"_s, 20'000}});
    const auto running = engine.startExecution(sandbox,
        {{u"code"_s,
             u"print('on')\nimport time\ndeadline = time.process_time() + 0.3\nwhile time.process_time() < deadline: pass\n'end'"_s},
            {u"sandfish"_s, QJsonObject{{u"timeout_ms"_s, 8000}}}});
    QByteArray body;
    QTRY_VERIFY((body += running->readAll()).contains("on"));
    engine.post(sandbox.path + u"/timeout"_s, {{u"timeoutMs"_s, 9000}});
    engine.post(sandbox.path + u"/pause"_s);
    // Longer than both limits.
    waitFor(9500);
    QCOMPARE(engine.post(sandbox.path + u"/resume"_s).status, 200);
    QTRY_VERIFY_WITH_TIMEOUT((body += running->readAll()).contains("\"done\""), 8000);
    QVERIFY2(body.contains("\\\"end\\\""), body.constData());
}

void EngineLifecycleTest::pause_execute_is409()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    engine.post(sandbox.path + u"/pause"_s);
    QCOMPARE(engine.run(sandbox, u"1"_s).status, 409);
    QCOMPARE(engine.post(sandbox.codeServer + u"/contexts"_s).status, 409);
    QCOMPARE(engine.post(sandbox.path + u"/exec"_s, {{u"cmd"_s, u"true"_s}}).status, 409);
    QCOMPARE(engine.get(sandbox.codeServer + u"/health"_s).status, 200);
}

void EngineLifecycleTest::changes_atTheSameTime_areAllAnswered_data()
{
    addWays();
}

void EngineLifecycleTest::changes_atTheSameTime_areAllAnswered()
{
    QFETCH(QString, level);
    QFETCH(QString, freezer);
    EngineFixture engine;
    QVERIFY(engine.startAs(level, freezer));
    const EngineSandbox sandbox = engine.create();
    startBusyProcesses(engine, sandbox);
    Replies replies;
    for (const QString &action : {u"/pause"_s, u"/resume"_s, u"/pause"_s, u"/pause"_s, u"/resume"_s, u"/resume"_s})
        replies.emplace_back(engine.network().post(engine.request(sandbox.path + action), QByteArray()));
    for (const auto &reply : replies)
        QCOMPARE(EngineFixture::waitFor(*reply).status, 200);
    QCOMPARE(engine.post(sandbox.path + u"/resume"_s).object().value("state"_L1).toString(), u"running"_s);
    QCOMPARE(engine.run(sandbox, u"6*7"_s).result(), u"42"_s);
}

void EngineLifecycleTest::kill_whilePausing_leavesNoProcess_data()
{
    addWays();
}

void EngineLifecycleTest::kill_whilePausing_leavesNoProcess()
{
    QFETCH(QString, level);
    QFETCH(QString, freezer);
    EngineFixture engine;
    QVERIFY(engine.startAs(level, freezer));
    const EngineSandbox sandbox = engine.create();
    startBusyProcesses(engine, sandbox);
    Replies replies;
    QElapsedTimer timer;
    timer.start();
    for (const QString &action : {u"/pause"_s, u"/resume"_s, u"/pause"_s})
        replies.emplace_back(engine.network().post(engine.request(sandbox.path + action), QByteArray()));
    replies.emplace_back(engine.network().deleteResource(engine.request(sandbox.path)));
    replies.emplace_back(engine.network().post(engine.request(sandbox.path + u"/resume"_s), QByteArray()));
    QCOMPARE(EngineFixture::waitFor(*replies[3]).status, 204);
    for (const auto &reply : replies) {
        const int status = EngineFixture::waitFor(*reply).status;
        QVERIFY2(status == 200 || status == 204 || status == 404, qPrintable(QString::number(status)));
    }
    QVERIFY(timer.elapsed() < 3000);
    const QList<qint64> left = processesBelow(engine.process().processId());
    QVERIFY2(left.isEmpty(), described(left).constData());
    QVERIFY(engine.get(u"/api/sandboxes"_s).array().isEmpty());
}

void EngineLifecycleTest::kill_whileStarting_leavesNothing()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    QVERIFY(engine.stop());
    QVERIFY(engine.start());
    const std::unique_ptr<QNetworkReply> resume(
        engine.network().post(engine.request(sandbox.path + u"/resume"_s), QByteArray()));
    QTRY_COMPARE(engine.get(sandbox.path).object().value("state"_L1).toString() != u"stopped"_s, true);
    QCOMPARE(engine.remove(sandbox.path).status, 204);
    EngineFixture::waitFor(*resume);
    QCOMPARE(engine.get(sandbox.path).status, 404);
    const QList<qint64> left = processesBelow(engine.process().processId());
    QVERIFY2(left.isEmpty(), described(left).constData());
    QTRY_VERIFY(!QFile::exists(engine.stateDirectory() + u"/sandboxes/"_s + sandbox.id));
}

void EngineLifecycleTest::kill_pausedSandbox_leavesNoProcess()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    engine.run(sandbox, u"1"_s);
    engine.post(sandbox.path + u"/pause"_s);
    QCOMPARE(engine.remove(sandbox.path).status, 204);
    const QList<qint64> left = processesBelow(engine.process().processId());
    QVERIFY2(left.isEmpty(), described(left).constData());
    QVERIFY(engine.get(u"/api/sandboxes"_s).array().isEmpty());
}

void EngineLifecycleTest::kill_daemonisedChildren_leavesNoProcess()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    engine.run(sandbox, u"(setsid sleep 4321 &) ; (setsid nohup sleep 4322 >/dev/null 2>&1 &); sleep 4323 & disown"_s,
        u"bash"_s);
    QCOMPARE(engine.remove(sandbox.path).status, 204);
    const QList<qint64> left = processesBelow(engine.process().processId());
    QVERIFY2(left.isEmpty(), described(left).constData());
}

void EngineLifecycleTest::kill_running_endsItsStream()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    const auto running = engine.startExecution(sandbox, {{u"code"_s, u"print('on')\nwhile True: pass"_s}});
    QByteArray body;
    QTRY_VERIFY((body += running->readAll()).contains("on"));
    QCOMPARE(engine.remove(sandbox.path).status, 204);
    QTRY_VERIFY((body += running->readAll()).contains("\"done\""));
}

void EngineLifecycleTest::kill_veryDeepFolder_removesItsFiles()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    const QString code = u"import os\nfor name in ('removed 1', 'd'):\n os.makedirs(name + '/x/y')\n"
                         "for i in range(2000):\n os.mkdir('d')if i else None\n os.chdir('d')\n"
                         "open('f', 'w').close()\nos.symlink('/etc', 'l')\nos.mkdir('closed', 0)\n"
                         "os.chdir('/home/user')\n'made'"_s;
    QCOMPARE(engine.run(sandbox, code).result(), u"\"made\""_s);
    // Fewer descriptors than levels; each level costs the disk some milliseconds.
    const rlimit files{512, 512};
    QCOMPARE(::prlimit(static_cast<pid_t>(engine.process().processId()), RLIMIT_NOFILE, &files, nullptr), 0);
    QCOMPARE(engine.remove(sandbox.path).status, 204);
    QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(engine.stateDirectory() + u"/sandboxes/"_s + sandbox.id), 120'000);
}

void EngineLifecycleTest::daemonKilled_sandboxesGoWithIt()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    engine.run(sandbox, u"1"_s);
    const QList<qint64> pids = processesBelow(engine.process().processId());
    QVERIFY(!pids.isEmpty());
    engine.process().kill();
    QTRY_VERIFY_WITH_TIMEOUT(areGone(pids), 10'000);
}

QTEST_GUILESS_MAIN(EngineLifecycleTest)
#include "tst_engine_lifecycle.moc"
