#include "tests/support/clifixture.h"

#include <QJsonArray>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// `sandfish-cli sandbox …` and `engine …` with the real sandfishd.
class CliSandboxTest : public QObject
{
    Q_OBJECT
private slots:
    void cleanup();
    void create_printsTheIdThatListShows();
    void create_json_isTheSandbox();
    void create_takenName_isToldAndMade();
    void pause_sandbox_refusesCodeUntilResumed();
    void act_severalSandboxes_isOneCall();
    void act_oneNameWrong_doesNothing();
    void act_ambiguousName_saysSo();
    void kill_sandbox_isGone();
    void engine_status_describesTheEngine();
    void engine_notRunning_statusExitsWith3();
    void engine_start_isTheSameTwice();
    void engine_stop_endsTheEngine();
    void engine_stop_withoutEngine_isNoError();
    void exec_sandbox_endsWithTheCall();

private:
    QJsonArray sandboxes();
    QString create(const QString &name);

    CliFixture m_cli;
};

QJsonArray CliSandboxTest::sandboxes()
{
    return m_cli.run({u"sandbox"_s, u"list"_s, u"--json"_s}).lastLine().value("sandboxes"_L1).toArray();
}

QString CliSandboxTest::create(const QString &name)
{
    return QString::fromUtf8(m_cli.run({u"sandbox"_s, u"create"_s, u"--name"_s, name}).output).trimmed();
}

void CliSandboxTest::cleanup()
{
    for (const QJsonValue &sandbox : sandboxes())
        QCOMPARE(m_cli.run({u"sandbox"_s, u"kill"_s, sandbox["id"_L1].toString()}).status, 0);
}

void CliSandboxTest::create_printsTheIdThatListShows()
{
    const QString id = create(u"blue"_s);
    QCOMPARE(sandboxes().size(), 1);
    const QJsonObject sandbox = sandboxes().first().toObject();
    QCOMPARE(sandbox.value("id"_L1).toString(), id);
    QCOMPARE(sandbox.value("name"_L1).toString(), u"blue"_s);
    QCOMPARE(sandbox.value("state"_L1).toString(), u"running"_s);
    const QByteArray table = m_cli.run({u"sandbox"_s, u"list"_s}).output;
    QCOMPARE(table.count('\n'), 2);
    QVERIFY(table.startsWith("ID "));
    QVERIFY(table.contains(id.toUtf8()) && table.contains("blue") && table.contains("running"));
}

void CliSandboxTest::create_json_isTheSandbox()
{
    const CliResult result = m_cli.run({u"sandbox"_s, u"create"_s, u"--json"_s, u"--timeout"_s, u"300"_s});
    QCOMPARE(result.output.count('\n'), 1);
    const QJsonArray created = result.lastLine().value("sandboxes"_L1).toArray();
    QCOMPARE(created.size(), 1);
    QVERIFY(!created[0]["id"_L1].toString().isEmpty());
    QVERIFY(!created[0]["endsAt"_L1].toString().isEmpty());
}

void CliSandboxTest::create_takenName_isToldAndMade()
{
    create(u"twin"_s);
    const CliResult result = m_cli.run({u"sandbox"_s, u"create"_s, u"--name"_s, u"twin"_s});
    QCOMPARE(result.status, 0);
    QCOMPARE(
        result.errors, QByteArray("sandfish-cli: There is a sandbox “twin” already; name each of them by its id.\n"));
    QCOMPARE(sandboxes().size(), 2);
}

void CliSandboxTest::pause_sandbox_refusesCodeUntilResumed()
{
    create(u"work"_s);
    QCOMPARE(m_cli.run({u"exec"_s, u"--sandbox"_s, u"work"_s, u"-e"_s, u"x = 41"_s}).status, 0);
    QCOMPARE(m_cli.run({u"sandbox"_s, u"pause"_s, u"work"_s}).status, 0);
    QCOMPARE(sandboxes()[0]["state"_L1].toString(), u"paused"_s);
    const CliResult refused = m_cli.run({u"exec"_s, u"--sandbox"_s, u"work"_s, u"-e"_s, u"x"_s});
    QCOMPARE(refused.status, 3);
    QVERIFY2(refused.errors.contains("sandbox resume"), refused.errors.constData());
    QCOMPARE(m_cli.run({u"sandbox"_s, u"resume"_s, u"work"_s}).status, 0);
    QCOMPARE(m_cli.run({u"exec"_s, u"--sandbox"_s, u"work"_s, u"-e"_s, u"x + 1"_s}).output, QByteArray("42\n"));
}

void CliSandboxTest::act_severalSandboxes_isOneCall()
{
    create(u"one"_s);
    create(u"two"_s);
    const CliResult result = m_cli.run({u"sandbox"_s, u"pause"_s, u"one"_s, u"two"_s, u"--json"_s});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.output.count('\n'), 1);
    const QJsonArray paused = result.lastLine().value("sandboxes"_L1).toArray();
    QCOMPARE(paused.size(), 2);
    QCOMPARE(paused[1]["name"_L1].toString(), u"two"_s);
    QCOMPARE(paused[1]["state"_L1].toString(), u"paused"_s);
}

void CliSandboxTest::act_oneNameWrong_doesNothing()
{
    create(u"one"_s);
    const CliResult result = m_cli.run({u"sandbox"_s, u"kill"_s, u"one"_s, u"none"_s});
    QCOMPARE(result.status, 3);
    QVERIFY2(result.errors.contains("“none”"), result.errors.constData());
    QCOMPARE(sandboxes().size(), 1);
}

void CliSandboxTest::act_ambiguousName_saysSo()
{
    create(u"twin"_s);
    create(u"twin"_s);
    const CliResult result = m_cli.run({u"sandbox"_s, u"kill"_s, u"twin"_s});
    QCOMPARE(result.status, 3);
    QVERIFY2(result.errors.contains("fits 2 sandboxes"), result.errors.constData());
    QCOMPARE(sandboxes().size(), 2);
}

void CliSandboxTest::kill_sandbox_isGone()
{
    const QString id = create(u"doomed"_s);
    QCOMPARE(m_cli.run({u"sandbox"_s, u"kill"_s, id.first(8)}).status, 0);
    QCOMPARE(sandboxes().size(), 0);
    QCOMPARE(m_cli.run({u"sandbox"_s, u"kill"_s, id}).status, 3);
}

void CliSandboxTest::engine_status_describesTheEngine()
{
    QCOMPARE(m_cli.run({u"engine"_s, u"start"_s}).status, 0);
    const QJsonObject status = m_cli.run({u"engine"_s, u"status"_s, u"--json"_s}).lastLine();
    QCOMPARE(status.value("pid"_L1).toInteger(), m_cli.enginePid());
    QVERIFY(!status.value("isolation"_L1).toString().isEmpty());
    QVERIFY(!status.contains("apiKey"_L1));
    const QByteArray text = m_cli.run({u"engine"_s, u"status"_s}).output;
    QVERIFY(text.contains("isolation") && text.contains(status.value("url"_L1).toString().toUtf8()));
}

void CliSandboxTest::engine_notRunning_statusExitsWith3()
{
    CliFixture cli;
    const CliResult result = cli.run({u"engine"_s, u"status"_s});
    QCOMPARE(result.status, 3);
    QVERIFY2(result.errors.contains("No local engine is running. `sandfish-cli engine start` starts it."),
        result.errors.constData());
    QVERIFY(!cli.hasEngine());
}

void CliSandboxTest::engine_start_isTheSameTwice()
{
    const CliResult first = m_cli.run({u"engine"_s, u"start"_s, u"--json"_s});
    QCOMPARE(first.status, 0);
    QCOMPARE(m_cli.run({u"engine"_s, u"start"_s, u"--json"_s}).output, first.output);
}

void CliSandboxTest::engine_stop_endsTheEngine()
{
    CliFixture cli;
    QCOMPARE(cli.run({u"engine"_s, u"start"_s}).status, 0);
    QCOMPARE(cli.run({u"sandbox"_s, u"create"_s}).status, 0);
    const CliResult result = cli.run({u"engine"_s, u"stop"_s, u"--json"_s});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.lastLine().value("stopped"_L1).toBool(), true);
    QVERIFY(!cli.hasEngine());
}

void CliSandboxTest::engine_stop_withoutEngine_isNoError()
{
    CliFixture cli;
    const CliResult result = cli.run({u"engine"_s, u"stop"_s, u"--json"_s});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.lastLine().value("stopped"_L1).toBool(true), false);
}

void CliSandboxTest::exec_sandbox_endsWithTheCall()
{
    QCOMPARE(m_cli.run({u"exec"_s, u"-e"_s, u"1"_s}).status, 0);
    QCOMPARE(m_cli.run({u"sandbox"_s, u"list"_s, u"--json"_s}).output, QByteArray("{\"sandboxes\":[]}\n"));
    const CliResult kept = m_cli.run({u"exec"_s, u"-e"_s, u"1"_s, u"--keep"_s, u"--json"_s});
    const QString id = kept.lastLine().value("sandbox"_L1).toString();
    QVERIFY(!id.isEmpty());
    QCOMPARE(m_cli.run({u"sandbox"_s, u"kill"_s, id}).status, 0);
}

QTEST_GUILESS_MAIN(CliSandboxTest)
#include "tst_cli_sandbox.moc"
