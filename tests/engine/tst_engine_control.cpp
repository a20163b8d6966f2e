#include "tests/support/enginefixture.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The statements 1 to 15 of protocols.md §7.1, against the real daemon.
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
    void s12_host_notLoopback_isRefused();
    void s12_origin_isRefused();
    void s12_cors_isAbsent();
    void s13_timeout_past_sandboxIsGone();
    void s13_timeout_setsEndAt();
    void s14_exec_answersOutputAndCode();
    void s14_exec_environmentAndWorkdir_areHonoured();
    void s14_exec_timeout_killsTheTree();
    void s14_exec_missingWorkdir_is400();
    void s15_files_utf8_isReadBackByteForByte();
    void s15_files_list_hasExactMembers();
    void s15_files_delete_thenMissing();
    void s15_files_outside_areRefused_data();
    void s15_files_outside_areRefused();
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
    const EngineSandbox sandbox = m_engine.create();
    const QString pid = m_engine.run(sandbox, u"import os; os.getpid()"_s).result();
    QVERIFY(!pid.isEmpty());
    QCOMPARE(m_engine.post(sandbox.path + u"/timeout"_s, {{u"timeoutMs"_s, 200}}).status, 200);
    QTRY_COMPARE_WITH_TIMEOUT(m_engine.get(sandbox.path).status, 404, 10'000);
    QCOMPARE(m_engine.get(sandbox.codeServer + u"/health"_s).status, 404);
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

void EngineControlTest::s14_exec_answersOutputAndCode()
{
    const EngineSandbox sandbox = m_engine.create();
    const QJsonObject answer =
        m_engine.post(sandbox.path + u"/exec"_s, {{u"cmd"_s, u"echo out; echo err >&2; exit 7"_s}}).object();
    QCOMPARE(answer.value("stdout"_L1).toString(), u"out\n"_s);
    QCOMPARE(answer.value("stderr"_L1).toString(), u"err\n"_s);
    QCOMPARE(answer.value("exitCode"_L1).toInt(-1), 7);
}

void EngineControlTest::s14_exec_environmentAndWorkdir_areHonoured()
{
    const EngineSandbox sandbox = m_engine.create();
    const QJsonObject answer = m_engine
                                   .post(sandbox.path + u"/exec"_s,
                                       {{u"cmd"_s, u"pwd; echo $GREETING"_s}, {u"workdir"_s, u"/usr"_s},
                                           {u"envs"_s, QJsonObject{{u"GREETING"_s, u"héllo"_s}}}})
                                   .object();
    QCOMPARE(answer.value("stdout"_L1).toString(), u"/usr\nhéllo\n"_s);
}

void EngineControlTest::s14_exec_timeout_killsTheTree()
{
    const EngineSandbox sandbox = m_engine.create();
    const EngineResponse response = m_engine.post(sandbox.path + u"/exec"_s,
        {{u"cmd"_s, u"setsid sleep 4242 & sleep 4243 & sleep 4244"_s}, {u"timeoutMs"_s, 300}});
    QCOMPARE(response.status, 408);
    const auto sleepers = [&] {
        return m_engine.post(sandbox.path + u"/exec"_s, {{u"cmd"_s, u"pgrep -fc '[s]leep 424[34]'"_s}})
            .object()
            .value("stdout"_L1)
            .toString()
            .trimmed();
    };
    QTRY_COMPARE(sleepers(), u"0"_s);
}

void EngineControlTest::s14_exec_missingWorkdir_is400()
{
    const EngineSandbox sandbox = m_engine.create();
    const EngineResponse response =
        m_engine.post(sandbox.path + u"/exec"_s, {{u"cmd"_s, u"true"_s}, {u"workdir"_s, u"/no/such"_s}});
    QCOMPARE(response.status, 400);
}

void EngineControlTest::s15_files_utf8_isReadBackByteForByte()
{
    const EngineSandbox sandbox = m_engine.create();
    const QString text = u"naïve ✓ 漢 😀\r\nsecond\n"_s;
    const QString path = u"/home/user/deep/er/f.txt"_s;
    QCOMPARE(m_engine.post(sandbox.path + u"/files"_s, {{u"path"_s, path}, {u"content"_s, text}}).status / 100, 2);
    QCOMPARE(m_engine.get(sandbox.path + u"/files?path="_s + path).body, text.toUtf8());
    QCOMPARE(m_engine.run(sandbox, u"open('/home/user/deep/er/f.txt', newline='').read()"_s).result(),
        QString::fromUtf8(QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact)).sliced(1).chopped(1));
}

void EngineControlTest::s15_files_list_hasExactMembers()
{
    const EngineSandbox sandbox = m_engine.create();
    m_engine.post(sandbox.path + u"/files"_s, {{u"path"_s, u"dir/a.txt"_s}, {u"content"_s, u"12345"_s}});
    const QJsonArray home = m_engine.get(sandbox.path + u"/files/list?path=/home/user"_s).array();
    QVERIFY(home.contains(
        QJsonObject{{u"name"_s, u"dir"_s}, {u"path"_s, u"/home/user/dir"_s}, {u"type"_s, u"dir"_s}, {u"size"_s, 0}}));
    const QJsonArray entries = m_engine.get(sandbox.path + u"/files/list?path=/home/user/dir"_s).array();
    QCOMPARE(entries,
        (QJsonArray{QJsonObject{
            {u"name"_s, u"a.txt"_s}, {u"path"_s, u"/home/user/dir/a.txt"_s}, {u"type"_s, u"file"_s}, {u"size"_s, 5}}}));
}

void EngineControlTest::s15_files_delete_thenMissing()
{
    const EngineSandbox sandbox = m_engine.create();
    m_engine.post(sandbox.path + u"/files"_s, {{u"path"_s, u"dir/a.txt"_s}, {u"content"_s, u"x"_s}});
    QCOMPARE(m_engine.send("DELETE", sandbox.path + u"/files"_s, R"({"path":"dir"})").status / 100, 2);
    QCOMPARE(m_engine.send("DELETE", sandbox.path + u"/files"_s, R"({"path":"dir"})").status, 404);
    QCOMPARE(m_engine.get(sandbox.path + u"/files?path=dir/a.txt"_s).status, 404);
    QCOMPARE(m_engine.get(sandbox.path + u"/files/list?path=dir"_s).status, 404);
}

void EngineControlTest::s15_files_outside_areRefused_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("system") << u"/etc/passwd"_s;
    QTest::newRow("dots") << u"/home/user/../../etc/passwd"_s;
    QTest::newRow("absolute link") << u"/home/user/link/passwd"_s;
    QTest::newRow("relative link") << u"/home/user/up/../sandbox.json"_s;
}

void EngineControlTest::s15_files_outside_areRefused()
{
    QFETCH(QString, path);
    const EngineSandbox sandbox = m_engine.create();
    m_engine.post(sandbox.path + u"/exec"_s, {{u"cmd"_s, u"ln -s /etc link; ln -s ../home up; ln -s .. top"_s}});
    const int status = m_engine.get(sandbox.path + u"/files?path="_s + path).status;
    QVERIFY2(status == 403 || status == 404, qPrintable(QString::number(status)));
    QCOMPARE(m_engine.post(sandbox.path + u"/files"_s, {{u"path"_s, u"top/x"_s}, {u"content"_s, u"x"_s}}).status, 403);
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
