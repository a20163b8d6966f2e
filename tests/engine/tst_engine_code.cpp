#include "tests/support/enginefixture.h"

#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The statements 16 to 20 and 27 to 32 of protocols.md §7.1, against the real daemon.
class EngineCodeTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();

    void s16_health_isOkInQuotes();
    void s17_execute_bothSelectors_is400();
    void s17_execute_unknownContext_is404();
    void s17_execute_absentSelector_isDefaultPython_data();
    void s17_execute_absentSelector_isDefaultPython();
    void s18_alias_isNormalised_data();
    void s18_alias_isNormalised();
    void s19_unsupportedLanguage_isAnError();
    void s20_execute_badBody_is422_data();
    void s20_execute_badBody_is422();
    void s27_statement_runsOnce();
    void s28_lastValue_data();
    void s28_lastValue();
    void s28_figure_isPng_data();
    void s28_figure_isPng();
    void s29_items_haveStringMembers_data();
    void s29_items_haveStringMembers();
    void s30_pythonError_hasNameMessageTraceback_data();
    void s30_pythonError_hasNameMessageTraceback();
    void s31_environment_isOfThatCallOnly_data();
    void s31_environment_isOfThatCallOnly();
    void s32_bashExit_isAnErrorItem();
    void bash_state_persists();
    void javascript_const_isRedeclared();
    void worker_pythonUnbuffered_isNotSet();

private:
    QString post(const QString &path, const QByteArray &body, int *status = nullptr);

    EngineFixture m_engine;
    EngineSandbox m_sandbox;
};

void EngineCodeTest::initTestCase()
{
    QVERIFY(m_engine.start());
    m_sandbox = m_engine.create();
    QVERIFY(!m_sandbox.id.isEmpty());
}

QString EngineCodeTest::post(const QString &path, const QByteArray &body, int *status)
{
    const EngineResponse response = m_engine.send("POST", m_sandbox.codeServer + path, body, EngineFixture::Key::None);
    if (status)
        *status = response.status;
    return QString::fromUtf8(response.body);
}

void EngineCodeTest::s16_health_isOkInQuotes()
{
    const EngineResponse response = m_engine.get(m_sandbox.codeServer + u"/health"_s);
    QCOMPARE(response.status, 200);
    QCOMPARE(response.body.toHex(), QByteArray("224f4b22"));
}

void EngineCodeTest::s17_execute_bothSelectors_is400()
{
    int status = 0;
    const QString body = post(u"/execute"_s, R"({"code":"1","context_id":"x","language":"python"})", &status);
    QCOMPARE(status, 400);
    QCOMPARE(body, uR"({"detail":"Provide context_id or language, not both"})"_s);
}

void EngineCodeTest::s17_execute_unknownContext_is404()
{
    int status = 0;
    const QString body = post(u"/execute"_s, R"({"code":"1","context_id":"z"})", &status);
    QCOMPARE(status, 404);
    QCOMPARE(body, uR"({"detail":"Context z not found"})"_s);
}

void EngineCodeTest::s17_execute_absentSelector_isDefaultPython_data()
{
    QTest::addColumn<QByteArray>("selector");
    QTest::newRow("none") << QByteArray();
    QTest::newRow("null") << QByteArray(R"(,"context_id":null,"language":null)");
    QTest::newRow("empty") << QByteArray(R"(,"context_id":"","language":"")");
}

void EngineCodeTest::s17_execute_absentSelector_isDefaultPython()
{
    QFETCH(QByteArray, selector);
    const QString body =
        post(u"/execute"_s, R"-({"code":"import sys; 'py' + str(sys.version_info[0])")-" + selector + '}');
    const EngineItems items{200, {}, EngineFixture::itemsFrom(body.toUtf8())};
    QCOMPARE(items.result(), u"\"py3\""_s);
}

void EngineCodeTest::s18_alias_isNormalised_data()
{
    QTest::addColumn<QString>("alias");
    QTest::addColumn<QString>("language");
    for (const char *alias : {"js", "node", "nodejs", "JS", "NodeJS"})
        QTest::newRow(alias) << QString::fromLatin1(alias) << u"javascript"_s;
    for (const char *alias : {"sh", "shell", "SH", "bash"})
        QTest::newRow(alias) << QString::fromLatin1(alias) << u"bash"_s;
    for (const char *alias : {"py", "python3", "Py", "PYTHON"})
        QTest::newRow(alias) << QString::fromLatin1(alias) << u"python"_s;
}

void EngineCodeTest::s18_alias_isNormalised()
{
    QFETCH(QString, alias);
    QFETCH(QString, language);
    const QJsonObject context = m_engine.post(m_sandbox.codeServer + u"/contexts"_s, {{u"language"_s, alias}}).object();
    QCOMPARE(context.value("language"_L1).toString(), language);
    QCOMPARE(m_engine.remove(m_sandbox.codeServer + u"/contexts/"_s + context.value("id"_L1).toString()).status, 204);
    QCOMPARE(m_engine.run(m_sandbox, u"1"_s, alias).status, 200);
}

void EngineCodeTest::s19_unsupportedLanguage_isAnError()
{
    int status = 0;
    post(u"/contexts"_s, R"({"language":"cobol"})", &status);
    QVERIFY(status >= 400);
    post(u"/execute"_s, R"({"code":"1","language":"cobol"})", &status);
    QVERIFY(status >= 400);
    QCOMPARE(m_engine.run(m_sandbox, u"1"_s).result(), u"1"_s);
}

void EngineCodeTest::s20_execute_badBody_is422_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("cut") << QByteArray(R"({"code":)");
    QTest::newRow("array") << QByteArray("[]");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no code") << QByteArray(R"({"language":"python"})");
    QTest::newRow("code a number") << QByteArray(R"({"code":1})");
    QTest::newRow("environment a list") << QByteArray(R"({"code":"1","env_vars":[]})");
    QTest::newRow("deep") << R"({"code":"1","x":)" + QByteArray(5000, '[') + QByteArray(5000, ']') + '}';
}

void EngineCodeTest::s20_execute_badBody_is422()
{
    QFETCH(QByteArray, body);
    const EngineResponse response = m_engine.send("POST", m_sandbox.codeServer + u"/execute"_s, body);
    QCOMPARE(response.status, 422);
    QVERIFY(response.object().value("detail"_L1).isArray());
}

void EngineCodeTest::s27_statement_runsOnce()
{
    QCOMPARE(m_engine.run(m_sandbox, u"print(\"once\")"_s).text(), u"once\n"_s);
    m_engine.run(m_sandbox, u"x = [1, 2, 3]"_s);
    QCOMPARE(m_engine.run(m_sandbox, u"x.pop()"_s).result(), u"3"_s);
    QCOMPARE(m_engine.run(m_sandbox, u"len(x)"_s).result(), u"2"_s);
}

void EngineCodeTest::s28_lastValue_data()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("mime");
    QTest::addColumn<QString>("data");
    const QString json = u"application/json"_s;
    QTest::newRow("number") << u"6*7"_s << json << u"42"_s;
    QTest::newRow("text") << u"\"abc\""_s << json << u"\"abc\""_s;
    QTest::newRow("none") << u"None"_s << QString() << QString();
    QTest::newRow("dict") << u"{'a': [1, None]}"_s << json << uR"({"a":[1,null]})"_s;
    QTest::newRow("html") << u"class H:\n def _repr_html_(self): return '<b>x</b>'\nH()"_s << u"text/html"_s
                          << u"<b>x</b>"_s;
    QTest::newRow("other") << u"class R:\n def __repr__(self): return 'an R'\nR()"_s << u"text/plain"_s << u"an R"_s;
    QTest::newRow("several lines") << u"sum([\n 1,\n 2,\n])"_s << json << u"3"_s;
}

void EngineCodeTest::s28_lastValue()
{
    QFETCH(QString, code);
    QFETCH(QString, mime);
    QFETCH(QString, data);
    const QList<QJsonObject> results = m_engine.run(m_sandbox, code).ofType(u"result"_s);
    QCOMPARE(results.size(), mime.isEmpty() ? 0 : 1);
    if (results.isEmpty())
        return;
    QCOMPARE(results.first().value("mime"_L1).toString(), mime);
    QCOMPARE(results.first().value("data"_L1).toString(), data);
}

void EngineCodeTest::s28_figure_isPng_data()
{
    QTest::addColumn<QString>("code");
    QTest::newRow("shown") << u"import matplotlib.pyplot as p; p.plot([1, 2]); p.show()"_s;
    QTest::newRow("last value") << u"import matplotlib.pyplot as p\nfigure = p.figure()\nfigure"_s;
}

void EngineCodeTest::s28_figure_isPng()
{
    QFETCH(QString, code);
    if (m_engine.run(m_sandbox, u"import matplotlib"_s).error().contains("name"_L1))
        QSKIP("matplotlib is not installed for the sandbox's Python");
    const QList<QJsonObject> results = m_engine.run(m_sandbox, code).ofType(u"result"_s);
    QVERIFY(!results.isEmpty());
    QCOMPARE(results.first().value("mime"_L1).toString(), u"image/png"_s);
    const QByteArray png = QByteArray::fromBase64(results.first().value("data"_L1).toString().toLatin1());
    QVERIFY(png.startsWith("\x89PNG"));
}

void EngineCodeTest::s29_items_haveStringMembers_data()
{
    QTest::addColumn<QString>("code");
    for (const char *code : {"throw \"x\"", "throw null", "(function f() {})", "Promise.resolve(3)", "10n",
             "Symbol('s')", "throw undefined", "new Map([[1, 2]])"})
        QTest::newRow(code) << QString::fromLatin1(code);
}

void EngineCodeTest::s29_items_haveStringMembers()
{
    QFETCH(QString, code);
    const EngineItems items = m_engine.run(m_sandbox, code, u"javascript"_s);
    QVERIFY(items.doneCount() > 0);
    for (const QJsonObject &result : items.ofType(u"result"_s))
        QVERIFY(result.value("mime"_L1).isString() && result.value("data"_L1).isString());
    for (const QJsonObject &error : items.ofType(u"error"_s)) {
        for (QLatin1StringView member : {"name"_L1, "message"_L1, "traceback"_L1})
            QVERIFY(error.value(member).isString());
    }
    QCOMPARE(items.ofType(u"error"_s).size(), code.startsWith("throw"_L1) ? 1 : 0);
}

void EngineCodeTest::s30_pythonError_hasNameMessageTraceback_data()
{
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("message");
    QTest::newRow("division") << u"1/0"_s << u"ZeroDivisionError"_s << u"division by zero"_s;
    QTest::newRow("name") << u"no_such"_s << u"NameError"_s << u"name 'no_such' is not defined"_s;
    QTest::newRow("syntax") << u"def ("_s << u"SyntaxError"_s << QString();
    QTest::newRow("module") << u"import no_such_mod"_s << u"ModuleNotFoundError"_s
                            << u"No module named 'no_such_mod'"_s;
    QTest::newRow("own") << u"class Mine(Exception): pass\nraise Mine('m')"_s << u"Mine"_s << u"m"_s;
}

void EngineCodeTest::s30_pythonError_hasNameMessageTraceback()
{
    QFETCH(QString, code);
    QFETCH(QString, name);
    QFETCH(QString, message);
    const EngineItems items = m_engine.run(m_sandbox, code);
    QCOMPARE(items.error().value("name"_L1).toString(), name);
    if (!message.isEmpty())
        QCOMPARE(items.error().value("message"_L1).toString(), message);
    const QString traceback = items.error().value("traceback"_L1).toString();
    QVERIFY(!traceback.isEmpty());
    QVERIFY2(
        !traceback.contains("sandfish_runner"_L1) && !traceback.contains("/run/sandfish"_L1), qPrintable(traceback));
    QVERIFY(items.doneCount() > 0);
}

void EngineCodeTest::s31_environment_isOfThatCallOnly_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("code");
    QTest::newRow("python") << u"python"_s << u"import os; print(os.environ.get('ONLY_NOW', '-'))"_s;
    QTest::newRow("javascript") << u"javascript"_s << u"console.log(process.env.ONLY_NOW ?? '-')"_s;
    QTest::newRow("bash") << u"bash"_s << u"echo ${ONLY_NOW:--}"_s;
}

void EngineCodeTest::s31_environment_isOfThatCallOnly()
{
    QFETCH(QString, language);
    QFETCH(QString, code);
    const EngineItems with = m_engine.execute(m_sandbox,
        {{u"code"_s, code}, {u"language"_s, language}, {u"env_vars"_s, QJsonObject{{u"ONLY_NOW"_s, u"it's \"ü\""_s}}}});
    QCOMPARE(with.text(), u"it's \"ü\"\n"_s);
    QCOMPARE(m_engine.run(m_sandbox, code, language).text(), u"-\n"_s);
}

void EngineCodeTest::s32_bashExit_isAnErrorItem()
{
    const EngineItems failed = m_engine.run(m_sandbox, u"exit 42"_s, u"bash"_s);
    QCOMPARE(failed.error().value("name"_L1).toString(), u"ExitError"_s);
    QVERIFY(failed.error().value("message"_L1).toString().contains(u"42"_s));
    const EngineItems status = m_engine.run(m_sandbox, u"(exit 7)"_s, u"bash"_s);
    QVERIFY(status.error().value("message"_L1).toString().contains(u"7"_s));
    const EngineItems fine = m_engine.run(m_sandbox, u"true"_s, u"bash"_s);
    QVERIFY(fine.error().isEmpty());
    QVERIFY(fine.doneCount() > 0);
}

void EngineCodeTest::bash_state_persists()
{
    m_engine.run(m_sandbox, u"cd /usr; v=1; f() { echo f$v; }; alias hi='echo alias'"_s, u"bash"_s);
    QCOMPARE(m_engine.run(m_sandbox, u"pwd; f; hi"_s, u"bash"_s).text(), u"/usr\nf1\nalias\n"_s);
}

void EngineCodeTest::javascript_const_isRedeclared()
{
    m_engine.run(m_sandbox, u"const c = 1"_s, u"js"_s);
    QCOMPARE(m_engine.run(m_sandbox, u"const c = 2; await c"_s, u"js"_s).result(), u"2"_s);
}

void EngineCodeTest::worker_pythonUnbuffered_isNotSet()
{
    QCOMPARE(m_engine.run(m_sandbox, u"import os; 'PYTHONUNBUFFERED' in os.environ"_s).result(), u"false"_s);
}

QTEST_GUILESS_MAIN(EngineCodeTest)
#include "tst_engine_code.moc"
