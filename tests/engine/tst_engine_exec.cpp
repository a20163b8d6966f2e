#include "tests/support/enginefixture.h"
#include "tests/support/processes.h"

#include <QJsonDocument>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// Commands and files of a sandbox: statements 14 and 15 of protocols.md §7.1, against the real daemon.
class EngineExecTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_engine.start()); }

    void s14_exec_answersOutputAndCode();
    void s14_exec_environmentAndWorkdir_areHonoured();
    void s14_exec_timeout_killsTheTree();
    void s14_exec_children_endWithTheSandbox();
    void s14_exec_missingWorkdir_is400();
    void s15_files_utf8_isReadBackByteForByte();
    void s15_files_list_hasExactMembers();
    void s15_files_delete_thenMissing();
    void s15_files_outside_areRefused_data();
    void s15_files_outside_areRefused();

private:
    EngineFixture m_engine;
};

void EngineExecTest::s14_exec_answersOutputAndCode()
{
    const EngineSandbox sandbox = m_engine.create();
    const QJsonObject answer =
        m_engine.post(sandbox.path + u"/exec"_s, {{u"cmd"_s, u"echo out; echo err >&2; exit 7"_s}}).object();
    QCOMPARE(answer.value("stdout"_L1).toString(), u"out\n"_s);
    QCOMPARE(answer.value("stderr"_L1).toString(), u"err\n"_s);
    QCOMPARE(answer.value("exitCode"_L1).toInt(-1), 7);
}

void EngineExecTest::s14_exec_environmentAndWorkdir_areHonoured()
{
    const EngineSandbox sandbox = m_engine.create();
    const QJsonObject answer = m_engine
                                   .post(sandbox.path + u"/exec"_s,
                                       {{u"cmd"_s, u"pwd; echo $GREETING"_s}, {u"workdir"_s, u"/usr"_s},
                                           {u"envs"_s, QJsonObject{{u"GREETING"_s, u"héllo"_s}}}})
                                   .object();
    QCOMPARE(answer.value("stdout"_L1).toString(), u"/usr\nhéllo\n"_s);
}

void EngineExecTest::s14_exec_timeout_killsTheTree()
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

void EngineExecTest::s14_exec_children_endWithTheSandbox()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    const QJsonObject answer =
        engine.post(sandbox.path + u"/exec"_s, {{u"cmd"_s, u"setsid nohup sleep 1000 >/dev/null 2>&1 & echo on"_s}})
            .object();
    QCOMPARE(answer.value("stdout"_L1).toString(), u"on\n"_s);
    const QList<qint64> pids = processesBelow(engine.process().processId());
    QCOMPARE(engine.remove(sandbox.path).status, 204);
    QVERIFY(areGone(pids));
}

void EngineExecTest::s14_exec_missingWorkdir_is400()
{
    const EngineSandbox sandbox = m_engine.create();
    const EngineResponse response =
        m_engine.post(sandbox.path + u"/exec"_s, {{u"cmd"_s, u"true"_s}, {u"workdir"_s, u"/no/such"_s}});
    QCOMPARE(response.status, 400);
}

void EngineExecTest::s15_files_utf8_isReadBackByteForByte()
{
    const EngineSandbox sandbox = m_engine.create();
    const QString text = u"naïve ✓ 漢 😀\r\nsecond\n"_s;
    const QString path = u"/home/user/deep/er/f.txt"_s;
    QCOMPARE(m_engine.post(sandbox.path + u"/files"_s, {{u"path"_s, path}, {u"content"_s, text}}).status / 100, 2);
    QCOMPARE(m_engine.get(sandbox.path + u"/files?path="_s + path).body, text.toUtf8());
    QCOMPARE(m_engine.run(sandbox, u"open('/home/user/deep/er/f.txt', newline='').read()"_s).result(),
        QString::fromUtf8(QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact)).sliced(1).chopped(1));
}

void EngineExecTest::s15_files_list_hasExactMembers()
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

void EngineExecTest::s15_files_delete_thenMissing()
{
    const EngineSandbox sandbox = m_engine.create();
    m_engine.post(sandbox.path + u"/files"_s, {{u"path"_s, u"dir/a.txt"_s}, {u"content"_s, u"x"_s}});
    QCOMPARE(m_engine.send("DELETE", sandbox.path + u"/files"_s, R"({"path":"dir"})").status / 100, 2);
    QCOMPARE(m_engine.send("DELETE", sandbox.path + u"/files"_s, R"({"path":"dir"})").status, 404);
    QCOMPARE(m_engine.get(sandbox.path + u"/files?path=dir/a.txt"_s).status, 404);
    QCOMPARE(m_engine.get(sandbox.path + u"/files/list?path=dir"_s).status, 404);
}

void EngineExecTest::s15_files_outside_areRefused_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("system") << u"/etc/passwd"_s;
    QTest::newRow("dots") << u"/home/user/../../etc/passwd"_s;
    QTest::newRow("absolute link") << u"/home/user/link/passwd"_s;
    QTest::newRow("relative link") << u"/home/user/up/../sandbox.json"_s;
}

void EngineExecTest::s15_files_outside_areRefused()
{
    QFETCH(QString, path);
    const EngineSandbox sandbox = m_engine.create();
    m_engine.post(sandbox.path + u"/exec"_s, {{u"cmd"_s, u"ln -s /etc link; ln -s ../home up; ln -s .. top"_s}});
    const int status = m_engine.get(sandbox.path + u"/files?path="_s + path).status;
    QVERIFY2(status == 403 || status == 404, qPrintable(QString::number(status)));
    QCOMPARE(m_engine.post(sandbox.path + u"/files"_s, {{u"path"_s, u"top/x"_s}, {u"content"_s, u"x"_s}}).status, 403);
}

QTEST_GUILESS_MAIN(EngineExecTest)
#include "tst_engine_exec.moc"
