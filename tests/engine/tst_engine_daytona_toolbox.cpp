#include "tests/support/daytonafixture.h"

#include <QElapsedTimer>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// Contexts, commands and programs of the Daytona face (protocols.md §3.5, §3.7).
class EngineDaytonaToolboxTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void context_create_hasTheServicesMembers();
    void context_cwd_isUsed();
    void context_refused_is400_data();
    void context_refused_is400();
    void context_list_hidesTheDefault();
    void context_delete_is200ThenUnknown();
    void context_deleteDefault_is400();
    void contexts_variables_areApart();
    void command_output_isMergedInOrder();
    void command_exitCodeEnvironmentAndFolder();
    void command_timeout_is408AndEndsTheTree();
    void command_missingFolder_isMinusOne();
    void command_refused_is400_data();
    void command_refused_is400();
    void program_perLanguage_data();
    void program_perLanguage();
    void program_refused_is400();
    void folders_areTold();

private:
    QString toolbox(const QString &path) const { return DaytonaFixture::toolbox(m_sandbox) + path; }

    EngineFixture m_engine;
    DaytonaFixture m_daytona{m_engine};
    QString m_sandbox;
};

namespace {
const QString kContexts = QStringLiteral("/process/interpreter/context");
const QString kExecute = QStringLiteral("/process/execute");
const QString kCodeRun = QStringLiteral("/process/code-run");
} // namespace

void EngineDaytonaToolboxTest::initTestCase()
{
    QVERIFY(m_engine.start());
    m_sandbox = m_daytona.create();
    QVERIFY(!m_sandbox.isEmpty());
}

void EngineDaytonaToolboxTest::context_create_hasTheServicesMembers()
{
    const EngineResponse response = m_daytona.post(toolbox(kContexts));
    QCOMPARE(response.status, 200);
    const QJsonObject context = response.object();
    QCOMPARE(context.keys(), QStringList({u"active"_s, u"createdAt"_s, u"cwd"_s, u"id"_s, u"language"_s}));
    QCOMPARE(context.value("active"_L1), true);
    QCOMPARE(context.value("language"_L1), u"python"_s);
    QCOMPARE(context.value("cwd"_L1), u"/home/user"_s);
    QVERIFY(QDateTime::fromString(context.value("createdAt"_L1).toString(), Qt::ISODateWithMs).isValid());
}

void EngineDaytonaToolboxTest::context_cwd_isUsed()
{
    QCOMPARE(m_daytona.post(toolbox(kExecute), {{u"command"_s, u"mkdir -p deep/er"_s}}).status, 200);
    const QString cwd = u"/home/user/deep/er"_s;
    const QString id = m_daytona.post(toolbox(kContexts), {{u"cwd"_s, cwd}}).object().value("id"_L1).toString();
    const auto run = m_daytona.run(m_sandbox, {{u"contextId"_s, id}, {u"code"_s, u"import os\nprint(os.getcwd())"_s}});
    QVERIFY2(run->text().endsWith(u"deep/er\n"_s), qPrintable(run->text()));
}

void EngineDaytonaToolboxTest::context_refused_is400_data()
{
    QTest::addColumn<QJsonObject>("body");
    QTest::newRow("missing folder") << QJsonObject{{u"cwd"_s, u"/home/user/nowhere"_s}};
    QTest::newRow("folder with NUL") << QJsonObject{{u"cwd"_s, u"/home/user/\0x"_s}};
    QTest::newRow("number") << QJsonObject{{u"cwd"_s, 1}};
    QTest::newRow("language") << QJsonObject{{u"language"_s, u"javascript"_s}};
}

void EngineDaytonaToolboxTest::context_refused_is400()
{
    QFETCH(QJsonObject, body);
    QCOMPARE(m_daytona.post(toolbox(kContexts), body).status, 400);
}

void EngineDaytonaToolboxTest::context_list_hidesTheDefault()
{
    const QString sandbox = m_daytona.create();
    const QString path = DaytonaFixture::toolbox(sandbox) + kContexts;
    QCOMPARE(m_daytona.run(sandbox, u"1"_s)->closeCode(), 1000);
    QCOMPARE(m_daytona.get(path).object().value("contexts"_L1).toArray().size(), 0);
    const QJsonObject made = m_daytona.post(path).object();
    const QJsonArray listed = m_daytona.get(path).object().value("contexts"_L1).toArray();
    QCOMPARE(listed.size(), 1);
    QCOMPARE(listed.first().toObject(), made);
}

void EngineDaytonaToolboxTest::context_delete_is200ThenUnknown()
{
    const QString id = m_daytona.post(toolbox(kContexts)).object().value("id"_L1).toString();
    const EngineResponse deleted = m_daytona.send("DELETE", toolbox(kContexts) + u'/' + id);
    QCOMPARE(deleted.status, 200);
    QVERIFY(deleted.object().value("message"_L1).isString());
    QCOMPARE(m_daytona.send("DELETE", toolbox(kContexts) + u'/' + id).status, 404);
    QCOMPARE(m_daytona.run(m_sandbox, {{u"contextId"_s, id}, {u"code"_s, u"1"_s}})->closeCode(), 1008);
}

void EngineDaytonaToolboxTest::context_deleteDefault_is400()
{
    QCOMPARE(m_daytona.send("DELETE", toolbox(kContexts) + u"/default"_s).status, 400);
}

void EngineDaytonaToolboxTest::contexts_variables_areApart()
{
    const QString id = m_daytona.post(toolbox(kContexts)).object().value("id"_L1).toString();
    QCOMPARE(m_daytona.run(m_sandbox, {{u"contextId"_s, id}, {u"code"_s, u"apart = 1"_s}})->closeCode(), 1000);
    QCOMPARE(m_daytona.run(m_sandbox, u"print('apart' in globals())"_s)->text(), u"False\n"_s);
}

void EngineDaytonaToolboxTest::command_output_isMergedInOrder()
{
    const QJsonObject result =
        m_daytona.post(toolbox(kExecute), {{u"command"_s, u"echo 1; echo 2 >&2; echo 3"_s}}).object();
    QCOMPARE(result.value("result"_L1), u"1\n2\n3\n"_s);
    QCOMPARE(result.value("exitCode"_L1), 0);
}

void EngineDaytonaToolboxTest::command_exitCodeEnvironmentAndFolder()
{
    const QJsonObject result = m_daytona
                                   .post(toolbox(kExecute),
                                       {{u"command"_s, u"echo $GIVEN; pwd; exit 7"_s}, {u"cwd"_s, u"/tmp"_s},
                                           {u"envs"_s, QJsonObject{{u"GIVEN"_s, u"yes"_s}}}})
                                   .object();
    QCOMPARE(result.value("result"_L1), u"yes\n/tmp\n"_s);
    QCOMPARE(result.value("exitCode"_L1), 7);
}

void EngineDaytonaToolboxTest::command_timeout_is408AndEndsTheTree()
{
    QElapsedTimer timer;
    timer.start();
    const QString command = u"sleep 4242 & sleep 4242"_s;
    const EngineResponse response = m_daytona.post(toolbox(kExecute), {{u"command"_s, command}, {u"timeout"_s, 1}});
    QVERIFY(timer.elapsed() < 20'000);
    QCOMPARE(response.status, 408);
    QCOMPARE(response.object().value("code"_L1), u"PROCESS_EXECUTION_TIMEOUT"_s);
    const auto left = [&] {
        return m_daytona.post(toolbox(kExecute), {{u"command"_s, u"pgrep -f 'sleep [4]242' | wc -l"_s}})
            .object()
            .value("result"_L1)
            .toString()
            .trimmed();
    };
    QTRY_COMPARE(left(), u"0"_s);
}

void EngineDaytonaToolboxTest::command_missingFolder_isMinusOne()
{
    const EngineResponse response =
        m_daytona.post(toolbox(kExecute), {{u"command"_s, u"true"_s}, {u"cwd"_s, u"/nowhere"_s}});
    QCOMPARE(response.status, 200);
    QCOMPARE(response.object().value("exitCode"_L1), -1);
}

void EngineDaytonaToolboxTest::command_refused_is400_data()
{
    QTest::addColumn<QJsonObject>("body");
    QTest::newRow("no command") << QJsonObject();
    QTest::newRow("NUL") << QJsonObject{{u"command"_s, u"a\0b"_s}};
    QTest::newRow("negative timeout") << QJsonObject{{u"command"_s, u"true"_s}, {u"timeout"_s, -1}};
    QTest::newRow("odd variable") << QJsonObject{
        {u"command"_s, u"true"_s}, {u"envs"_s, QJsonObject{{u"A=B"_s, u"x"_s}}}};
}

void EngineDaytonaToolboxTest::command_refused_is400()
{
    QFETCH(QJsonObject, body);
    QCOMPARE(m_daytona.post(toolbox(kExecute), body).status, 400);
}

void EngineDaytonaToolboxTest::program_perLanguage_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("code");
    QTest::newRow("python") << u"python"_s
                            << u"import os, sys\nprint(sys.argv[1:], os.environ['GIVEN'])\nsys.exit(3)"_s;
    QTest::newRow("javascript") << u"javascript"_s
                                << u"const a = JSON.stringify(process.argv.slice(2)).replaceAll('\"', \"'\")"
                                   ".replace(',', ', ');\nconsole.log(a, process.env.GIVEN);\nprocess.exit(3)"_s;
}

void EngineDaytonaToolboxTest::program_perLanguage()
{
    QFETCH(QString, language);
    QFETCH(QString, code);
    const EngineResponse response = m_daytona.post(toolbox(kCodeRun),
        {{u"language"_s, language}, {u"code"_s, code}, {u"argv"_s, QJsonArray{u"one"_s, u"two three"_s}},
            {u"envs"_s, QJsonObject{{u"GIVEN"_s, u"yes"_s}}}});
    QCOMPARE(response.status, 200);
    QCOMPARE(response.object().value("result"_L1), u"['one', 'two three'] yes\n"_s);
    QCOMPARE(response.object().value("exitCode"_L1), 3);
}

void EngineDaytonaToolboxTest::program_refused_is400()
{
    QCOMPARE(m_daytona.post(toolbox(kCodeRun), {{u"language"_s, u"python"_s}}).status, 400);
    QCOMPARE(m_daytona.post(toolbox(kCodeRun), {{u"language"_s, u"cobol"_s}, {u"code"_s, u"1"_s}}).status, 400);
}

void EngineDaytonaToolboxTest::folders_areTold()
{
    QCOMPARE(m_daytona.get(toolbox(u"/work-dir"_s)).object().value("dir"_L1), u"/home/user"_s);
    QCOMPARE(m_daytona.get(toolbox(u"/user-home-dir"_s)).object().value("dir"_L1), u"/home/user"_s);
    QCOMPARE(m_daytona.get(toolbox(u"/nothing"_s)).status, 404);
}

QTEST_GUILESS_MAIN(EngineDaytonaToolboxTest)
#include "tst_engine_daytona_toolbox.moc"
