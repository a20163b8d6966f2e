#include "tests/support/enginefixture.h"
#include "tests/support/processes.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <signal.h>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// What is left of a context when its interpreter, or the process that keeps a state of it, ends by itself; and what is
/// left of the states when the sandbox pauses or ends. Against the real daemon.
class EngineCrashesTest : public QObject
{
    Q_OBJECT
private slots:
    void interpreterEnds_givesTheStateBeforeTheCell_data();
    void interpreterEnds_givesTheStateBeforeTheCell();
    void interpreterEnds_againAndAgain_givesTheStateEachTime();
    void interpreterEndsWhileIdle_givesTheStateBeforeTheLastCell();
    void interpreterEnds_withoutACheckpoint_startsAnew();
    void holderEnds_isNotListed();
    void holderEnds_thenTheInterpreter_startsAnew();
    void headThatWasRewoundTo_endsAndIsRewoundAgain();
    void pausedSandbox_refusesAndGoesOn();
    void killedSandbox_leavesNoProcess();
    void manyStates_leaveNoDescriptorAndNoProcess();

private:
    struct Context
    {
        EngineFixture &engine;
        EngineSandbox sandbox;
        QString id;

        EngineItems run(const QString &code, const QString &dialect = u"full"_s) const;
        QString value(const QString &expression) const;
        QJsonArray list() const;
        EngineResponse rewindTo(const QString &checkpoint) const;
        QString path(const QString &below) const { return sandbox.codeServer + u"/contexts/"_s + id + below; }
    };
    static Context makeContext(EngineFixture &engine);
    static QList<qint64> holders(EngineFixture &engine);
    static qsizetype descriptors(EngineFixture &engine);
};

EngineItems EngineCrashesTest::Context::run(const QString &code, const QString &dialect) const
{
    return engine.execute(
        sandbox, {{u"code"_s, code}, {u"context_id"_s, id}, {u"sandfish"_s, QJsonObject{{u"dialect"_s, dialect}}}});
}

QString EngineCrashesTest::Context::value(const QString &expression) const
{
    for (const QJsonObject &bundle : run(expression).ofType(u"bundle"_s))
        return bundle.value("data"_L1)["text/plain"_L1].toString();
    return {};
}

QJsonArray EngineCrashesTest::Context::list() const
{
    return engine.get(path(u"/checkpoints"_s)).array();
}

EngineResponse EngineCrashesTest::Context::rewindTo(const QString &checkpoint) const
{
    return engine.post(path(u"/rewind"_s), {{u"checkpoint"_s, checkpoint}});
}

EngineCrashesTest::Context EngineCrashesTest::makeContext(EngineFixture &engine)
{
    const EngineSandbox sandbox = engine.create();
    return {engine, sandbox, engine.post(sandbox.codeServer + u"/contexts"_s).object().value("id"_L1).toString()};
}

QList<qint64> EngineCrashesTest::holders(EngineFixture &engine)
{
    QList<qint64> found;
    for (qint64 pid : processesBelow(engine.process().processId())) {
        QFile name(u"/proc/%1/comm"_s.arg(pid));
        if (name.open(QIODevice::ReadOnly) && name.readAll().trimmed() == "sandfish-holder")
            found.append(pid);
    }
    return found;
}

qsizetype EngineCrashesTest::descriptors(EngineFixture &engine)
{
    const QDir folder(u"/proc/%1/fd"_s.arg(engine.process().processId()));
    return folder.entryList(QDir::NoDotAndDotDot | QDir::AllEntries | QDir::System).size();
}

void EngineCrashesTest::interpreterEnds_givesTheStateBeforeTheCell_data()
{
    QTest::addColumn<QString>("isolation");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QByteArray>("words");
    const QString segfault = u"k = 2\nimport ctypes\nctypes.string_at(0)"_s;
    QTest::newRow("segfault") << u"full"_s << segfault << QByteArray("signal 11");
    QTest::newRow("exit at once") << u"full"_s << u"import os; os._exit(3)"_s << QByteArray("exit code 3");
    QTest::newRow("killed") << u"full"_s << u"import os; k = 2; os.kill(os.getpid(), 9)"_s << QByteArray("signal 9");
    QTest::newRow("landlock") << u"landlock"_s << segfault << QByteArray("signal 11");
    QTest::newRow("no isolation") << u"none"_s << segfault << QByteArray("signal 11");
}

void EngineCrashesTest::interpreterEnds_givesTheStateBeforeTheCell()
{
    QFETCH(QString, isolation);
    QFETCH(QString, code);
    QFETCH(QByteArray, words);
    EngineFixture engine;
    engine.setEnvironment(u"SANDFISH_ISOLATION"_s, isolation);
    QVERIFY(engine.start());
    if (engine.readyLine().value("isolation"_L1) != isolation)
        QSKIP("this host does not permit the level");
    const Context context = makeContext(engine);
    context.run(u"k = 1"_s);
    const EngineItems crashed = context.run(code);
    const QJsonObject done = crashed.ofType(u"done"_s).value(0);
    QCOMPARE(done.value("status"_L1).toString(), u"crashed"_s);
    QVERIFY2(
        done.value("reason"_L1).toString().toUtf8().contains(words), qPrintable(done.value("reason"_L1).toString()));
    QVERIFY(done.value("reason"_L1).toString().contains("as they were before this cell"_L1));
    QCOMPARE(context.value(u"k"_s), u"1"_s);
    const EngineItems next = context.run(u"k"_s);
    QCOMPARE(next.ofType(u"started"_s).value(0).value("execution_count"_L1).toInt(), 3);
    QVERIFY(next.ofType(u"notice"_s).isEmpty());
}

void EngineCrashesTest::interpreterEnds_againAndAgain_givesTheStateEachTime()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const Context context = makeContext(engine);
    context.run(u"k = 1"_s);
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(context.run(u"import os; os._exit(1)"_s).ofType(u"done"_s).value(0).value("status"_L1).toString(),
            u"crashed"_s);
        QCOMPARE(context.value(u"k"_s), u"1"_s);
    }
}

void EngineCrashesTest::interpreterEndsWhileIdle_givesTheStateBeforeTheLastCell()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const Context context = makeContext(engine);
    context.run(u"k = 1"_s);
    context.run(u"k = 2\nimport os, threading\nthreading.Timer(0.2, os._exit, [1]).start()"_s);
    QTRY_COMPARE(
        engine.get(context.sandbox.codeServer + u"/v1/contexts"_s).array().last()["executionCount"_L1].toInt(), 1);
    const EngineItems next = context.run(u"k"_s);
    QCOMPARE(next.ofType(u"bundle"_s).value(0).value("data"_L1)["text/plain"_L1].toString(), u"1"_s);
    QVERIFY(next.ofType(u"notice"_s).value(0).value("text"_L1).toString().contains("before that cell"_L1));
}

void EngineCrashesTest::interpreterEnds_withoutACheckpoint_startsAnew()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const Context context = makeContext(engine);
    context.run(u"k = 1"_s);
    context.run(u"import os; os._exit(1)"_s, u"seed"_s);
    const EngineItems next = context.run(u"k"_s);
    QCOMPARE(next.ofType(u"error"_s).value(0).value("name"_L1).toString(), u"NameError"_s);
    QVERIFY(next.ofType(u"notice"_s).value(0).value("text"_L1).toString().contains("started anew"_L1));
}

void EngineCrashesTest::holderEnds_isNotListed()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const Context context = makeContext(engine);
    context.run(u"k = 1"_s);
    QTRY_COMPARE(holders(engine).size(), 1);
    const QString id = context.list()[0]["id"_L1].toString();
    QCOMPARE(::kill(pid_t(holders(engine).value(0)), SIGKILL), 0);
    QTRY_VERIFY(context.list().isEmpty());
    QCOMPARE(context.rewindTo(id).status, 404);
    QCOMPARE(context.value(u"k"_s), u"1"_s);
}

void EngineCrashesTest::holderEnds_thenTheInterpreter_startsAnew()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    if (!engine.isIsolated())
        QSKIP("the cell would see the processes of the whole computer");
    const Context context = makeContext(engine);
    context.run(u"k = 1"_s);
    const EngineItems ended = context.run(u"import os, time\ntime.sleep(0.3)\n"
                                          "for pid in map(int, filter(str.isdigit, os.listdir('/proc'))):\n"
                                          "  with open(f'/proc/{pid}/comm') as file: name = file.read()\n"
                                          "  if name == 'sandfish-holder\\n': os.kill(pid, 9)\nos._exit(1)"_s);
    QVERIFY(!ended.ofType(u"done"_s).isEmpty());
    const EngineItems next = context.run(u"k"_s);
    QCOMPARE(next.ofType(u"error"_s).value(0).value("name"_L1).toString(), u"NameError"_s);
    QVERIFY(next.ofType(u"notice"_s).value(0).value("text"_L1).toString().contains("started anew"_L1));
}

void EngineCrashesTest::headThatWasRewoundTo_endsAndIsRewoundAgain()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const Context context = makeContext(engine);
    context.run(u"k = 1"_s);
    const QString id = context.run(u"k = 2"_s).ofType(u"started"_s).value(0).value("checkpoint"_L1)["id"_L1].toString();
    QCOMPARE(context.rewindTo(id).status, 200);
    context.run(u"import os; k = 5"_s);
    context.run(u"os._exit(1)"_s);
    QCOMPARE(context.value(u"k"_s), u"5"_s);
    QCOMPARE(context.rewindTo(id).status, 200);
    QCOMPARE(context.value(u"k"_s), u"1"_s);
}

void EngineCrashesTest::pausedSandbox_refusesAndGoesOn()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const Context context = makeContext(engine);
    context.run(u"k = 1"_s);
    const QString id = context.run(u"k = 2"_s).ofType(u"started"_s).value(0).value("checkpoint"_L1)["id"_L1].toString();
    QCOMPARE(engine.post(context.sandbox.path + u"/pause"_s).status, 200);
    QCOMPARE(context.list().size(), 2);
    QCOMPARE(context.rewindTo(id).status, 409);
    QCOMPARE(engine.post(context.sandbox.path + u"/resume"_s).status, 200);
    QCOMPARE(context.rewindTo(id).status, 200);
    QCOMPARE(context.value(u"k"_s), u"1"_s);
}

void EngineCrashesTest::killedSandbox_leavesNoProcess()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const Context context = makeContext(engine);
    for (int i = 0; i < 3; ++i)
        context.run(QString::number(i));
    QTRY_COMPARE(holders(engine).size(), 3);
    const QList<qint64> pids = processesBelow(engine.process().processId());
    QCOMPARE(engine.remove(context.sandbox.path).status, 204);
    QVERIFY2(areGone(pids), described(pids).constData());
}

void EngineCrashesTest::manyStates_leaveNoDescriptorAndNoProcess()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const Context keeper = makeContext(engine);
    const auto useOne = [&] {
        const Context context{engine, keeper.sandbox,
            engine.post(keeper.sandbox.codeServer + u"/contexts"_s).object().value("id"_L1).toString()};
        context.run(u"k = 1"_s);
        const QString id =
            context.run(u"k = 2"_s).ofType(u"started"_s).value(0).value("checkpoint"_L1)["id"_L1].toString();
        for (int i = 0; i < 12; ++i)
            context.run(u"k += 1"_s);
        const QJsonObject branch =
            engine.post(context.path(u"/branch"_s), {{u"checkpoint"_s, context.list()[9]["id"_L1]}}).object();
        context.rewindTo(context.list()[0]["id"_L1].toString());
        context.run(u"import os; os._exit(1)"_s);
        engine.remove(keeper.sandbox.codeServer + u"/contexts/"_s + branch.value("id"_L1).toString());
        engine.remove(context.path({}));
    };
    useOne();
    QTRY_COMPARE(holders(engine).size(), 0);
    const qsizetype before = descriptors(engine);
    for (int i = 0; i < 3; ++i)
        useOne();
    QTRY_COMPARE(holders(engine).size(), 0);
    QTRY_VERIFY2(descriptors(engine) <= before + 8, qPrintable(QString::number(descriptors(engine) - before)));
}

QTEST_GUILESS_MAIN(EngineCrashesTest)
#include "tst_engine_crashes.moc"
