#include "tests/support/enginefixture.h"
#include "tests/support/processes.h"

#include <QFile>
#include <QTest>

#include <signal.h>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// New Python contexts that begin with the packages which cells of their sandbox have used, against the real daemon.
/// The package is one of the sandbox's own, so that the test does not depend on what the computer has.
class EngineZygoteTest : public QObject
{
    Q_OBJECT
private slots:
    void init();

    void contextAfterAPackageWasUsed_hasItLoaded();
    void contextOfAZygote_isInItsOwnFolder();
    void restart_hasThePackageLoaded();
    void installedPackage_contextsSeeIt();
    void zygoteEnds_contextsStartAllTheSame();
    void sandboxes_shareNone();
    void killedSandbox_leavesNone();

private:
    QString newContext(const QString &cwd = u"/home/user"_s);
    QString value(const QString &context, const QString &code);
    void usePackage();
    QList<qint64> zygotes();

    std::unique_ptr<EngineFixture> m_engine;
    EngineSandbox m_sandbox;
};

void EngineZygoteTest::init()
{
    m_engine = std::make_unique<EngineFixture>();
    QVERIFY(m_engine->start());
    m_sandbox = m_engine->create({{u"envs"_s, QJsonObject{{u"PYTHONPATH"_s, u"/home/user/packages"_s}}}});
    if (!m_engine->isIsolated())
        QSKIP("the sandbox's home has another path");
}

QString EngineZygoteTest::newContext(const QString &cwd)
{
    return m_engine->post(m_sandbox.codeServer + u"/contexts"_s, {{u"cwd"_s, cwd}}).object().value("id"_L1).toString();
}

QString EngineZygoteTest::value(const QString &context, const QString &code)
{
    return m_engine->execute(m_sandbox, {{u"code"_s, code}, {u"context_id"_s, context}}).result();
}

// One of the packages that are worth a zygote, by name.
void EngineZygoteTest::usePackage()
{
    const QString code = u"import os\nos.makedirs('packages/numpy', exist_ok=True)\n"
                         "open('packages/numpy/__init__.py', 'w').write('by = __import__(\"os\").getpid()')\n"
                         "import importlib; importlib.invalidate_caches()\nimport numpy\nnumpy.__file__"_s;
    QCOMPARE(value(newContext(), code), u"\"/home/user/packages/numpy/__init__.py\""_s);
    QTRY_COMPARE_WITH_TIMEOUT(zygotes().size(), 1, 20'000);
}

QList<qint64> EngineZygoteTest::zygotes()
{
    QList<qint64> found;
    for (qint64 pid : processesBelow(m_engine->process().processId())) {
        QFile name(u"/proc/%1/comm"_s.arg(pid));
        if (name.open(QIODevice::ReadOnly) && name.readAll().trimmed() == "sandfish-zygote")
            found.append(pid);
    }
    return found;
}

void EngineZygoteTest::contextAfterAPackageWasUsed_hasItLoaded()
{
    usePackage();
    const QString one = newContext(), two = newContext();
    const QString seen = u"import sys, os; 'numpy' in sys.modules and sys.modules['numpy'].by != os.getpid()"_s;
    QCOMPARE(value(one, seen), u"true"_s);
    QCOMPARE(value(two, seen), u"true"_s);
    value(one, u"numpy = sys.modules['numpy']; numpy.mark = 1"_s);
    QCOMPARE(value(two, u"hasattr(sys.modules['numpy'], 'mark')"_s), u"false"_s);
}

void EngineZygoteTest::contextOfAZygote_isInItsOwnFolder()
{
    usePackage();
    QCOMPARE(value(newContext(u"/usr"_s), u"import os; os.getcwd()"_s), u"\"/usr\""_s);
}

void EngineZygoteTest::restart_hasThePackageLoaded()
{
    usePackage();
    const QString context = newContext();
    value(context, u"kept = 1"_s);
    QCOMPARE(m_engine->post(m_sandbox.codeServer + u"/contexts/%1/restart"_s.arg(context)).status, 204);
    QCOMPARE(value(context, u"import sys; 'numpy' in sys.modules and 'kept' not in globals()"_s), u"true"_s);
}

void EngineZygoteTest::installedPackage_contextsSeeIt()
{
    usePackage();
    value(newContext(),
        u"import os; os.makedirs('packages/other'); open('packages/other/__init__.py', 'w').write('n = 1')"_s);
    QCOMPARE(value(newContext(), u"import other, sys; other.n == 1 and 'numpy' not in sys.modules"_s), u"true"_s);
    QTRY_COMPARE_WITH_TIMEOUT(zygotes().size(), 1, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(value(newContext(), u"import sys; 'numpy' in sys.modules"_s), u"true"_s, 20'000);
}

void EngineZygoteTest::zygoteEnds_contextsStartAllTheSame()
{
    usePackage();
    QCOMPARE(::kill(pid_t(zygotes().value(0)), SIGKILL), 0);
    QCOMPARE(value(newContext(), u"import numpy, os; numpy.by == os.getpid()"_s), u"true"_s);
}

void EngineZygoteTest::sandboxes_shareNone()
{
    usePackage();
    m_sandbox = m_engine->create();
    QCOMPARE(value(newContext(), u"import sys; 'numpy' in sys.modules"_s), u"false"_s);
}

void EngineZygoteTest::killedSandbox_leavesNone()
{
    usePackage();
    QCOMPARE(m_engine->remove(m_sandbox.path).status, 204);
    QVERIFY(zygotes().isEmpty());
}

QTEST_GUILESS_MAIN(EngineZygoteTest)
#include "tst_engine_zygote.moc"
