#include "tests/support/enginefixture.h"
#include "tests/support/processes.h"

#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The contexts of a sandbox: statements 21 to 24 and 36 of protocols.md §7.1, against the real daemon.
class EngineContextsTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();

    void s21_createContext_hasExactMembers();
    void s22_contexts_afterStart_arePythonAndJavaScript();
    void s23_delete_thenMissing();
    void s23_restart_keepsIdAndForgets();
    void s23_restartOfDefault_staysDefault();
    void s24_contexts_shareFilesButNoVariables();
    void s36_missingCwd_is4xx();
    void warmRunner_goesToTheNewContext();
    void warmRunner_used_staysWhereItIs();
    void nodeSpare_beforeTheFirstContext_isNotThere();
    void nodeSpare_goesToTheNextContextWithItsFolder();
    void nodeSpare_isListedNowhere();
    void nodeSpare_endsWithTheSandbox();
    void nodeSpare_staysInItsSandbox();

private:
    QJsonObject describe(const EngineSandbox &sandbox, const QString &id);
    QString defaultPython(const EngineSandbox &sandbox);
    QString newContext(const EngineSandbox &sandbox, const QString &cwd);
    QString inContext(const EngineSandbox &sandbox, const QString &id, const QString &code);
    QStringList nodes(const EngineSandbox &sandbox);

    EngineFixture m_engine;
    EngineSandbox m_sandbox;
};

void EngineContextsTest::initTestCase()
{
    QVERIFY(m_engine.start());
    m_sandbox = m_engine.create();
    QVERIFY(!m_sandbox.id.isEmpty());
}

QJsonObject EngineContextsTest::describe(const EngineSandbox &sandbox, const QString &id)
{
    for (const QJsonValue &context : m_engine.get(sandbox.codeServer + u"/v1/contexts"_s).array()) {
        if (context["id"_L1] == id)
            return context.toObject();
    }
    return {};
}

QString EngineContextsTest::defaultPython(const EngineSandbox &sandbox)
{
    return m_engine.contextId(sandbox, u"python"_s);
}

void EngineContextsTest::s21_createContext_hasExactMembers()
{
    const EngineResponse response = m_engine.post(m_sandbox.codeServer + u"/contexts"_s);
    QCOMPARE(response.status, 200);
    const QJsonObject context = response.object();
    QCOMPARE(context.keys(), (QStringList{u"cwd"_s, u"id"_s, u"language"_s}));
    QCOMPARE(context.value("language"_L1).toString(), u"python"_s);
    QCOMPARE(context.value("cwd"_L1).toString(), u"/home/user"_s);
}

void EngineContextsTest::s22_contexts_afterStart_arePythonAndJavaScript()
{
    const EngineSandbox fresh = m_engine.create();
    const QString created = m_engine.post(fresh.codeServer + u"/contexts"_s, {{u"language"_s, u"bash"_s}})
                                .object()
                                .value("id"_L1)
                                .toString();
    const QJsonArray contexts = m_engine.get(fresh.codeServer + u"/contexts"_s).array();
    QCOMPARE(contexts.size(), 3);
    for (const QJsonValue &context : contexts)
        QCOMPARE(context.toObject().keys(), (QStringList{u"cwd"_s, u"id"_s, u"language"_s}));
    QCOMPARE(contexts[0]["language"_L1].toString(), u"python"_s);
    QCOMPARE(contexts[1]["language"_L1].toString(), u"javascript"_s);
    QCOMPARE(contexts[2]["id"_L1].toString(), created);
}

void EngineContextsTest::s23_delete_thenMissing()
{
    const QString id = m_engine.post(m_sandbox.codeServer + u"/contexts"_s).object().value("id"_L1).toString();
    const QString path = m_sandbox.codeServer + u"/contexts/"_s + id;
    const EngineResponse response = m_engine.remove(path);
    QCOMPARE(response.status, 204);
    QVERIFY(response.body.isEmpty());
    QCOMPARE(m_engine.remove(path).status, 404);
}

void EngineContextsTest::s23_restart_keepsIdAndForgets()
{
    const QString id = m_engine.post(m_sandbox.codeServer + u"/contexts"_s).object().value("id"_L1).toString();
    const auto run = [&](const QString &code) {
        return m_engine.execute(m_sandbox, {{u"code"_s, code}, {u"context_id"_s, id}});
    };
    run(u"kept = 1"_s);
    QCOMPARE(run(u"kept"_s).doneCount(), 2);
    const EngineResponse response = m_engine.post(m_sandbox.codeServer + u"/contexts/"_s + id + u"/restart"_s);
    QCOMPARE(response.status, 204);
    QVERIFY(response.body.isEmpty());
    const EngineItems after = run(u"kept"_s);
    QCOMPARE(after.error().value("name"_L1).toString(), u"NameError"_s);
    QCOMPARE(after.doneCount(), 1);
}

void EngineContextsTest::s23_restartOfDefault_staysDefault()
{
    const EngineSandbox fresh = m_engine.create();
    const QString id = m_engine.get(fresh.codeServer + u"/contexts"_s).array()[0]["id"_L1].toString();
    m_engine.run(fresh, u"kept = 1"_s);
    QCOMPARE(m_engine.post(fresh.codeServer + u"/contexts/"_s + id + u"/restart"_s).status, 204);
    QCOMPARE(m_engine.run(fresh, u"kept"_s).error().value("name"_L1).toString(), u"NameError"_s);
    m_engine.run(fresh, u"again = 2"_s);
    QCOMPARE(m_engine.execute(fresh, {{u"code"_s, u"again"_s}, {u"context_id"_s, id}}).result(), u"2"_s);
}

void EngineContextsTest::s24_contexts_shareFilesButNoVariables()
{
    const QString id = m_engine.post(m_sandbox.codeServer + u"/contexts"_s).object().value("id"_L1).toString();
    m_engine.run(m_sandbox, u"mine = 1; open('/home/user/shared.txt', 'w').write('s')"_s);
    const auto other = [&](const QString &code) {
        return m_engine.execute(m_sandbox, {{u"code"_s, code}, {u"context_id"_s, id}});
    };
    QCOMPARE(other(u"mine"_s).error().value("name"_L1).toString(), u"NameError"_s);
    QCOMPARE(other(u"open('/home/user/shared.txt').read()"_s).result(), u"\"s\""_s);
    QCOMPARE(m_engine.run(m_sandbox, u"typeof mine"_s, u"javascript"_s).result(), u"\"undefined\""_s);
    QCOMPARE(m_engine.run(m_sandbox, u"cat /home/user/shared.txt"_s, u"bash"_s).text(), u"s"_s);
}

void EngineContextsTest::s36_missingCwd_is4xx()
{
    const EngineResponse response =
        m_engine.post(m_sandbox.codeServer + u"/contexts"_s, {{u"cwd"_s, u"/no/such/folder"_s}});
    QCOMPARE(response.status / 100, 4);
}

void EngineContextsTest::warmRunner_goesToTheNewContext()
{
    const EngineSandbox sandbox = m_engine.create();
    const QString spare = defaultPython(sandbox);
    QTRY_VERIFY(!describe(sandbox, spare).value("version"_L1).toString().isEmpty());
    const QString id =
        m_engine.post(sandbox.codeServer + u"/contexts"_s, {{u"cwd"_s, u"/usr"_s}}).object().value("id"_L1).toString();
    QVERIFY(!describe(sandbox, id).value("version"_L1).toString().isEmpty());
    const auto pid = [&](const QJsonObject &selector) {
        QJsonObject body = selector;
        body.insert(u"code"_s, u"import os; [os.getpid(), os.getcwd()]"_s);
        return m_engine.execute(sandbox, body).result();
    };
    const QString first = pid({{u"context_id"_s, id}});
    QVERIFY2(first.endsWith("\"/usr\"]"_L1), qPrintable(first));
    const QString second = pid({{u"context_id"_s, spare}});
    QVERIFY2(second.endsWith("\"/home/user\"]"_L1), qPrintable(second));
    QVERIFY(first.section(u',', 0, 0) != second.section(u',', 0, 0));
}

void EngineContextsTest::warmRunner_used_staysWhereItIs()
{
    const EngineSandbox sandbox = m_engine.create();
    m_engine.run(sandbox, u"kept = 1"_s);
    const QString id = m_engine.post(sandbox.codeServer + u"/contexts"_s).object().value("id"_L1).toString();
    QCOMPARE(m_engine.run(sandbox, u"kept"_s).result(), u"1"_s);
    const EngineItems other = m_engine.execute(sandbox, {{u"code"_s, u"kept"_s}, {u"context_id"_s, id}});
    QCOMPARE(other.error().value("name"_L1).toString(), u"NameError"_s);
}

QString EngineContextsTest::newContext(const EngineSandbox &sandbox, const QString &cwd)
{
    const QJsonObject body{{u"language"_s, u"javascript"_s}, {u"cwd"_s, cwd}};
    return m_engine.post(sandbox.codeServer + u"/contexts"_s, body).object().value("id"_L1).toString();
}

QString EngineContextsTest::inContext(const EngineSandbox &sandbox, const QString &id, const QString &code)
{
    return m_engine.execute(sandbox, {{u"context_id"_s, id}, {u"code"_s, code}}).result();
}

/// The pids of the Node processes that the sandbox sees and that have come up, as its own Bash tells them.
QStringList EngineContextsTest::nodes(const EngineSandbox &sandbox)
{
    const QString code =
        u"for d in /proc/[0-9]*; do [ \"$(readlink $d/exe)\" = \"$(readlink -f $(command -v node))\" ] "
        "&& echo ${d#/proc/}; done; true"_s;
    return m_engine.run(sandbox, code, u"bash"_s).text().split(u'\n', Qt::SkipEmptyParts);
}

void EngineContextsTest::nodeSpare_beforeTheFirstContext_isNotThere()
{
    if (!m_engine.isIsolated())
        QSKIP("A sandbox sees the processes of the others.");
    const EngineSandbox sandbox = m_engine.create();
    QVERIFY(nodes(sandbox).isEmpty());
    m_engine.run(sandbox, u"1"_s, u"javascript"_s);
    QCOMPARE(nodes(sandbox).size(), 1);
}

void EngineContextsTest::nodeSpare_goesToTheNextContextWithItsFolder()
{
    if (!m_engine.isIsolated())
        QSKIP("A sandbox sees the processes of the others.");
    const EngineSandbox sandbox = m_engine.create();
    const QString first = newContext(sandbox, u"/usr"_s);
    QTRY_VERIFY_WITH_TIMEOUT(nodes(sandbox).size() >= 2, 20'000);
    const QStringList before = nodes(sandbox);
    const QString second = newContext(sandbox, u"/usr/bin"_s);
    QCOMPARE(inContext(sandbox, second, u"process.cwd()"_s), u"\"/usr/bin\""_s);
    const QString pid = inContext(sandbox, second, u"process.pid"_s);
    QVERIFY2(before.contains(pid), qPrintable(pid));
    QVERIFY(pid != inContext(sandbox, first, u"process.pid"_s));
    QCOMPARE(inContext(sandbox, first, u"process.cwd()"_s), u"\"/usr\""_s);
}

void EngineContextsTest::nodeSpare_isListedNowhere()
{
    if (!m_engine.isIsolated())
        QSKIP("A sandbox sees the processes of the others.");
    const EngineSandbox sandbox = m_engine.create();
    newContext(sandbox, u"/usr"_s);
    QTRY_VERIFY_WITH_TIMEOUT(nodes(sandbox).size() >= 2, 20'000);
    QStringList languages;
    for (const QJsonValue &context : m_engine.get(sandbox.codeServer + u"/v1/contexts"_s).array())
        languages.append(context["language"_L1].toString());
    QCOMPARE(languages, (QStringList{u"python"_s, u"javascript"_s, u"javascript"_s, u"bash"_s}));
}

void EngineContextsTest::nodeSpare_endsWithTheSandbox()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    engine.run(sandbox, u"1"_s);
    const QList<qint64> atFirst = processesBelow(engine.process().processId());
    engine.post(sandbox.codeServer + u"/contexts"_s, {{u"language"_s, u"javascript"_s}});
    QList<qint64> all;
    QTRY_VERIFY_WITH_TIMEOUT((all = processesBelow(engine.process().processId())).size() >= atFirst.size() + 2, 20'000);
    QCOMPARE(engine.remove(sandbox.path).status / 100, 2);
    QTRY_VERIFY_WITH_TIMEOUT(areGone(all), 20'000);
}

void EngineContextsTest::nodeSpare_staysInItsSandbox()
{
    if (!m_engine.isIsolated())
        QSKIP("A sandbox sees the processes of the others.");
    const EngineSandbox sandbox = m_engine.create();
    newContext(sandbox, u"/usr"_s);
    QTRY_VERIFY_WITH_TIMEOUT(nodes(sandbox).size() >= 2, 20'000);
    const EngineSandbox other = m_engine.create();
    QVERIFY(nodes(other).isEmpty());
    m_engine.run(sandbox, u"echo here > ~/mine"_s, u"bash"_s);
    const QString id = newContext(other, u"/usr"_s);
    QCOMPARE(inContext(other, id, u"require('fs').existsSync('/home/user/mine')"_s), u"false"_s);
    QTRY_VERIFY_WITH_TIMEOUT(nodes(sandbox).size() >= 2, 20'000);
}

QTEST_GUILESS_MAIN(EngineContextsTest)
#include "tst_engine_contexts.moc"
