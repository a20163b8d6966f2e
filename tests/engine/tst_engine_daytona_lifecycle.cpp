#include "tests/support/daytonafixture.h"
#include "tests/support/processes.h"

#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The control plane of the Daytona face: sandboxes, their states, who may ask (protocols.md §3.1 to §3.4).
class EngineDaytonaLifecycleTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_engine.start()); }

    void key_wrongOrAbsent_is401_data();
    void key_wrongOrAbsent_is401();
    void toolbox_unknownSandboxWithoutKey_is401();
    void error_hasTheServicesMembers();
    void create_hasTheServicesMembers();
    void create_givenValues_areKept();
    void create_refused_is400_data();
    void create_refused_is400();
    void create_nameTaken_is409();
    void create_networkBlocked_hasNone();
    void get_byName_findsIt();
    void unknownSandbox_is404_data();
    void unknownSandbox_is404();
    void stop_endsProcessesAndKeepsFiles();
    void stop_whileRunning_closesWith1001();
    void stopped_toolbox_is409();
    void stop_twice_andWhilePaused_isStopped();
    void stop_ephemeral_isDeleted();
    void start_afterStop_hasFilesButNoVariables();
    void pause_keepsVariables();
    void changes_atTheSameTime_areAllAnswered();
    void delete_whileStopping_isGone();
    void delete_isGone();

private:
    EngineFixture m_engine;
    DaytonaFixture m_daytona{m_engine};
};

namespace {
const QString kSandboxes = QStringLiteral("/api/sandbox");
}

void EngineDaytonaLifecycleTest::key_wrongOrAbsent_is401_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::newRow("absent") << QByteArray();
    QTest::newRow("wrong") << QByteArray("Bearer no");
    QTest::newRow("no bearer") << m_daytona.bearer().mid(7);
}

void EngineDaytonaLifecycleTest::key_wrongOrAbsent_is401()
{
    QFETCH(QByteArray, header);
    QNetworkRequest request = m_engine.request(u"/daytona/api/sandbox"_s, EngineFixture::Key::None);
    if (!header.isEmpty())
        request.setRawHeader("Authorization", header);
    const EngineResponse response = m_engine.send("GET", request, {});
    QCOMPARE(response.status, 401);
    QCOMPARE(response.object().value("code"_L1), u"UNAUTHORIZED"_s);
}

void EngineDaytonaLifecycleTest::toolbox_unknownSandboxWithoutKey_is401()
{
    const QString known = m_daytona.create();
    for (const QString &id : {known, u"unknown"_s}) {
        const QString path = u"/daytona"_s + DaytonaFixture::toolbox(id) + u"/version"_s;
        QCOMPARE(m_engine.send("GET", path, {}, EngineFixture::Key::None).status, 401);
    }
    QCOMPARE(m_daytona.get(DaytonaFixture::toolbox(known) + u"/version"_s).status, 200);
    QCOMPARE(m_daytona.get(DaytonaFixture::toolbox(u"unknown"_s) + u"/version"_s).status, 404);
}

void EngineDaytonaLifecycleTest::error_hasTheServicesMembers()
{
    const QJsonObject error = m_daytona.get(DaytonaFixture::sandboxPath(u"none"_s)).object();
    QCOMPARE(error.value("statusCode"_L1), 404);
    QCOMPARE(error.value("code"_L1), u"NOT_FOUND"_s);
    QCOMPARE(error.value("method"_L1), u"GET"_s);
    QCOMPARE(error.value("path"_L1), u"/daytona/api/sandbox/none"_s);
    for (const char *member : {"message", "timestamp", "source"})
        QVERIFY(!error.value(QLatin1StringView(member)).toString().isEmpty());
}

void EngineDaytonaLifecycleTest::create_hasTheServicesMembers()
{
    const QJsonObject sandbox = m_daytona.post(kSandboxes).object();
    for (const char *member : {"id", "organizationId", "name", "user", "target", "toolboxProxyUrl", "createdAt",
             "updatedAt", "lastActivityAt", "sandboxClass"})
        QVERIFY2(!sandbox.value(QLatin1StringView(member)).toString().isEmpty(), member);
    for (const char *member : {"cpu", "gpu", "memory", "disk", "autoStopInterval", "autoDeleteInterval"})
        QVERIFY2(sandbox.value(QLatin1StringView(member)).isDouble(), member);
    QCOMPARE(sandbox.value("state"_L1), u"started"_s);
    QCOMPARE(sandbox.value("desiredState"_L1), u"started"_s);
    QCOMPARE(sandbox.value("autoStopInterval"_L1), 15);
    QCOMPARE(sandbox.value("autoDeleteInterval"_L1), -1);
    QVERIFY(sandbox.value("env"_L1).isObject());
    QVERIFY(sandbox.value("labels"_L1).isObject());
}

void EngineDaytonaLifecycleTest::create_givenValues_areKept()
{
    const QJsonObject labels{{u"a"_s, u"1"_s}, {u"code-toolbox-language"_s, u"python"_s}};
    const QJsonObject variables{{u"GIVEN"_s, u"yes"_s}};
    const QJsonObject created =
        m_daytona
            .post(kSandboxes,
                {{u"name"_s, u"mine"_s}, {u"labels"_s, labels}, {u"env"_s, variables}, {u"autoPauseInterval"_s, 7},
                    {u"autoDeleteInterval"_s, 9}, {u"memory"_s, 1}, {u"ttlMinutes"_s, 60}, {u"public"_s, true}})
            .object();
    const QJsonObject sandbox = m_daytona.get(DaytonaFixture::sandboxPath(u"mine"_s)).object();
    QCOMPARE(sandbox.value("id"_L1), created.value("id"_L1));
    QCOMPARE(sandbox.value("labels"_L1).toObject(), labels);
    QCOMPARE(sandbox.value("env"_L1).toObject(), variables);
    QCOMPARE(sandbox.value("autoStopInterval"_L1), 0);
    QCOMPARE(sandbox.value("autoPauseInterval"_L1), 7);
    QCOMPARE(sandbox.value("autoDeleteInterval"_L1), 9);
    QCOMPARE(sandbox.value("memory"_L1), 1);
    QCOMPARE(sandbox.value("public"_L1), true);
    QVERIFY(!sandbox.value("autoDestroyAt"_L1).toString().isEmpty());
    const auto run = m_daytona.run(created.value("id"_L1).toString(), u"import os\nprint(os.environ['GIVEN'])"_s);
    QCOMPARE(run->text(), u"yes\n"_s);
}

void EngineDaytonaLifecycleTest::create_refused_is400_data()
{
    QTest::addColumn<QJsonObject>("body");
    QTest::newRow("image") << QJsonObject{{u"buildInfo"_s, QJsonObject{{u"dockerfileContent"_s, u"FROM x"_s}}}};
    QTest::newRow("volume") << QJsonObject{{u"volumes"_s, QJsonArray{QJsonObject{{u"volumeId"_s, u"v"_s}}}}};
    QTest::newRow("gpu") << QJsonObject{{u"gpu"_s, 1}};
    QTest::newRow("allow list") << QJsonObject{{u"networkAllowList"_s, u"10.0.0.0/8"_s}};
    QTest::newRow("snapshot") << QJsonObject{{u"snapshot"_s, u"nobody-made-it"_s}};
    QTest::newRow("user") << QJsonObject{{u"user"_s, u"root"_s}};
    QTest::newRow("negative interval") << QJsonObject{{u"autoStopInterval"_s, -1}};
    QTest::newRow("fraction of a minute") << QJsonObject{{u"autoStopInterval"_s, 0.5}};
    QTest::newRow("stop and pause") << QJsonObject{{u"autoStopInterval"_s, 5}, {u"autoPauseInterval"_s, 5}};
    QTest::newRow("little memory") << QJsonObject{{u"memory"_s, 0.01}};
    QTest::newRow("variable without a name") << QJsonObject{{u"env"_s, QJsonObject{{u""_s, u"x"_s}}}};
}

void EngineDaytonaLifecycleTest::create_refused_is400()
{
    QFETCH(QJsonObject, body);
    const EngineResponse response = m_daytona.post(kSandboxes, body);
    QCOMPARE(response.status, 400);
    QVERIFY(!response.object().value("message"_L1).toString().isEmpty());
}

void EngineDaytonaLifecycleTest::create_nameTaken_is409()
{
    QVERIFY(!m_daytona.create({{u"name"_s, u"taken"_s}}).isEmpty());
    QCOMPARE(m_daytona.post(kSandboxes, {{u"name"_s, u"taken"_s}}).status, 409);
}

void EngineDaytonaLifecycleTest::create_networkBlocked_hasNone()
{
    if (!m_engine.isIsolated())
        QSKIP("The network cannot be switched off on this computer.");
    const QString id = m_daytona.create({{u"networkBlockAll"_s, true}});
    const auto run = m_daytona.run(id, u"import socket\nprint([n for _, n in socket.if_nameindex()])"_s);
    QCOMPARE(run->text(), u"['lo']\n"_s);
    QCOMPARE(m_daytona.get(DaytonaFixture::sandboxPath(id) + u"/ports/3000/preview-url"_s).status, 409);
}

void EngineDaytonaLifecycleTest::get_byName_findsIt()
{
    const QString id = m_daytona.create({{u"name"_s, u"by name"_s}});
    QCOMPARE(m_daytona.get(kSandboxes + u"/by%20name"_s).object().value("id"_L1), id);
    QCOMPARE(m_daytona.get(DaytonaFixture::sandboxPath(id)).object().value("name"_L1), u"by name"_s);
}

void EngineDaytonaLifecycleTest::unknownSandbox_is404_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QString>("path");
    QTest::newRow("get") << QByteArray("GET") << u""_s;
    QTest::newRow("delete") << QByteArray("DELETE") << u""_s;
    for (const char *action : {"start", "stop", "pause", "last-activity", "autostop/5"})
        QTest::newRow(action) << QByteArray("POST") << u'/' + QString::fromLatin1(action);
    QTest::newRow("labels") << QByteArray("PUT") << u"/labels"_s;
    QTest::newRow("toolbox url") << QByteArray("GET") << u"/toolbox-proxy-url"_s;
}

void EngineDaytonaLifecycleTest::unknownSandbox_is404()
{
    QFETCH(QByteArray, method);
    QFETCH(QString, path);
    QCOMPARE(m_daytona.send(method, DaytonaFixture::sandboxPath(u"none"_s) + path).status, 404);
}

void EngineDaytonaLifecycleTest::stop_endsProcessesAndKeepsFiles()
{
    EngineFixture engine;
    DaytonaFixture daytona(engine);
    QVERIFY(engine.start());
    const QString id = daytona.create();
    QCOMPARE(daytona.run(id, u"open('kept', 'w').write('x')"_s)->closeCode(), 1000);
    const QList<qint64> before = processesBelow(engine.process().processId());
    QVERIFY(!before.isEmpty());
    const EngineResponse stopped = daytona.post(DaytonaFixture::sandboxPath(id) + u"/stop"_s);
    QCOMPARE(stopped.status, 200);
    QCOMPARE(stopped.object().value("state"_L1), u"stopped"_s);
    QCOMPARE(stopped.object().value("desiredState"_L1), u"stopped"_s);
    QVERIFY2(areGone(before), described(before).constData());
    QCOMPARE(daytona.post(DaytonaFixture::sandboxPath(id) + u"/start"_s).status, 200);
    QCOMPARE(daytona.run(id, u"print(open('kept').read())"_s)->text(), u"x\n"_s);
}

void EngineDaytonaLifecycleTest::stop_whileRunning_closesWith1001()
{
    const QString id = m_daytona.create();
    const auto socket = m_daytona.connectInterpreter(id);
    QVERIFY(socket->waitForOpen());
    socket->send({{u"code"_s, u"print('on', flush=True)\nimport time\ntime.sleep(60)"_s}});
    QVERIFY(socket->waitForFrame(u"stdout"_s));
    QCOMPARE(m_daytona.post(DaytonaFixture::sandboxPath(id) + u"/stop"_s).status, 200);
    QVERIFY(socket->waitForClose());
    QCOMPARE(socket->closeCode(), 1001);
}

void EngineDaytonaLifecycleTest::stopped_toolbox_is409()
{
    const QString id = m_daytona.create();
    const QString toolbox = DaytonaFixture::toolbox(id);
    QCOMPARE(m_daytona.post(DaytonaFixture::sandboxPath(id) + u"/stop"_s).status, 200);
    for (const QString &path : {u"/files?path=."_s, u"/process/interpreter/context"_s, u"/work-dir"_s}) {
        const EngineResponse response = m_daytona.get(toolbox + path);
        QCOMPARE(response.status, 409);
        QCOMPARE(response.object().value("code"_L1), u"CONFLICT"_s);
    }
    QVERIFY(!m_daytona.connectInterpreter(id)->waitForOpen());
}

void EngineDaytonaLifecycleTest::stop_twice_andWhilePaused_isStopped()
{
    const QString id = m_daytona.create();
    const QString path = DaytonaFixture::sandboxPath(id);
    QCOMPARE(m_daytona.post(path + u"/pause"_s).object().value("state"_L1), u"paused"_s);
    QCOMPARE(m_daytona.post(path + u"/stop"_s).object().value("state"_L1), u"stopped"_s);
    QCOMPARE(m_daytona.post(path + u"/stop"_s).object().value("state"_L1), u"stopped"_s);
    QCOMPARE(m_daytona.post(path + u"/pause"_s).status, 409);
    QCOMPARE(m_daytona.post(path + u"/start"_s).object().value("state"_L1), u"started"_s);
    QCOMPARE(m_daytona.run(id, u"print(1)"_s)->text(), u"1\n"_s);
}

void EngineDaytonaLifecycleTest::stop_ephemeral_isDeleted()
{
    const QString id = m_daytona.create({{u"autoDeleteInterval"_s, 0}});
    QCOMPARE(m_daytona.post(DaytonaFixture::sandboxPath(id) + u"/stop"_s).status, 200);
    QTRY_COMPARE(m_daytona.get(DaytonaFixture::sandboxPath(id)).status, 404);
}

void EngineDaytonaLifecycleTest::start_afterStop_hasFilesButNoVariables()
{
    const QString id = m_daytona.create();
    const QString path = DaytonaFixture::sandboxPath(id);
    QCOMPARE(m_daytona.run(id, u"gone = 1\nopen('kept', 'w').write('x')"_s)->closeCode(), 1000);
    QCOMPARE(m_daytona.post(path + u"/stop"_s).status, 200);
    QCOMPARE(m_daytona.post(path + u"/start"_s).object().value("state"_L1), u"started"_s);
    const auto run = m_daytona.run(id, u"import os\nprint('gone' in globals(), os.path.exists('kept'))"_s);
    QCOMPARE(run->text(), u"False True\n"_s);
}

void EngineDaytonaLifecycleTest::pause_keepsVariables()
{
    const QString id = m_daytona.create();
    const QString path = DaytonaFixture::sandboxPath(id);
    QCOMPARE(m_daytona.run(id, u"kept = 42"_s)->closeCode(), 1000);
    QCOMPARE(m_daytona.post(path + u"/pause"_s).object().value("state"_L1), u"paused"_s);
    QCOMPARE(m_daytona.state(id), u"paused"_s);
    QCOMPARE(m_daytona.get(DaytonaFixture::toolbox(id) + u"/version"_s).status, 409);
    QCOMPARE(m_daytona.post(path + u"/start"_s).object().value("state"_L1), u"started"_s);
    QCOMPARE(m_daytona.run(id, u"print(kept)"_s)->text(), u"42\n"_s);
}

void EngineDaytonaLifecycleTest::changes_atTheSameTime_areAllAnswered()
{
    const QString id = m_daytona.create();
    std::vector<std::unique_ptr<QNetworkReply>> replies;
    for (const char *action : {"stop", "start", "stop", "start", "stop", "start"})
        replies.emplace_back(m_engine.network().post(
            m_daytona.request(DaytonaFixture::sandboxPath(id) + u'/' + QString::fromLatin1(action)), QByteArray()));
    for (const auto &reply : replies)
        QCOMPARE(EngineFixture::waitFor(*reply).status, 200);
    QTRY_VERIFY(QStringList({u"stopped"_s, u"started"_s}).contains(m_daytona.state(id)));
}

void EngineDaytonaLifecycleTest::delete_whileStopping_isGone()
{
    const QString path = DaytonaFixture::sandboxPath(m_daytona.create());
    const std::unique_ptr<QNetworkReply> stop(
        m_engine.network().post(m_daytona.request(path + u"/stop"_s), QByteArray()));
    QCOMPARE(m_daytona.send("DELETE", path).status, 200);
    QVERIFY(EngineFixture::waitFor(*stop).status > 0);
    QCOMPARE(m_daytona.get(path).status, 404);
}

void EngineDaytonaLifecycleTest::delete_isGone()
{
    const QString path = DaytonaFixture::sandboxPath(m_daytona.create());
    const EngineResponse deleted = m_daytona.send("DELETE", path);
    QCOMPARE(deleted.status, 200);
    QCOMPARE(deleted.object().value("state"_L1), u"destroyed"_s);
    QCOMPARE(m_daytona.get(path).status, 404);
    QCOMPARE(m_daytona.send("DELETE", path).status, 404);
}

QTEST_GUILESS_MAIN(EngineDaytonaLifecycleTest)
#include "tst_engine_daytona_lifecycle.moc"
