#include "tests/support/enginefixture.h"
#include "tests/support/processes.h"

#include <QDir>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// Isolation of a sandbox, at every level that this host permits.
class EngineSandboxTest : public QObject
{
    Q_OBJECT
private slots:
    void level_forced_runsPausesAndEnds_data();
    void level_forced_runsPausesAndEnds();
    void isolation_sees_data();
    void isolation_sees();
    void network_off_reachesNothing();
    void folder_readWrite_isSharedBothWays();
    void folder_readOnly_cannotBeChanged();
    void folder_aboveTheState_hidesIt_data();
    void folder_aboveTheState_hidesIt();
    void folder_aboveTheStateWithoutMounts_isRefused_data();
    void folder_aboveTheStateWithoutMounts_isRefused();
    void folder_ofTheState_isRefused_data();
    void folder_ofTheState_isRefused();
    void folder_throughLink_worksByBothPaths();
    void folder_replacedByLink_doesNotStartAgain();
    void interpreter_inTheHome_hidesTheHome();
    void interpreter_inAnInstallation_runs();

private:
    bool requireFull(EngineFixture &engine);
    static void addPathsTo(const QString &what);
    static QString linked(const QTemporaryDir &links, const QString &folder);
    static int statusWith(EngineFixture &engine, const QString &folder);
};

bool EngineSandboxTest::requireFull(EngineFixture &engine)
{
    return engine.start() && engine.isIsolated();
}

void EngineSandboxTest::level_forced_runsPausesAndEnds_data()
{
    QTest::addColumn<QString>("level");
    QTest::addColumn<QString>("freezer");
    for (const char *level : {"full", "shared-net", "landlock", "none"}) {
        QTest::addRow("%s", level) << QString::fromLatin1(level) << QString();
        QTest::addRow("%s, signals", level) << QString::fromLatin1(level) << u"signals"_s;
    }
}

void EngineSandboxTest::level_forced_runsPausesAndEnds()
{
    QFETCH(QString, level);
    QFETCH(QString, freezer);
    EngineFixture engine;
    QVERIFY(engine.startAs(level, freezer));
    if (engine.readyLine().value("isolation"_L1) != level)
        QSKIP("this host does not permit the level");
    const EngineSandbox sandbox = engine.create();
    QVERIFY(!sandbox.id.isEmpty());
    for (const QString &language : {u"python"_s, u"javascript"_s, u"bash"_s})
        QVERIFY(engine.run(sandbox, u"x=41"_s, language).doneCount() > 0);
    engine.run(
        sandbox, u"import threading, time\nthreading.Thread(target=time.sleep, args=(1000,), daemon=True).start()"_s);
    QCOMPARE(engine.run(sandbox, u"open('f.txt', 'w').write('é'); open('f.txt').read()"_s).result(), u"\"é\""_s);
    QCOMPARE(engine.get(sandbox.path + u"/files?path=f.txt"_s).body, QByteArray("é"));
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(engine.post(sandbox.path + u"/pause"_s).object().value("state"_L1).toString(), u"paused"_s);
        QCOMPARE(engine.post(sandbox.path + u"/resume"_s).object().value("state"_L1).toString(), u"running"_s);
        QCOMPARE(engine.run(sandbox, u"x + 1"_s).result(), u"42"_s);
    }
    QCOMPARE(engine.run(sandbox, u"echo $x"_s, u"bash"_s).text(), u"41\n"_s);
    QVERIFY(!processesBelow(engine.process().processId()).isEmpty());
    QCOMPARE(engine.remove(sandbox.path).status, 204);
    QCOMPARE(processesBelow(engine.process().processId()), QList<qint64>());
}

void EngineSandboxTest::isolation_sees_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("expected");
    QTest::newRow("user") << u"id -u | grep -c '^0$'"_s << u"0"_s;
    QTest::newRow("home") << u"ls -A /home"_s << u"user"_s;
    QTest::newRow("root's home") << u"ls -A /root 2>&1 | grep -c 'No such'"_s << u"1"_s;
    QTest::newRow("shadow") << u"cat /etc/shadow 2>&1 | grep -c 'No such'"_s << u"1"_s;
    QTest::newRow("state") << u"cat %STATE%/engine.json 2>&1 | grep -c 'No such'"_s << u"1"_s;
    QTest::newRow("system is read-only") << u"touch /usr/x 2>&1 | grep -c 'Read-only'"_s << u"1"_s;
    QTest::newRow("runners are read-only") << u"touch /run/sandfish/runners/x 2>&1 | grep -c 'Read-only'"_s << u"1"_s;
    QTest::newRow("first process") << u"tr '\\0' ' ' < /proc/1/cmdline | grep -c supervisor"_s << u"1"_s;
    QTest::newRow("other processes") << u"pgrep -fc 'tst_[e]ngine_sandbox'"_s << u"0"_s;
    QTest::newRow("capabilities") << u"grep CapEff /proc/self/status | tr -d '\\t'"_s << u"CapEff:0000000000000000"_s;
    QTest::newRow("new privileges") << u"grep NoNewPrivs /proc/self/status | tr -d '\\t'"_s << u"NoNewPrivs:1"_s;
    QTest::newRow("system call filter") << u"grep '^Seccomp:' /proc/self/status | tr -d '\\t'"_s << u"Seccomp:2"_s;
    QTest::newRow("user namespaces") << u"unshare -U true 2>/dev/null; echo $(($? != 0))"_s << u"1"_s;
    QTest::newRow("mounts") << u"mount -t tmpfs x /tmp 2>/dev/null; echo $(($? != 0))"_s << u"1"_s;
    QTest::newRow("temporary files") << u"echo ok > /tmp/x; cat /tmp/x"_s << u"ok"_s;
    QTest::newRow("kernel settings") << u"(: >> /proc/sys/kernel/core_pattern) 2>&1 | grep -cE 'Read-only|denied'"_s
                                     << u"1"_s;
    QTest::newRow("kernel keys") << u"(: >> /proc/sysrq-trigger) 2>&1 | grep -cE 'Read-only|denied|nonexistent'"_s
                                 << u"1"_s;
    QTest::newRow("own processes") << u"echo 500 > /proc/self/oom_score_adj && echo ok"_s << u"ok"_s;
    QTest::newRow("host name") << u"cat /proc/sys/kernel/hostname"_s << u"sandfish"_s;
}

void EngineSandboxTest::isolation_sees()
{
    QFETCH(QString, command);
    QFETCH(QString, expected);
    EngineFixture engine;
    if (!requireFull(engine))
        QSKIP("this host does not permit namespaces");
    const EngineSandbox sandbox = engine.create();
    command.replace(u"%STATE%"_s, engine.stateDirectory());
    const QJsonObject answer = engine.post(sandbox.path + u"/exec"_s, {{u"cmd"_s, command}}).object();
    QCOMPARE(answer.value("stdout"_L1).toString().trimmed(), expected);
}

void EngineSandboxTest::network_off_reachesNothing()
{
    EngineFixture engine;
    if (!requireFull(engine))
        QSKIP("this host does not permit namespaces");
    const QString code =
        u"import socket\ns = socket.socket()\ns.settimeout(3)\ns.connect_ex(('127.0.0.1', %1)) == 0"_s.arg(
            engine.url({}).port());
    const EngineSandbox off = engine.create({{u"sandfish"_s, QJsonObject{{u"network"_s, false}}}});
    QCOMPARE(engine.run(off, code).result(), u"false"_s);
    const EngineSandbox on = engine.create();
    QCOMPARE(engine.run(on, code).result(), u"true"_s);
}

void EngineSandboxTest::folder_readWrite_isSharedBothWays()
{
    EngineFixture engine;
    if (!requireFull(engine))
        QSKIP("this host does not permit namespaces");
    const QTemporaryDir folder;
    const QJsonObject bind{{u"path"_s, folder.path()}, {u"access"_s, u"rw"_s}};
    const EngineSandbox sandbox = engine.create({{u"sandfish"_s, QJsonObject{{u"folders"_s, QJsonArray{bind}}}}});
    const QString context = engine.post(sandbox.codeServer + u"/contexts"_s, {{u"cwd"_s, folder.path()}})
                                .object()
                                .value("id"_L1)
                                .toString();
    QVERIFY(!context.isEmpty());
    engine.execute(sandbox, {{u"context_id"_s, context}, {u"code"_s, u"open('made.txt', 'w').write('in')"_s}});
    QFile made(folder.filePath(u"made.txt"_s));
    QVERIFY(made.open(QIODevice::ReadOnly));
    QCOMPARE(made.readAll(), QByteArray("in"));
    QCOMPARE(engine.get(sandbox.path + u"/files?path="_s + folder.filePath(u"made.txt"_s)).body, QByteArray("in"));
}

void EngineSandboxTest::folder_readOnly_cannotBeChanged()
{
    EngineFixture engine;
    if (!requireFull(engine))
        QSKIP("this host does not permit namespaces");
    const QTemporaryDir folder;
    const QJsonObject bind{{u"path"_s, folder.path()}, {u"access"_s, u"ro"_s}};
    const EngineSandbox sandbox = engine.create({{u"sandfish"_s, QJsonObject{{u"folders"_s, QJsonArray{bind}}}}});
    const EngineItems items = engine.run(sandbox, u"open('%1/x', 'w')"_s.arg(folder.path()));
    QCOMPARE(items.error().value("name"_L1).toString(), u"OSError"_s);
    QCOMPARE(
        engine.post(sandbox.path + u"/files"_s, {{u"path"_s, folder.filePath(u"x"_s)}, {u"content"_s, u"x"_s}}).status,
        403);
    QVERIFY(QDir(folder.path()).isEmpty());
}

void EngineSandboxTest::addPathsTo(const QString &what)
{
    QTest::addColumn<bool>("isLink");
    QTest::newRow(qPrintable(what)) << false;
    QTest::newRow(qPrintable(what + u", through a link"_s)) << true;
}

QString EngineSandboxTest::linked(const QTemporaryDir &links, const QString &folder)
{
    QFETCH(bool, isLink);
    const QString link = links.filePath(u"link"_s);
    return isLink && QFile::link(folder, link) ? link : folder;
}

void EngineSandboxTest::folder_aboveTheState_hidesIt_data()
{
    addPathsTo(u"above"_s);
}

void EngineSandboxTest::folder_aboveTheState_hidesIt()
{
    EngineFixture engine;
    if (!requireFull(engine))
        QSKIP("this host does not permit namespaces");
    const QTemporaryDir links;
    const QString above = linked(links, QFileInfo(engine.stateDirectory()).path());
    const QJsonObject bind{{u"path"_s, above}, {u"access"_s, u"rw"_s}};
    const EngineSandbox sandbox = engine.create({{u"sandfish"_s, QJsonObject{{u"folders"_s, QJsonArray{bind}}}}});
    QVERIFY(!sandbox.id.isEmpty());
    const QJsonObject answer =
        engine.post(sandbox.path + u"/exec"_s, {{u"cmd"_s, QString(u"ls -A "_s + engine.stateDirectory())}}).object();
    QCOMPARE(answer.value("exitCode"_L1).toInt(-1), 0);
    QCOMPARE(answer.value("stdout"_L1).toString(), QString());
    const QString key = u"ls -A "_s + above + u"/state; cat "_s + above + u"/state/engine.json"_s;
    QCOMPARE(
        engine.post(sandbox.path + u"/exec"_s, {{u"cmd"_s, key}}).object().value("stdout"_L1).toString(), QString());
}

void EngineSandboxTest::folder_aboveTheStateWithoutMounts_isRefused_data()
{
    addPathsTo(u"above"_s);
}

void EngineSandboxTest::folder_aboveTheStateWithoutMounts_isRefused()
{
    for (const QString &level : {u"landlock"_s, u"none"_s}) {
        EngineFixture engine;
        QVERIFY(engine.startAs(level));
        const QTemporaryDir links;
        QCOMPARE(statusWith(engine, linked(links, QFileInfo(engine.stateDirectory()).path())), 400);
    }
}

void EngineSandboxTest::folder_ofTheState_isRefused_data()
{
    addPathsTo(u"the state"_s);
}

void EngineSandboxTest::folder_ofTheState_isRefused()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const QTemporaryDir links;
    const QString state = linked(links, engine.stateDirectory());
    QCOMPARE(statusWith(engine, state), 400);
    QCOMPARE(statusWith(engine, state + u"/sandboxes"_s), 400);
}

int EngineSandboxTest::statusWith(EngineFixture &engine, const QString &folder)
{
    const QJsonObject bind{{u"path"_s, folder}};
    return engine
        .post(u"/api/sandboxes"_s,
            {{u"projectId"_s, u"p"_s}, {u"template"_s, u"base"_s},
                {u"sandfish"_s, QJsonObject{{u"folders"_s, QJsonArray{bind}}}}})
        .status;
}

void EngineSandboxTest::folder_throughLink_worksByBothPaths()
{
    EngineFixture engine;
    if (!requireFull(engine))
        QSKIP("this host does not permit namespaces");
    const QTemporaryDir folder;
    const QTemporaryDir links;
    const QString link = links.filePath(u"link"_s);
    QVERIFY(QFile::link(folder.path(), link));
    const QJsonObject bind{{u"path"_s, link}};
    const EngineSandbox sandbox = engine.create({{u"sandfish"_s, QJsonObject{{u"folders"_s, QJsonArray{bind}}}}});
    QVERIFY(!sandbox.id.isEmpty());
    const QJsonArray folders = engine.get(sandbox.path).object().value("folders"_L1).toArray();
    QCOMPARE(folders.at(0).toObject().value("path"_L1).toString(), folder.path());
    for (const QString &path : {link, folder.path()}) {
        const QJsonObject context = engine.post(sandbox.codeServer + u"/contexts"_s, {{u"cwd"_s, path}}).object();
        const QJsonObject body{{u"context_id"_s, context.value("id"_L1)},
            {u"code"_s, u"open('made.txt', 'w').write('in'); import os; os.listdir('%1')"_s.arg(path)}};
        QCOMPARE(engine.execute(sandbox, body).result(), u"[\"made.txt\"]"_s);
        const QString file = path + u"/made.txt"_s;
        QCOMPARE(engine.get(sandbox.path + u"/files?path="_s + file).body, QByteArray("in"));
        QVERIFY(QFile::remove(folder.filePath(u"made.txt"_s)));
    }
}

void EngineSandboxTest::folder_replacedByLink_doesNotStartAgain()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const QTemporaryDir base;
    const QTemporaryDir secret;
    const QString path = base.filePath(u"folder"_s);
    QVERIFY(QDir().mkpath(path));
    const QJsonObject bind{{u"path"_s, path}};
    const EngineSandbox sandbox = engine.create({{u"sandfish"_s, QJsonObject{{u"folders"_s, QJsonArray{bind}}}}});
    QVERIFY(!sandbox.id.isEmpty());
    QVERIFY(engine.stop());
    QVERIFY(QDir().rmdir(path) && QFile::link(secret.path(), path));
    QVERIFY(engine.start());
    QCOMPARE(engine.post(sandbox.path + u"/resume"_s).status, 409);
    QCOMPARE(engine.get(sandbox.path + u"/files/list?path="_s + path).status, 403);
    QVERIFY(QFile::remove(path) && QDir().mkpath(path));
    QCOMPARE(engine.post(sandbox.path + u"/resume"_s).status, 200);
}

// The interpreter lies in HOME/bin, as one that a user has put there, and beside it what is nobody's business.
void EngineSandboxTest::interpreter_inTheHome_hidesTheHome()
{
    for (const QString &level : {u"full"_s, u"landlock"_s}) {
        EngineFixture engine;
        const QDir home(QFileInfo(engine.stateDirectory()).path());
        QVERIFY(home.mkpath(u"bin"_s) && home.mkpath(u"lib/python3.99"_s) && home.mkpath(u".ssh"_s));
        const QString program = home.filePath(u"bin/python3"_s);
        QVERIFY(QFile::copy(QFileInfo(u"/usr/bin/python3"_s).canonicalFilePath(), program));
        engine.setEnvironment(u"HOME"_s, home.path());
        engine.setEnvironment(u"SANDFISH_PYTHON"_s, program);
        QVERIFY(engine.startAs(level));
        if (engine.readyLine().value("isolation"_L1) != level)
            QSKIP("this host does not permit the level");
        const EngineSandbox sandbox = engine.create();
        QCOMPARE(engine.run(sandbox, u"import sys; sys.executable"_s).result(), u'"' + program + u'"');
        const QString look =
            u"ls -A %1/.ssh && echo seen; cat %2/engine.json"_s.arg(home.path(), engine.stateDirectory());
        const QJsonObject answer = engine.post(sandbox.path + u"/exec"_s, {{u"cmd"_s, look}}).object();
        QCOMPARE(answer.value("stdout"_L1).toString(), QString());
    }
}

void EngineSandboxTest::interpreter_inAnInstallation_runs()
{
    EngineFixture engine;
    const QDir home(QFileInfo(engine.stateDirectory()).path());
    const QString prefix = home.filePath(u"tools/python"_s);
    QVERIFY(home.mkpath(prefix + u"/bin"_s) && home.mkpath(prefix + u"/lib/python3.99"_s));
    QVERIFY(QFile::copy(QFileInfo(u"/usr/bin/python3"_s).canonicalFilePath(), prefix + u"/bin/python3"_s));
    QVERIFY(QFile::link(prefix + u"/bin/python3"_s, home.filePath(u"python3"_s)));
    engine.setEnvironment(u"HOME"_s, home.path());
    engine.setEnvironment(u"SANDFISH_PYTHON"_s, home.filePath(u"python3"_s));
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    const QString code = u"import os; os.path.isdir('%1/lib/python3.99')"_s.arg(prefix);
    QCOMPARE(engine.run(sandbox, code).result(), u"true"_s);
}

QTEST_GUILESS_MAIN(EngineSandboxTest)
#include "tst_engine_sandbox.moc"
