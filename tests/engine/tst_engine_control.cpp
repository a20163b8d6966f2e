#include "tests/support/enginefixture.h"
#include "tests/support/processes.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QSet>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The statements 1 to 13 of protocols.md §7.1, against the real daemon.
class EngineControlTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_engine.start()); }

    void s1_create_answersWithSandboxId();
    void s2_template_runsCode_data();
    void s2_template_runsCode();
    void s3_key_wrongOrAbsent_is401_data();
    void s3_key_wrongOrAbsent_is401();
    void s4_create_missingMember_is400_data();
    void s4_create_missingMember_is400();
    void s4_create_unknownMember_isIgnored();
    void s5_unknownSandbox_is404_data();
    void s5_unknownSandbox_is404();
    void s6_info_hasTheSeedMembers();
    void s7_resume_ofRunningSandbox_is200();
    void s8_pauseResumeDelete_answerInTime();
    void s9_expose_hundredTimes_givesTheSameHostname();
    void s10_codeServer_wrongPath_is404_data();
    void s10_codeServer_wrongPath_is404();
    void s10_contextOfAnotherSandbox_isUnknown();
    void s12_listeners_bindLoopbackOnly();
    void s12_host_notLoopback_isRefused();
    void s12_origin_isRefused();
    void s12_cors_isAbsent();
    void s13_timeout_past_sandboxIsGone();
    void s13_timeout_setsEndAt();
    void s13_timeout_huge_isThirtyDays_data();
    void s13_timeout_huge_isThirtyDays();
    void environment_impossible_isRefused_data();
    void environment_impossible_isRefused();
    void workingDirectory_withNul_is400();
    void method_wrong_is405();
    void path_unknown_is404();
    void body_broken_is400();

private:
    EngineFixture m_engine;
    const QString m_list = u"/api/sandboxes"_s;
};

void EngineControlTest::s1_create_answersWithSandboxId()
{
    QElapsedTimer timer;
    timer.start();
    const EngineResponse response =
        m_engine.post(m_list, {{u"projectId"_s, u"p"_s}, {u"template"_s, u"base"_s}, {u"timeoutMs"_s, 60000}});
    QVERIFY(timer.elapsed() < 5000);
    QCOMPARE(response.status / 100, 2);
    QVERIFY(response.object().value("sandboxId"_L1).isString());
}

void EngineControlTest::s2_template_runsCode_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("base") << u"base"_s;
    QTest::newRow("code interpreter") << u"code-interpreter-v1"_s;
}

void EngineControlTest::s2_template_runsCode()
{
    QFETCH(QString, name);
    const EngineSandbox sandbox = m_engine.create({{u"template"_s, name}});
    QCOMPARE(m_engine.run(sandbox, u"6*7"_s).result(), u"42"_s);
}

void EngineControlTest::s3_key_wrongOrAbsent_is401_data()
{
    QTest::addColumn<int>("key");
    QTest::newRow("wrong") << int(EngineFixture::Key::Wrong);
    QTest::newRow("absent") << int(EngineFixture::Key::None);
}

void EngineControlTest::s3_key_wrongOrAbsent_is401()
{
    QFETCH(int, key);
    for (const QString &path : {m_list, u"/api/sandboxes/x"_s, u"/v1/engine"_s}) {
        const EngineResponse response = m_engine.send("GET", path, {}, EngineFixture::Key(key));
        QCOMPARE(response.status, 401);
        QVERIFY(response.object().value("error"_L1).isString());
    }
}

void EngineControlTest::s4_create_missingMember_is400_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("no project") << QByteArray(R"({"template":"base","timeoutMs":1000})");
    QTest::newRow("empty project") << QByteArray(R"({"projectId":"","template":"base"})");
    QTest::newRow("no template") << QByteArray(R"({"projectId":"p"})");
    QTest::newRow("empty template") << QByteArray(R"({"projectId":"p","template":""})");
    QTest::newRow("unknown template") << QByteArray(R"({"projectId":"p","template":"desktop"})");
    QTest::newRow("negative timeout") << QByteArray(R"({"projectId":"p","template":"base","timeoutMs":-1})");
    QTest::newRow("folder with NUL") << QByteArray(
        R"({"projectId":"p","template":"base","sandfish":{"folders":[{"path":"/root\u0000x"}]}})");
    QTest::newRow("variable without a name") << QByteArray(R"({"projectId":"p","template":"base","envs":{"":"x"}})");
    QTest::newRow("system folder") << QByteArray(
        R"({"projectId":"p","template":"base","sandfish":{"folders":[{"path":"/etc"}]}})");
}

void EngineControlTest::s4_create_missingMember_is400()
{
    QFETCH(QByteArray, body);
    const EngineResponse response = m_engine.send("POST", m_list, body);
    QCOMPARE(response.status, 400);
    QVERIFY(response.object().value("error"_L1).isString());
}

void EngineControlTest::s4_create_unknownMember_isIgnored()
{
    QVERIFY(!m_engine.create({{u"volumeSize"_s, 5}, {u"region"_s, QJsonArray{1}}}).id.isEmpty());
}

void EngineControlTest::s5_unknownSandbox_is404_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QString>("rest");
    QTest::newRow("get") << QByteArray("GET") << QString();
    QTest::newRow("delete") << QByteArray("DELETE") << QString();
    for (const char *action : {"pause", "resume", "timeout", "expose/8080", "exec", "files"})
        QTest::newRow(action) << QByteArray("POST") << u'/' + QString::fromLatin1(action);
    QTest::newRow("read") << QByteArray("GET") << u"/files?path=a"_s;
    QTest::newRow("list") << QByteArray("GET") << u"/files/list?path=a"_s;
    QTest::newRow("remove") << QByteArray("DELETE") << u"/files"_s;
}

void EngineControlTest::s5_unknownSandbox_is404()
{
    QFETCH(QByteArray, method);
    QFETCH(QString, rest);
    const EngineResponse response = m_engine.send(method, m_list + u"/none"_s + rest, "{}");
    QCOMPARE(response.status, 404);
    QVERIFY(response.object().value("error"_L1).isString());
}

void EngineControlTest::s6_info_hasTheSeedMembers()
{
    const QJsonObject metadata{{u"owner"_s, u"täst"_s}};
    const EngineSandbox sandbox = m_engine.create({{u"metadata"_s, metadata}});
    QJsonObject listed;
    for (const QJsonValue &entry : m_engine.get(m_list).array()) {
        if (entry.toObject().value("sandboxId"_L1) == sandbox.id)
            listed = entry.toObject();
    }
    for (const QJsonObject &info : {listed, m_engine.get(sandbox.path).object()}) {
        for (QLatin1StringView member : {"sandboxId"_L1, "template"_L1, "startedAt"_L1, "endAt"_L1})
            QVERIFY2(info.value(member).isString(), member.data());
        QVERIFY(QDateTime::fromString(info.value("startedAt"_L1).toString(), Qt::ISODateWithMs).isValid());
        QCOMPARE(info.value("metadata"_L1).toObject(), metadata);
    }
}

void EngineControlTest::s7_resume_ofRunningSandbox_is200()
{
    const EngineSandbox sandbox = m_engine.create();
    QCOMPARE(m_engine.post(sandbox.path + u"/resume"_s).status, 200);
    QCOMPARE(m_engine.post(sandbox.path + u"/pause"_s).status, 200);
    QCOMPARE(m_engine.post(sandbox.path + u"/pause"_s).status, 200);
    QCOMPARE(m_engine.post(sandbox.path + u"/resume"_s).status, 200);
    QCOMPARE(m_engine.post(sandbox.path + u"/resume"_s).status, 200);
}

void EngineControlTest::s8_pauseResumeDelete_answerInTime()
{
    const EngineSandbox sandbox = m_engine.create();
    for (const auto &[method, path] : {std::pair<QByteArray, QString>{"POST", sandbox.path + u"/pause"_s},
             {"POST", sandbox.path + u"/resume"_s}, {"DELETE", sandbox.path}}) {
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(m_engine.send(method, path).status / 100, 2);
        QVERIFY(timer.elapsed() < 5000);
    }
    QCOMPARE(m_engine.get(sandbox.path).status, 404);
}

void EngineControlTest::s9_expose_hundredTimes_givesTheSameHostname()
{
    const EngineSandbox sandbox = m_engine.create();
    QSet<QString> hostnames;
    for (int i = 0; i < 100; ++i) {
        const QJsonObject exposed = m_engine.post(sandbox.path + u"/expose/8080"_s).object();
        QVERIFY(exposed.value("url"_L1).isString());
        hostnames.insert(exposed.value("hostname"_L1).toString());
    }
    QCOMPARE(hostnames.size(), 1);
}

void EngineControlTest::s10_codeServer_wrongPath_is404_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("no prefix") << u"/health"_s;
    QTest::newRow("no secret") << u"/s"_s;
    QTest::newRow("wrong secret") << u"/s/0123456789/health"_s;
    QTest::newRow("execute without prefix") << u"/execute"_s;
}

void EngineControlTest::s10_codeServer_wrongPath_is404()
{
    QFETCH(QString, path);
    QCOMPARE(m_engine.get(path).status, 404);
}

void EngineControlTest::s10_contextOfAnotherSandbox_isUnknown()
{
    const EngineSandbox mine = m_engine.create();
    const EngineSandbox other = m_engine.create();
    const QString id = m_engine.contextId(other, u"python"_s);
    QCOMPARE(m_engine.execute(mine, {{u"code"_s, u"1"_s}, {u"context_id"_s, id}}).status, 404);
    QCOMPARE(m_engine.post(mine.codeServer + u"/contexts/"_s + id + u"/restart"_s).status, 404);
    QCOMPARE(m_engine.remove(mine.codeServer + u"/contexts/"_s + id).status, 404);
}

// Every socket that the daemon listens on, as /proc/net names its local address.
void EngineControlTest::s12_listeners_bindLoopbackOnly()
{
    QStringList addresses;
    for (const QString &name : {u"tcp"_s, u"tcp6"_s}) {
        QFile table(u"/proc/%1/net/"_s.arg(m_engine.process().processId()) + name);
        if (!table.open(QIODevice::ReadOnly))
            continue;
        const QString fds = u"/proc/%1/fd"_s.arg(m_engine.process().processId());
        QSet<QString> own;
        for (const QFileInfo &fd : QDir(fds).entryInfoList(QDir::Files | QDir::System))
            own.insert(QFile::symLinkTarget(fd.filePath()).section(u'/', -1));
        for (const QByteArray &line : table.readAll().split('\n')) {
            const QList<QByteArray> fields = line.simplified().split(' ');
            const bool isListening = fields.value(3) == "0A";
            if (isListening && own.contains(u"socket:["_s + QString::fromLatin1(fields.value(9)) + u']'))
                addresses.append(QString::fromLatin1(fields.value(1)).section(u':', 0, 0));
        }
    }
    QCOMPARE(addresses, (QStringList{u"0100007F"_s, u"0100007F"_s}));
}

void EngineControlTest::s12_host_notLoopback_isRefused()
{
    QNetworkRequest request = m_engine.request(m_list);
    request.setRawHeader("Host", "evil.example");
    QCOMPARE(m_engine.send("GET", request, {}).status, 403);
}

void EngineControlTest::s12_origin_isRefused()
{
    QNetworkRequest request = m_engine.request(m_list);
    request.setRawHeader("Origin", "https://evil.example");
    QCOMPARE(m_engine.send("GET", request, {}).status, 403);
}

void EngineControlTest::s12_cors_isAbsent()
{
    const EngineSandbox sandbox = m_engine.create();
    for (const QString &path : QStringList{m_list, sandbox.codeServer + u"/health"_s}) {
        const std::unique_ptr<QNetworkReply> reply(m_engine.network().get(m_engine.request(path)));
        QCOMPARE(EngineFixture::waitFor(*reply).status, 200);
        QVERIFY(!reply->hasRawHeader("Access-Control-Allow-Origin"));
    }
}

void EngineControlTest::s13_timeout_past_sandboxIsGone()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    engine.run(sandbox, u"import subprocess; subprocess.Popen(['setsid', 'sleep', '1000']); 1"_s);
    QCOMPARE(engine.post(sandbox.path + u"/timeout"_s, {{u"timeoutMs"_s, 200}}).status, 200);
    QTRY_COMPARE_WITH_TIMEOUT(engine.get(sandbox.path).status, 404, 10'000);
    QCOMPARE(engine.get(sandbox.codeServer + u"/health"_s).status, 404);
    QTRY_COMPARE(processesBelow(engine.process().processId()), QList<qint64>());
}

void EngineControlTest::s13_timeout_setsEndAt()
{
    const EngineSandbox sandbox = m_engine.create();
    const QDateTime before = QDateTime::currentDateTimeUtc();
    m_engine.post(sandbox.path + u"/timeout"_s, {{u"timeoutMs"_s, 3'600'000}});
    const QDateTime end =
        QDateTime::fromString(m_engine.get(sandbox.path).object().value("endAt"_L1).toString(), Qt::ISODateWithMs);
    QVERIFY(qAbs(before.secsTo(end) - 3600) < 10);
}

void EngineControlTest::s13_timeout_huge_isThirtyDays_data()
{
    QTest::addColumn<QByteArray>("ms");
    for (const char *ms : {"9300000000000", "9223372036854775807", "18446744073709551615", "1e300"})
        QTest::newRow(ms) << QByteArray(ms);
}

void EngineControlTest::s13_timeout_huge_isThirtyDays()
{
    QFETCH(QByteArray, ms);
    const QByteArray body = R"({"projectId":"p","template":"base","timeoutMs":)" + ms + "}";
    const QString id = m_engine.send("POST", m_list, body).object().value("sandboxId"_L1).toString();
    const QString path = m_list + u'/' + id;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (int i = 0; i < 2; ++i) {
        const QString end = m_engine.get(path).object().value("endAt"_L1).toString();
        QVERIFY2(qAbs(now.secsTo(QDateTime::fromString(end, Qt::ISODateWithMs)) - 30 * 86'400) < 60, qPrintable(end));
        QCOMPARE(m_engine.send("POST", path + u"/timeout"_s, "{\"timeoutMs\":" + ms + "}").status, 200);
    }
    m_engine.remove(path);
}

void EngineControlTest::environment_impossible_isRefused_data()
{
    QTest::addColumn<QByteArray>("variables");
    QTest::newRow("equals sign") << QByteArray(R"({"A=B":"x"})");
    QTest::newRow("empty") << QByteArray(R"({"":"x"})");
    QTest::newRow("NUL in the name") << QByteArray(R"({"A\u0000":"x"})");
    QTest::newRow("NUL in the value") << QByteArray(R"({"A":"\u0000"})");
}

void EngineControlTest::environment_impossible_isRefused()
{
    QFETCH(QByteArray, variables);
    const EngineSandbox sandbox = m_engine.create();
    const QString execute = sandbox.codeServer + u"/execute"_s;
    QCOMPARE(m_engine.send("POST", execute, "{\"code\":\"1\",\"env_vars\":" + variables + "}").status, 422);
    const QByteArray command = "{\"cmd\":\"true\",\"envs\":" + variables + "}";
    QCOMPARE(m_engine.send("POST", sandbox.path + u"/exec"_s, command).status, 400);
    m_engine.remove(sandbox.path);
}

void EngineControlTest::workingDirectory_withNul_is400()
{
    const EngineSandbox sandbox = m_engine.create();
    const QByteArray context = R"({"cwd":"\u0000"})";
    QCOMPARE(m_engine.send("POST", sandbox.codeServer + u"/contexts"_s, context).status, 400);
    const QByteArray command = R"({"cmd":"true","workdir":"/\u0000"})";
    QCOMPARE(m_engine.send("POST", sandbox.path + u"/exec"_s, command).status, 400);
    m_engine.remove(sandbox.path);
}

void EngineControlTest::method_wrong_is405()
{
    const EngineSandbox sandbox = m_engine.create();
    QCOMPARE(m_engine.send("PUT", m_list, "{}").status, 405);
    QCOMPARE(m_engine.get(sandbox.path + u"/pause"_s).status, 405);
    QCOMPARE(m_engine.get(sandbox.codeServer + u"/execute"_s).status, 405);
    QCOMPARE(m_engine.get(sandbox.codeServer + u"/execute"_s).object().value("detail"_L1).toString(),
        u"Method Not Allowed"_s);
}

void EngineControlTest::path_unknown_is404()
{
    const EngineSandbox sandbox = m_engine.create();
    for (const QString &path :
        QStringList{u"/"_s, u"/api"_s, u"/api/volumes"_s, u"/v1/other"_s, sandbox.path + u"/fork"_s})
        QCOMPARE(m_engine.get(path).status, 404);
    QCOMPARE(m_engine.get(sandbox.codeServer + u"/other"_s).body, QByteArray(R"({"detail":"Not Found"})"));
}

void EngineControlTest::body_broken_is400()
{
    QCOMPARE(m_engine.send("POST", m_list, "{\"projectId\":").status, 400);
    QCOMPARE(m_engine.send("POST", m_list, "[]").status, 400);
    QCOMPARE(m_engine.get(m_list).status, 200);
}

QTEST_GUILESS_MAIN(EngineControlTest)
#include "tst_engine_control.moc"
