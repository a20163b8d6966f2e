#include "tests/support/enginefixture.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QNetworkReply>
#include <QTest>

#include <unistd.h>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// Bounds of a sandbox, and the control groups that carry them.
class EngineLimitsTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_engine.start()); }

    void contexts_moreThan64_are429();
    void queue_moreThanItsBytes_is429();
    void memory_bomb_costsOneCell();
    void memory_smallestLimit_runsEveryLanguage_data();
    void memory_smallestLimit_runsEveryLanguage();
    void processes_forkBomb_leavesTheDaemonAlive();
    void limits_impossible_are400_data();
    void limits_impossible_are400();
    void limits_areReported();
    void processes_goFirst_whenMemoryRunsOut();
    void stop_removesItsControlGroups();
    void start_removesControlGroupsOfADeadDaemon();

private:
    static QString branchOf(const EngineFixture &engine, const EngineSandbox &sandbox);

    EngineFixture m_engine;
};

void EngineLimitsTest::contexts_moreThan64_are429()
{
    const EngineSandbox sandbox = m_engine.create();
    const QString path = sandbox.codeServer + u"/contexts"_s;
    EngineResponse last;
    QString created;
    for (int i = 0; i < 65; ++i) {
        last = m_engine.post(path, {{u"language"_s, u"bash"_s}});
        if (last.status != 200)
            break;
        created = last.object().value("id"_L1).toString();
    }
    QCOMPARE(last.status, 429);
    QVERIFY(last.object().value("detail"_L1).toString().endsWith(u'.'));
    QCOMPARE(m_engine.get(path).array().size(), 64);
    QCOMPARE(m_engine.remove(path + u'/' + created).status, 204);
    QCOMPARE(m_engine.post(path, {{u"language"_s, u"bash"_s}}).status, 200);
    QCOMPARE(m_engine.run(sandbox, u"6*7"_s).result(), u"42"_s);
}

void EngineLimitsTest::queue_moreThanItsBytes_is429()
{
    const EngineSandbox sandbox = m_engine.create();
    const auto running = m_engine.startExecution(sandbox, {{u"code"_s, u"print('on')\nwhile True: pass"_s}});
    QByteArray body;
    QTRY_VERIFY((body += running->readAll()).contains("on"));
    const QJsonObject large{{u"code"_s, QString(40 << 20, u'#')}};
    const auto waiting = m_engine.startExecution(sandbox, large);
    QTRY_COMPARE_WITH_TIMEOUT(waiting->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), 200, 60'000);
    QCOMPARE(m_engine.execute(sandbox, large).status, 429);
    QCOMPARE(m_engine.get(sandbox.codeServer + u"/health"_s).status, 200);
}

void EngineLimitsTest::memory_bomb_costsOneCell()
{
    const EngineSandbox sandbox = m_engine.create({{u"sandfish"_s, QJsonObject{{u"memoryBytes"_s, 512 << 20}}}});
    const EngineItems bomb = m_engine.run(sandbox, u"hoard = []\nwhile True: hoard.append(bytearray(64 << 20))"_s);
    const QString name = bomb.error().value("name"_L1).toString();
    QVERIFY2(name == u"MemoryError"_s || name == u"KernelDied"_s, qPrintable(name));
    QCOMPARE(m_engine.run(sandbox, u"hoard = None; 6*7"_s).result(), u"42"_s);
}

void EngineLimitsTest::memory_smallestLimit_runsEveryLanguage_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("code");
    QTest::newRow("python") << u"python"_s << u"print(42)"_s;
    QTest::newRow("javascript") << u"javascript"_s << u"console.log(42)"_s;
    QTest::newRow("bash") << u"bash"_s << u"echo 42"_s;
}

void EngineLimitsTest::memory_smallestLimit_runsEveryLanguage()
{
    QFETCH(QString, language);
    QFETCH(QString, code);
    const EngineSandbox sandbox =
        m_engine.create({{u"sandfish"_s, QJsonObject{{u"memoryBytes"_s, 256 << 20}, {u"processes"_s, 64}}}});
    QCOMPARE(m_engine.run(sandbox, code, language).text(), u"42\n"_s);
}

void EngineLimitsTest::processes_forkBomb_leavesTheDaemonAlive()
{
    if (::geteuid() == 0)
        QSKIP("the kernel counts no processes of root, and the host may lend no control groups");
    const EngineSandbox sandbox = m_engine.create({{u"sandfish"_s, QJsonObject{{u"processes"_s, 200}}}});
    const EngineItems items = m_engine.run(sandbox,
        u"import os, time\ncount = 0\ntry:\n    while count < 1000:\n        if os.fork() == 0: time.sleep(60)\n"
        u"        count += 1\nexcept OSError: pass\ncount < 200"_s);
    QCOMPARE(items.result(), u"true"_s);
    QCOMPARE(m_engine.get(sandbox.codeServer + u"/health"_s).status, 200);
    QCOMPARE(m_engine.remove(sandbox.path).status, 204);
}

void EngineLimitsTest::limits_impossible_are400_data()
{
    QTest::addColumn<QJsonObject>("limits");
    QTest::newRow("little memory") << QJsonObject{{u"memoryBytes"_s, 1000}};
    QTest::newRow("memory a word") << QJsonObject{{u"memoryBytes"_s, u"all"_s}};
    QTest::newRow("few processes") << QJsonObject{{u"processes"_s, 3}};
    QTest::newRow("negative") << QJsonObject{{u"processes"_s, -1}};
}

void EngineLimitsTest::limits_impossible_are400()
{
    QFETCH(QJsonObject, limits);
    const EngineResponse response = m_engine.post(
        u"/api/sandboxes"_s, {{u"projectId"_s, u"p"_s}, {u"template"_s, u"base"_s}, {u"sandfish"_s, limits}});
    QCOMPARE(response.status, 400);
    QVERIFY(response.object().value("error"_L1).isString());
}

void EngineLimitsTest::limits_areReported()
{
    const EngineSandbox sandbox =
        m_engine.create({{u"sandfish"_s, QJsonObject{{u"memoryBytes"_s, 1 << 30}, {u"processes"_s, 500}}}});
    const QJsonObject info = m_engine.get(sandbox.path).object();
    QCOMPARE(info.value("memoryLimitBytes"_L1).toInteger(), 1 << 30);
    QCOMPARE(info.value("processLimit"_L1).toInt(), 500);
    QVERIFY(m_engine.get(m_engine.create().path).object().value("memoryLimitBytes"_L1).toInteger() > 0);
}

void EngineLimitsTest::processes_goFirst_whenMemoryRunsOut()
{
    const EngineSandbox sandbox = m_engine.create();
    QCOMPARE(m_engine.run(sandbox, u"cat /proc/self/oom_score_adj"_s, u"bash"_s).text(), u"500\n"_s);
}

// The daemon's own branch of the control groups; empty where it has none.
QString EngineLimitsTest::branchOf(const EngineFixture &engine, const EngineSandbox &sandbox)
{
    QFile record(engine.stateDirectory() + u"/sandboxes/"_s + sandbox.id + u"/sandbox.json"_s);
    if (!record.open(QIODevice::ReadOnly))
        return {};
    const QString group = QJsonDocument::fromJson(record.readAll()).object().value("cgroup"_L1).toString();
    return group.section(u'/', 0, -2);
}

void EngineLimitsTest::stop_removesItsControlGroups()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox kept = engine.create();
    const EngineSandbox killed = engine.create();
    const QString branch = branchOf(engine, kept);
    if (branch.isEmpty())
        QSKIP("this host lends no control groups");
    engine.run(kept, u"import subprocess; subprocess.Popen(['sleep', '1000']); 1"_s);
    engine.run(killed, u"import subprocess; subprocess.Popen(['sleep', '1000']); 1"_s);
    QCOMPARE(engine.remove(killed.path).status, 204);
    QTRY_COMPARE(QDir(branch).entryList(QDir::Dirs | QDir::NoDotAndDotDot), QStringList{kept.id});
    QVERIFY(engine.stop());
    QVERIFY2(!QFile::exists(branch), qPrintable(branch));
}

void EngineLimitsTest::start_removesControlGroupsOfADeadDaemon()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    const QString branch = branchOf(engine, sandbox);
    if (branch.isEmpty())
        QSKIP("this host lends no control groups");
    engine.run(sandbox, u"1"_s);
    engine.process().kill();
    QTRY_COMPARE(engine.process().state(), QProcess::NotRunning);
    QVERIFY(engine.start());
    QVERIFY2(!QFile::exists(branch), qPrintable(branch));
}

QTEST_GUILESS_MAIN(EngineLimitsTest)
#include "tst_engine_limits.moc"
