#include "tests/support/enginefixture.h"

#include <QElapsedTimer>
#include <QNetworkReply>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// What reaches a cell while it runs, and what may not: interrupts, time limits, input, questions, a client that leaves
/// (statement 37 of protocols.md §7.1).
class EngineInteractionTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();

    void s37_disconnect_nextCallWorks();
    void timeout_interruptsAndKeepsTheState_data();
    void timeout_interruptsAndKeepsTheState();
    void interrupt_endsTheCellAndKeepsTheState_data();
    void interrupt_endsTheCellAndKeepsTheState();
    void interrupt_whileIdle_doesNotHitTheNextCell();
    void input_lineReachesTheCell_data();
    void input_lineReachesTheCell();
    void input_withoutPermission_isAtItsEnd();
    void queries_whileBusy_are409();
    void queries_vars_listsThem();

private:
    EngineFixture m_engine;
    EngineSandbox m_sandbox;
};

void EngineInteractionTest::initTestCase()
{
    QVERIFY(m_engine.start());
    m_sandbox = m_engine.create();
    for (const QString &language : {u"python"_s, u"javascript"_s, u"bash"_s})
        QVERIFY(m_engine.run(m_sandbox, u"1"_s, language).doneCount() > 0);
}

void EngineInteractionTest::s37_disconnect_nextCallWorks()
{
    const EngineSandbox sandbox = m_engine.create();
    const QMap<QString, QStringList> cells{
        {u"python"_s, {u"kept = 7; print('on')\nwhile True: pass"_s, u"print(kept)"_s}},
        {u"javascript"_s, {u"kept = 7; console.log('on'); for (;;);"_s, u"console.log(kept)"_s}},
        {u"bash"_s, {u"kept=7; echo on; while :; do :; done"_s, u"echo $kept"_s}}};
    std::vector<std::unique_ptr<QNetworkReply>> running;
    for (auto it = cells.cbegin(); it != cells.cend(); ++it) {
        running.push_back(m_engine.startExecution(sandbox, {{u"code"_s, it->first()}, {u"language"_s, it.key()}}));
        QByteArray body;
        QVERIFY(EngineFixture::waitForText(*running.back(), body, "on"));
    }
    for (const auto &reply : running)
        reply->abort();
    // A loop that nobody hears of any more is interrupted after 10 s; the time here is that and some room.
    for (auto it = cells.cbegin(); it != cells.cend(); ++it)
        QCOMPARE(m_engine.run(sandbox, it->last(), it.key()).text(), u"7\n"_s);
}

void EngineInteractionTest::timeout_interruptsAndKeepsTheState_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("prepare");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("check");
    QTest::newRow("python") << u"python"_s << u"t = 5"_s << u"while True: pass"_s << u"print(t)"_s;
    QTest::newRow("javascript") << u"javascript"_s << u"t = 5"_s << u"for (;;);"_s << u"console.log(t)"_s;
    QTest::newRow("bash") << u"bash"_s << u"t=5"_s << u"sleep 100"_s << u"echo $t"_s;
}

void EngineInteractionTest::timeout_interruptsAndKeepsTheState()
{
    QFETCH(QString, language);
    QFETCH(QString, prepare);
    QFETCH(QString, code);
    QFETCH(QString, check);
    m_engine.run(m_sandbox, prepare, language);
    const EngineItems items = m_engine.execute(m_sandbox,
        {{u"code"_s, code}, {u"language"_s, language}, {u"sandfish"_s, QJsonObject{{u"timeout_ms"_s, 200}}}});
    QCOMPARE(items.error().value("name"_L1).toString(), u"TimeoutError"_s);
    QVERIFY(items.doneCount() > 0);
    QCOMPARE(m_engine.run(m_sandbox, check, language).text(), u"5\n"_s);
}

void EngineInteractionTest::interrupt_endsTheCellAndKeepsTheState_data()
{
    timeout_interruptsAndKeepsTheState_data();
}

void EngineInteractionTest::interrupt_endsTheCellAndKeepsTheState()
{
    QFETCH(QString, language);
    QFETCH(QString, prepare);
    QFETCH(QString, code);
    QFETCH(QString, check);
    m_engine.run(m_sandbox, prepare, language);
    const auto running = m_engine.startExecution(m_sandbox, EngineFixture::fullDialect(code, language));
    QByteArray body;
    QVERIFY(EngineFixture::waitForText(*running, body, "\"started\""));
    const QString path =
        m_sandbox.codeServer + u"/contexts/"_s + m_engine.contextId(m_sandbox, language) + u"/interrupt"_s;
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(m_engine.post(path).status, 204);
    QVERIFY(EngineFixture::waitForText(*running, body, "\"done\""));
    QVERIFY(timer.elapsed() < 5000);
    QCOMPARE(EngineFixture::itemsFrom(body).last().value("status"_L1).toString(), u"interrupted"_s);
    QCOMPARE(m_engine.run(m_sandbox, check, language).text(), u"5\n"_s);
}

void EngineInteractionTest::interrupt_whileIdle_doesNotHitTheNextCell()
{
    for (const QString &language : {u"python"_s, u"javascript"_s, u"bash"_s}) {
        const QString path =
            m_sandbox.codeServer + u"/contexts/"_s + m_engine.contextId(m_sandbox, language) + u"/interrupt"_s;
        QCOMPARE(m_engine.post(path).status, 204);
        const EngineItems items = m_engine.run(m_sandbox, u"1"_s, language);
        QVERIFY(items.error().value("name"_L1).toString() != u"KeyboardInterrupt"_s);
    }
}

void EngineInteractionTest::input_lineReachesTheCell_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("code");
    QTest::newRow("python") << u"python"_s << u"print('got ' + input('name? '))"_s;
    QTest::newRow("bash") << u"bash"_s << u"read -p 'name? ' v; echo got $v"_s;
}

void EngineInteractionTest::input_lineReachesTheCell()
{
    QFETCH(QString, language);
    QFETCH(QString, code);
    const auto running = m_engine.startExecution(m_sandbox, EngineFixture::fullDialect(code, language));
    QByteArray body;
    QVERIFY(EngineFixture::waitForText(*running, body, "input_request"));
    QVERIFY(body.contains("name? "));
    const QString path = m_sandbox.codeServer + u"/contexts/"_s + m_engine.contextId(m_sandbox, language) + u"/input"_s;
    QCOMPARE(m_engine.post(path, {{u"text"_s, u"Zoë"_s}}).status, 204);
    QVERIFY(EngineFixture::waitForText(*running, body, "\"done\""));
    QVERIFY2(body.contains("got Zoë"), body.constData());
    QCOMPARE(m_engine.post(path, {{u"text"_s, u"x"_s}}).status, 409);
}

void EngineInteractionTest::input_withoutPermission_isAtItsEnd()
{
    QCOMPARE(m_engine.run(m_sandbox, u"input()"_s).error().value("name"_L1).toString(), u"EOFError"_s);
    QCOMPARE(m_engine.run(m_sandbox, u"cat; echo end"_s, u"bash"_s).text(), u"end\n"_s);
}

void EngineInteractionTest::queries_whileBusy_are409()
{
    const auto running =
        m_engine.startExecution(m_sandbox, EngineFixture::fullDialect(u"import time; time.sleep(30)"_s));
    QByteArray body;
    QVERIFY(EngineFixture::waitForText(*running, body, "\"started\""));
    const QString path = m_sandbox.codeServer + u"/contexts/"_s + m_engine.contextId(m_sandbox, u"python"_s);
    QCOMPARE(m_engine.post(path + u"/vars"_s).status, 409);
    m_engine.post(path + u"/interrupt"_s);
    QVERIFY(EngineFixture::waitForText(*running, body, "\"done\""));
}

void EngineInteractionTest::queries_vars_listsThem()
{
    m_engine.run(m_sandbox, u"listed_here = [1, 2, 3]"_s);
    const QString path = m_sandbox.codeServer + u"/contexts/"_s + m_engine.contextId(m_sandbox, u"python"_s);
    const QJsonArray variables = m_engine.post(path + u"/vars"_s).object().value("vars"_L1).toArray();
    const auto isListed = [](const QJsonValue &row) { return row["name"_L1] == u"listed_here"_s; };
    QVERIFY(std::any_of(variables.begin(), variables.end(), isListed));
    const QJsonObject completion =
        m_engine.post(path + u"/complete"_s, {{u"code"_s, u"listed_h"_s}, {u"pos"_s, 8}}).object();
    QCOMPARE(completion["matches"_L1][0]["text"_L1].toString(), u"listed_here"_s);
}

QTEST_GUILESS_MAIN(EngineInteractionTest)
#include "tst_engine_interaction.moc"
