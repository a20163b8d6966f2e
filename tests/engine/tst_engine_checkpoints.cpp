#include "tests/support/enginefixture.h"

#include <QDateTime>
#include <QNetworkReply>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// Kept states of contexts: rewind, branch, and the end of an interpreter (PROTOCOL.md §3.4), against the real daemon.
class EngineCheckpointsTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();

    void features_nameThem();
    void started_namesTheCheckpoint_data();
    void started_namesTheCheckpoint();
    void list_hasWhatIsPromised();
    void list_keepsTheLastTenAndThePinned();
    void pin_beyondSixteen_isRefused();
    void keep_onRequest_isRewoundTo();
    void remove_thenNotKept();
    void rewind_byExecution_givesTheStateBeforeIt();
    void rewind_thenForwardAgain_givesTheLaterState();
    void rewind_countsOnFromTheCheckpoint();
    void rewind_badBody_isRefused_data();
    void rewind_badBody_isRefused();
    void rewind_whileACellRuns_isRefused();
    void rewind_stoppingACallThatNoInterruptEnds_givesTheState();
    void branch_goesOnBesideTheOriginal();
    void branch_whileTheOriginalRuns_works();
    void children_keepNoState();
    void restart_givesUpAllButThePinned();
    void bash_rewindAndBranch_giveTheState();
    void bash_endOfTheShell_givesTheStateBeforeTheCell();
    void javascript_is501();

private:
    void useLanguage(const QString &language);
    EngineItems run(const QString &code, const QString &context = {}, const QString &checkpoint = u"auto"_s);
    QString value(const QString &expression, const QString &context = {});
    QJsonArray list();
    EngineResponse rewindBefore(const EngineItems &items, bool stops = false);
    EngineResponse branchBefore(const EngineItems &items);
    static QJsonObject body(const QString &code, const QString &context, const QString &checkpoint);
    static QString executionOf(const EngineItems &items);
    static QJsonValue checkpointOf(const EngineItems &items);
    QString path(const QString &below = {}) const { return m_sandbox.codeServer + u"/contexts/"_s + m_context + below; }

    EngineFixture m_engine;
    EngineSandbox m_sandbox;
    QString m_context;
};

void EngineCheckpointsTest::initTestCase()
{
    QVERIFY(m_engine.start());
    m_sandbox = m_engine.create();
    QVERIFY(!m_sandbox.id.isEmpty());
}

void EngineCheckpointsTest::init()
{
    m_context = m_engine.post(m_sandbox.codeServer + u"/contexts"_s).object().value("id"_L1).toString();
    QVERIFY(!m_context.isEmpty());
}

void EngineCheckpointsTest::cleanup()
{
    m_engine.remove(path());
}

// In place of the context of Python.
void EngineCheckpointsTest::useLanguage(const QString &language)
{
    m_engine.remove(path());
    m_context = m_engine.post(m_sandbox.codeServer + u"/contexts"_s, {{u"language"_s, language}})
                    .object()
                    .value("id"_L1)
                    .toString();
}

QJsonObject EngineCheckpointsTest::body(const QString &code, const QString &context, const QString &checkpoint)
{
    const QJsonObject extension{{u"dialect"_s, u"full"_s}, {u"checkpoint"_s, checkpoint}};
    return {{u"code"_s, code}, {u"context_id"_s, context}, {u"sandfish"_s, extension}};
}

EngineItems EngineCheckpointsTest::run(const QString &code, const QString &context, const QString &checkpoint)
{
    return m_engine.execute(m_sandbox, body(code, context.isEmpty() ? m_context : context, checkpoint));
}

QString EngineCheckpointsTest::value(const QString &expression, const QString &context)
{
    for (const QJsonObject &bundle : run(expression, context).ofType(u"bundle"_s))
        return bundle.value("data"_L1)["text/plain"_L1].toString();
    return {};
}

QJsonArray EngineCheckpointsTest::list()
{
    return m_engine.get(path(u"/checkpoints"_s)).array();
}

QString EngineCheckpointsTest::executionOf(const EngineItems &items)
{
    return items.items.value(0).value("execution_id"_L1).toString();
}

QJsonValue EngineCheckpointsTest::checkpointOf(const EngineItems &items)
{
    return items.ofType(u"started"_s).value(0).value("checkpoint"_L1);
}

EngineResponse EngineCheckpointsTest::rewindBefore(const EngineItems &items, bool stops)
{
    return m_engine.post(path(u"/rewind"_s), {{u"execution_id"_s, executionOf(items)}, {u"stop"_s, stops}});
}

EngineResponse EngineCheckpointsTest::branchBefore(const EngineItems &items)
{
    return m_engine.post(path(u"/branch"_s), {{u"execution_id"_s, executionOf(items)}});
}

void EngineCheckpointsTest::features_nameThem()
{
    QVERIFY(m_engine.get(u"/v1/engine"_s).object().value("features"_L1).toArray().contains(u"checkpoints"_s));
}

void EngineCheckpointsTest::started_namesTheCheckpoint_data()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("checkpoint");
    QTest::addColumn<QStringList>("inexact");
    QTest::newRow("exact") << u"1"_s << u"auto"_s << QStringList();
    QTest::newRow("open file") << u"file = open('/etc/passwd')"_s << u"auto"_s << QStringList(u"files:1"_s);
    QTest::newRow("off") << u"1"_s << u"off"_s << QStringList(u"none"_s);
}

void EngineCheckpointsTest::started_namesTheCheckpoint()
{
    QFETCH(QString, code);
    QFETCH(QString, checkpoint);
    QFETCH(QStringList, inexact);
    run(code);
    const QJsonValue named = checkpointOf(run(u"2"_s, {}, checkpoint));
    if (checkpoint == u"off") {
        QVERIFY(named.isUndefined());
        return;
    }
    QVERIFY(!named["id"_L1].toString().isEmpty());
    QCOMPARE(named["inexact"_L1].toArray(), QJsonArray::fromStringList(inexact));
}

void EngineCheckpointsTest::list_hasWhatIsPromised()
{
    run(u"1"_s);
    const EngineItems items = run(u"2"_s);
    const QJsonArray all = list();
    QCOMPARE(all.size(), 2);
    QCOMPARE(all[1]["id"_L1].toString(), checkpointOf(items)["id"_L1].toString());
    QCOMPARE(all[1]["execution_id"_L1].toString(), executionOf(items));
    QCOMPARE(all[1]["execution_count"_L1].toInt(), 1);
    QVERIFY(all[1]["inexact"_L1].isArray() && all[1]["inexact"_L1].toArray().isEmpty());
    QCOMPARE(all[1]["pinned"_L1].toBool(), false);
    QVERIFY(QDateTime::fromString(all[1]["created"_L1].toString(), Qt::ISODateWithMs).isValid());
}

void EngineCheckpointsTest::list_keepsTheLastTenAndThePinned()
{
    const QString first = checkpointOf(run(u"0"_s))["id"_L1].toString();
    const EngineResponse pinned = m_engine.post(path(u"/checkpoints/"_s + first + u"/pin"_s));
    QCOMPARE(pinned.status, 200);
    QCOMPARE(pinned.object().value("pinned"_L1).toBool(), true);
    for (int i = 1; i <= 12; ++i)
        run(QString::number(i));
    const QJsonArray all = list();
    QCOMPARE(all.size(), 11);
    QCOMPARE(all[0]["id"_L1].toString(), first);
    QCOMPARE(all[1]["execution_count"_L1].toInt(), 3);
    m_engine.post(path(u"/checkpoints/"_s + first + u"/pin"_s), {{u"pinned"_s, false}});
    QCOMPARE(list().size(), 10);
}

void EngineCheckpointsTest::pin_beyondSixteen_isRefused()
{
    run(u"1"_s);
    for (int i = 0; i < 16; ++i)
        QCOMPARE(m_engine.post(path(u"/checkpoints"_s), {{u"pinned"_s, true}}).status, 201);
    QCOMPARE(m_engine.post(path(u"/checkpoints"_s), {{u"pinned"_s, true}}).status, 429);
    const QString unpinned = list()[0]["id"_L1].toString();
    QCOMPARE(m_engine.post(path(u"/checkpoints/"_s + unpinned + u"/pin"_s)).status, 429);
}

void EngineCheckpointsTest::keep_onRequest_isRewoundTo()
{
    run(u"k = 1"_s);
    const EngineResponse kept = m_engine.post(path(u"/checkpoints"_s));
    QCOMPARE(kept.status, 201);
    QCOMPARE(kept.object().value("execution_id"_L1).toString(), u""_s);
    QCOMPARE(kept.object().value("execution_count"_L1).toInt(), 1);
    run(u"k = 2"_s);
    QCOMPARE(m_engine.post(path(u"/rewind"_s), {{u"checkpoint"_s, kept.object().value("id"_L1)}}).status, 200);
    QCOMPARE(value(u"k"_s), u"1"_s);
}

void EngineCheckpointsTest::remove_thenNotKept()
{
    const EngineItems items = run(u"1"_s);
    const QString one = path(u"/checkpoints/"_s + checkpointOf(items)["id"_L1].toString());
    QCOMPARE(m_engine.remove(one).status, 204);
    QCOMPARE(m_engine.remove(one).status, 404);
    QCOMPARE(rewindBefore(items).status, 404);
    QCOMPARE(branchBefore(items).status, 404);
    QCOMPARE(value(u"1 + 1"_s), u"2"_s);
}

void EngineCheckpointsTest::rewind_byExecution_givesTheStateBeforeIt()
{
    run(u"import os\nk = 1\nos.chdir('/usr')\nclass A: pass\na = A(); a.items = [1]"_s);
    const EngineItems second = run(u"k = 2\nos.chdir('/')\na.items.append(2)"_s);
    const EngineResponse rewound = rewindBefore(second);
    QCOMPARE(rewound.status, 200);
    QCOMPARE(rewound.object().value("id"_L1).toString(), m_context);
    QCOMPARE(rewound.object().value("state"_L1).toString(), u"idle"_s);
    QCOMPARE(value(u"k, os.getcwd(), a.items, isinstance(a, A)"_s), u"(1, '/usr', [1], True)"_s);
}

void EngineCheckpointsTest::rewind_thenForwardAgain_givesTheLaterState()
{
    run(u"k = 1"_s);
    const EngineItems second = run(u"k = 2"_s);
    const EngineItems third = run(u"k = 3"_s);
    QCOMPARE(rewindBefore(second).status, 200);
    QCOMPARE(value(u"k"_s), u"1"_s);
    QCOMPARE(rewindBefore(third).status, 200);
    QCOMPARE(value(u"k"_s), u"2"_s);
}

void EngineCheckpointsTest::rewind_countsOnFromTheCheckpoint()
{
    run(u"1"_s);
    const EngineItems second = run(u"2"_s);
    run(u"3"_s);
    QCOMPARE(rewindBefore(second).object().value("executionCount"_L1).toInt(), 1);
    QCOMPARE(run(u"4"_s).ofType(u"started"_s).value(0).value("execution_count"_L1).toInt(), 2);
    QCOMPARE(
        m_engine.get(m_sandbox.codeServer + u"/executions/"_s + executionOf(second) + u"/events?from=1"_s).status, 200);
}

void EngineCheckpointsTest::rewind_badBody_isRefused_data()
{
    QTest::addColumn<QJsonObject>("body");
    QTest::addColumn<int>("status");
    QTest::newRow("neither") << QJsonObject() << 400;
    QTest::newRow("both") << QJsonObject{{u"checkpoint"_s, u"a"_s}, {u"execution_id"_s, u"b"_s}} << 400;
    QTest::newRow("unknown checkpoint") << QJsonObject{{u"checkpoint"_s, u"a"_s}} << 404;
    QTest::newRow("unknown execution") << QJsonObject{{u"execution_id"_s, u"a"_s}} << 404;
}

void EngineCheckpointsTest::rewind_badBody_isRefused()
{
    QFETCH(QJsonObject, body);
    QFETCH(int, status);
    QCOMPARE(m_engine.post(path(u"/rewind"_s), body).status, status);
    QCOMPARE(m_engine.post(path(u"/branch"_s), body).status, status);
    QCOMPARE(m_engine.post(m_sandbox.codeServer + u"/contexts/none/rewind"_s, body).status, 404);
}

void EngineCheckpointsTest::rewind_whileACellRuns_isRefused()
{
    const EngineItems first = run(u"k = 1"_s);
    const auto running =
        m_engine.startExecution(m_sandbox, body(u"print('on')\nwhile True: pass"_s, m_context, u"auto"_s));
    QByteArray text;
    QVERIFY(EngineFixture::waitForText(*running, text, "\"on\\n\""));
    QCOMPARE(rewindBefore(first).status, 409);
    m_engine.post(path(u"/interrupt"_s));
    QVERIFY(EngineFixture::waitForText(*running, text, "interrupted"));
    QCOMPARE(rewindBefore(first).status, 200);
}

void EngineCheckpointsTest::rewind_stoppingACallThatNoInterruptEnds_givesTheState()
{
    run(u"import itertools\nk = 1"_s);
    const QString endless = u"k = 2\nprint('on')\nsum(itertools.repeat(0))"_s;
    const auto running = m_engine.startExecution(m_sandbox, body(endless, m_context, u"auto"_s));
    QByteArray text;
    QVERIFY(EngineFixture::waitForText(*running, text, "\"on\\n\""));
    EngineItems items;
    items.items = EngineFixture::itemsFrom(text);
    QCOMPARE(rewindBefore(items, true).status, 200);
    QVERIFY(EngineFixture::waitForText(*running, text, "\"aborted\""));
    QVERIFY(text.contains("KernelRewound"));
    QCOMPARE(value(u"k"_s), u"1"_s);
}

void EngineCheckpointsTest::branch_goesOnBesideTheOriginal()
{
    run(u"k = 2"_s);
    const EngineItems second = run(u"k += 100"_s);
    const EngineResponse response = branchBefore(second);
    QCOMPARE(response.status, 201);
    const QString branch = response.object().value("id"_L1).toString();
    QVERIFY(branch != m_context);
    QCOMPARE(response.object().value("executionCount"_L1).toInt(), 1);
    run(u"k *= 2"_s, branch);
    QCOMPARE(value(u"k"_s), u"102"_s);
    QCOMPARE(value(u"k"_s, branch), u"4"_s);
    QVERIFY(!checkpointOf(run(u"k"_s, branch)).isUndefined());
    QCOMPARE(m_engine.remove(m_sandbox.codeServer + u"/contexts/"_s + branch).status, 204);
    QCOMPARE(value(u"k"_s), u"102"_s);
}

void EngineCheckpointsTest::branch_whileTheOriginalRuns_works()
{
    run(u"k = 1"_s);
    const EngineItems second = run(u"k = 2"_s);
    const auto running =
        m_engine.startExecution(m_sandbox, body(u"print('on')\nwhile True: pass"_s, m_context, u"auto"_s));
    QByteArray text;
    QVERIFY(EngineFixture::waitForText(*running, text, "\"on\\n\""));
    const QString branch = branchBefore(second).object().value("id"_L1).toString();
    QCOMPARE(value(u"k"_s, branch), u"1"_s);
    QVERIFY(!text.contains("\"done\""));
    m_engine.remove(m_sandbox.codeServer + u"/contexts/"_s + branch);
}

void EngineCheckpointsTest::children_keepNoState()
{
    run(u"import subprocess\nchild = subprocess.Popen(['sleep', '60'])"_s);
    const EngineItems second = run(u"1"_s);
    QVERIFY(checkpointOf(second).isUndefined());
    QCOMPARE(second.ofType(u"done"_s).value(0).value("status"_L1).toString(), u"ok"_s);
    QCOMPARE(m_engine.post(path(u"/checkpoints"_s)).status, 409);
    run(u"child.kill(); child.wait()"_s);
    QVERIFY(!checkpointOf(run(u"1"_s)).isUndefined());
}

void EngineCheckpointsTest::restart_givesUpAllButThePinned()
{
    run(u"k = 1"_s);
    const QString pinned = checkpointOf(run(u"k = 2"_s))["id"_L1].toString();
    run(u"k = 3"_s);
    m_engine.post(path(u"/checkpoints/"_s + pinned + u"/pin"_s));
    QCOMPARE(m_engine.post(path(u"/restart"_s)).status, 204);
    const QJsonArray all = list();
    QCOMPARE(all.size(), 1);
    QCOMPARE(all[0]["id"_L1].toString(), pinned);
    QCOMPARE(m_engine.post(path(u"/rewind"_s), {{u"checkpoint"_s, pinned}}).status, 200);
    QCOMPARE(value(u"k"_s), u"1"_s);
}

void EngineCheckpointsTest::bash_rewindAndBranch_giveTheState()
{
    useLanguage(u"bash"_s);
    run(u"k=1; list=(a 'b c'); f() { echo f$k; }; cd /usr; export E=e"_s);
    const EngineItems second = run(u"k=2; list=(); unset -f f; cd /; unset E"_s);
    QVERIFY(!checkpointOf(second).isUndefined());
    QCOMPARE(run(u"echo $k"_s).text(), u"2\n"_s);
    const QString branch = branchBefore(second).object().value("id"_L1).toString();
    QCOMPARE(rewindBefore(second).status, 200);
    for (const QString &context : {m_context, branch}) {
        const EngineItems items = run(u"f; echo ${#list[@]} ${list[1]} $PWD; printenv E"_s, context);
        QCOMPARE(items.text(), u"f1\n2 b c /usr\ne\n"_s);
        QCOMPARE(items.ofType(u"started"_s).value(0).value("execution_count"_L1).toInt(), 2);
    }
}

void EngineCheckpointsTest::bash_endOfTheShell_givesTheStateBeforeTheCell()
{
    useLanguage(u"bash"_s);
    run(u"k=1"_s);
    const EngineItems crashed = run(u"k=2; sleep 0.3; kill -9 $$"_s);
    QCOMPARE(crashed.ofType(u"done"_s).value(0).value("status"_L1).toString(), u"crashed"_s);
    QCOMPARE(run(u"echo $k"_s).text(), u"1\n"_s);
}

void EngineCheckpointsTest::javascript_is501()
{
    useLanguage(u"javascript"_s);
    for (const QString &below : {u"/rewind"_s, u"/branch"_s, u"/checkpoints"_s}) {
        const EngineResponse refused = m_engine.post(path(below), {{u"execution_id"_s, u"a"_s}});
        QCOMPARE(refused.status, 501);
        QVERIFY(refused.body.contains("Node.js does not survive a fork"));
    }
    QVERIFY(checkpointOf(run(u"1"_s)).isUndefined());
}

QTEST_GUILESS_MAIN(EngineCheckpointsTest)
#include "tst_engine_checkpoints.moc"
