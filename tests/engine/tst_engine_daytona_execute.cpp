#include "tests/support/daytonafixture.h"
#include "tests/support/processes.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTcpSocket>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The interpreter's socket of the Daytona face: messages, close codes, timeouts (protocols.md §3.6).
class EngineDaytonaExecuteTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void run_print_givesStdoutAndCompletedAnd1000();
    void run_frames_haveAllFiveMembers();
    void run_stderr_isApart();
    void run_exception_givesErrorThenCompleted();
    void run_lastExpression_givesNothing();
    void run_sysExit_completes();
    void run_withoutContext_keepsVariables();
    void run_environment_isOfThisCallOnly();
    void run_manyLines_areCompleteAndInOrder();
    void run_largeText_arrivesWhole();
    void run_twice_isFirstInFirstOut();
    void first_bad_closesWith1002_data();
    void first_bad_closesWith1002();
    void first_refused_closesWith1008_data();
    void first_refused_closesWith1008();
    void first_tooLong_closesWith1009();
    void later_messages_areIgnored();
    void timeout_interrupts_and4008();
    void timeout_keepsTheState();
    void timeout_stubbornCode_isKilledWithoutControl();
    void crash_closesWith1001_andNextRunStartsAnew();
    void delete_whileRunning_closesWith1001();
    void client_leaves_codeGoesOn();
    void ping_whileQueued_isAnswered();
    void handshake_withoutKey_is401();
    void handshake_withPreviewToken_isAccepted();
    void handshake_offeredVersion_isTakenBack();
    void handshake_withOrigin_is403();
    void handshake_absent_is400();

private:
    QString token();

    EngineFixture m_engine;
    DaytonaFixture m_daytona{m_engine};
    QString m_sandbox;
};

void EngineDaytonaExecuteTest::initTestCase()
{
    QVERIFY(m_engine.start());
    m_sandbox = m_daytona.create();
    QVERIFY(!m_sandbox.isEmpty());
}

QString EngineDaytonaExecuteTest::token()
{
    return m_daytona.get(DaytonaFixture::sandboxPath(m_sandbox) + u"/ports/1/preview-url"_s)
        .object()
        .value("token"_L1)
        .toString();
}

void EngineDaytonaExecuteTest::run_print_givesStdoutAndCompletedAnd1000()
{
    const auto run = m_daytona.run(m_sandbox, u"print('hi <&> ✓')"_s);
    QCOMPARE(run->text(), u"hi <&> ✓\n"_s);
    QCOMPARE(run->frames().constLast().value("type"_L1), u"control"_s);
    QCOMPARE(run->controls(), QStringList{u"completed"_s});
    QCOMPARE(run->closeCode(), 1000);
}

void EngineDaytonaExecuteTest::run_frames_haveAllFiveMembers()
{
    const auto run = m_daytona.run(m_sandbox, u"print('hi')\n1/0"_s);
    QCOMPARE(run->frames().size(), 3);
    const QStringList members{u"name"_s, u"text"_s, u"traceback"_s, u"type"_s, u"value"_s};
    for (const QJsonObject &frame : run->frames()) {
        QCOMPARE(frame.keys(), members);
        for (const QString &member : members)
            QVERIFY(frame.value(member).isString());
    }
}

void EngineDaytonaExecuteTest::run_stderr_isApart()
{
    const auto run = m_daytona.run(m_sandbox, u"import sys\nprint('bad', file=sys.stderr)\nprint('good')"_s);
    QCOMPARE(run->text(u"stderr"_s), u"bad\n"_s);
    QCOMPARE(run->text(), u"good\n"_s);
}

void EngineDaytonaExecuteTest::run_exception_givesErrorThenCompleted()
{
    const auto run = m_daytona.run(m_sandbox, u"1/0"_s);
    QCOMPARE(run->error().value("name"_L1), u"ZeroDivisionError"_s);
    QCOMPARE(run->error().value("value"_L1), u"division by zero"_s);
    QVERIFY(run->error().value("traceback"_L1).toString().contains("line 1"_L1));
    QCOMPARE(run->frames().constLast().value("text"_L1), u"completed"_s);
    QCOMPARE(run->closeCode(), 1000);
}

void EngineDaytonaExecuteTest::run_lastExpression_givesNothing()
{
    const auto run = m_daytona.run(m_sandbox, u"6*7"_s);
    QCOMPARE(run->frames().size(), 1);
    QCOMPARE(run->controls(), QStringList{u"completed"_s});
}

void EngineDaytonaExecuteTest::run_sysExit_completes()
{
    const auto run = m_daytona.run(m_sandbox, u"import sys\nsys.exit()"_s);
    QCOMPARE(run->controls(), QStringList{u"completed"_s});
    QCOMPARE(run->closeCode(), 1000);
}

void EngineDaytonaExecuteTest::run_withoutContext_keepsVariables()
{
    QCOMPARE(m_daytona.run(m_sandbox, u"kept = 41"_s)->closeCode(), 1000);
    QCOMPARE(m_daytona.run(m_sandbox, u"print(kept + 1)"_s)->text(), u"42\n"_s);
    const auto byName = m_daytona.run(m_sandbox, {{u"code"_s, u"print(kept)"_s}, {u"contextId"_s, u"default"_s}});
    QCOMPARE(byName->text(), u"41\n"_s);
}

void EngineDaytonaExecuteTest::run_environment_isOfThisCallOnly()
{
    const QString code = u"import os\nprint(os.environ.get('ONLY_NOW'))"_s;
    const QJsonObject variables{{u"ONLY_NOW"_s, u"yes"_s}};
    QCOMPARE(m_daytona.run(m_sandbox, {{u"code"_s, code}, {u"envs"_s, variables}})->text(), u"yes\n"_s);
    QCOMPARE(m_daytona.run(m_sandbox, code)->text(), u"None\n"_s);
}

void EngineDaytonaExecuteTest::run_manyLines_areCompleteAndInOrder()
{
    QString expected;
    for (int i = 0; i < 10'000; ++i)
        expected += QString::number(i) + u'\n';
    QCOMPARE(m_daytona.run(m_sandbox, u"for i in range(10000): print(i)"_s)->text(), expected);
}

void EngineDaytonaExecuteTest::run_largeText_arrivesWhole()
{
    const auto run = m_daytona.run(m_sandbox, u"print('✓' * 3_000_000)"_s);
    QCOMPARE(run->text(), QString(3'000'000, u'✓') + u'\n');
    QCOMPARE(run->closeCode(), 1000);
}

void EngineDaytonaExecuteTest::run_twice_isFirstInFirstOut()
{
    const auto first = m_daytona.connectInterpreter(m_sandbox);
    const auto second = m_daytona.connectInterpreter(m_sandbox);
    QVERIFY(first->waitForOpen() && second->waitForOpen());
    first->send({{u"code"_s, u"import time\nprint('go', flush=True)\ntime.sleep(0.5)\norder = ['first']"_s}});
    QVERIFY(first->waitForFrame(u"stdout"_s));
    second->send({{u"code"_s, u"order.append('second')\nprint(order)"_s}});
    QVERIFY(first->waitForClose() && second->waitForClose());
    QCOMPARE(second->text(), u"['first', 'second']\n"_s);
}

void EngineDaytonaExecuteTest::first_bad_closesWith1002_data()
{
    QTest::addColumn<QString>("message");
    QTest::newRow("no JSON") << u"print(1)"_s;
    QTest::newRow("no object") << u"[1]"_s;
    QTest::newRow("code is a number") << uR"({"code":1})"_s;
    QTest::newRow("context is a number") << uR"({"code":"1","contextId":1})"_s;
    QTest::newRow("variables of numbers") << uR"({"code":"1","envs":{"A":1}})"_s;
}

void EngineDaytonaExecuteTest::first_bad_closesWith1002()
{
    QFETCH(QString, message);
    const auto socket = m_daytona.connectInterpreter(m_sandbox);
    QVERIFY(socket->waitForOpen());
    socket->socket().sendTextMessage(message);
    QVERIFY(socket->waitForClose());
    QCOMPARE(socket->closeCode(), 1002);
    QVERIFY(socket->frames().isEmpty());
}

void EngineDaytonaExecuteTest::first_refused_closesWith1008_data()
{
    QTest::addColumn<QJsonObject>("request");
    QTest::addColumn<QString>("reason");
    QTest::newRow("no code") << QJsonObject{{u"timeout"_s, 3}} << u"code is required"_s;
    QTest::newRow("empty code") << QJsonObject{{u"code"_s, u""_s}} << u"code is required"_s;
    QTest::newRow("unknown context") << QJsonObject{{u"code"_s, u"1"_s}, {u"contextId"_s, u"nope"_s}}
                                     << u"context not found: nope"_s;
    QTest::newRow("negative timeout") << QJsonObject{{u"code"_s, u"1"_s}, {u"timeout"_s, -1}}
                                      << u"timeout must be a number of seconds that is not negative"_s;
}

void EngineDaytonaExecuteTest::first_refused_closesWith1008()
{
    QFETCH(QJsonObject, request);
    QFETCH(QString, reason);
    const auto run = m_daytona.run(m_sandbox, request);
    QCOMPARE(run->closeCode(), 1008);
    QCOMPARE(run->closeReason(), reason);
    QVERIFY(run->frames().isEmpty());
}

void EngineDaytonaExecuteTest::first_tooLong_closesWith1009()
{
    const auto socket = m_daytona.connectInterpreter(m_sandbox);
    QVERIFY(socket->waitForOpen());
    socket->socket().setOutgoingFrameSize(80u << 20);
    socket->socket().sendTextMessage(QString(65 << 20, u'x'));
    QVERIFY(socket->waitForClose());
    QCOMPARE(m_daytona.run(m_sandbox, u"print(1)"_s)->text(), u"1\n"_s);
}

void EngineDaytonaExecuteTest::later_messages_areIgnored()
{
    const auto socket = m_daytona.connectInterpreter(m_sandbox);
    QVERIFY(socket->waitForOpen());
    socket->send({{u"code"_s, u"import time\ntime.sleep(0.2)\nprint('first')"_s}});
    socket->send({{u"code"_s, u"print('second')"_s}});
    QVERIFY(socket->waitForClose());
    QCOMPARE(socket->text(), u"first\n"_s);
    QCOMPARE(socket->closeCode(), 1000);
}

void EngineDaytonaExecuteTest::timeout_interrupts_and4008()
{
    const auto run =
        m_daytona.run(m_sandbox, {{u"code"_s, u"import time\nprint('on')\ntime.sleep(60)"_s}, {u"timeout"_s, 1}});
    QCOMPARE(run->text(), u"on\n"_s);
    QCOMPARE(run->controls(), QStringList{u"interrupted"_s});
    QVERIFY(run->error().isEmpty());
    QCOMPARE(run->closeCode(), 4008);
}

void EngineDaytonaExecuteTest::timeout_keepsTheState()
{
    QCOMPARE(m_daytona.run(m_sandbox, u"before = 5"_s)->closeCode(), 1000);
    QCOMPARE(m_daytona.run(m_sandbox, {{u"code"_s, u"while True: pass"_s}, {u"timeout"_s, 1}})->closeCode(), 4008);
    QCOMPARE(m_daytona.run(m_sandbox, u"print(before)"_s)->text(), u"5\n"_s);
}

void EngineDaytonaExecuteTest::timeout_stubbornCode_isKilledWithoutControl()
{
    const QString code = u"import signal, time\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\n"_s
        + u"print('on')\ntime.sleep(60)"_s;
    QElapsedTimer timer;
    timer.start();
    const auto run = m_daytona.run(m_sandbox, {{u"code"_s, code}, {u"timeout"_s, 1}});
    QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed())));
    QCOMPARE(run->closeCode(), 4008);
    QVERIFY(run->controls().isEmpty());
    QCOMPARE(m_daytona.run(m_sandbox, u"print('again')"_s)->text(), u"again\n"_s);
}

void EngineDaytonaExecuteTest::crash_closesWith1001_andNextRunStartsAnew()
{
    const auto run = m_daytona.run(m_sandbox, u"lost = 1\nimport os\nos._exit(3)"_s);
    QCOMPARE(run->closeCode(), 1001);
    QCOMPARE(run->closeReason(), u"worker process ended"_s);
    QVERIFY(run->controls().isEmpty());
    QCOMPARE(m_daytona.run(m_sandbox, u"print('lost' in globals())"_s)->text(), u"False\n"_s);
}

void EngineDaytonaExecuteTest::delete_whileRunning_closesWith1001()
{
    const QString contexts = DaytonaFixture::toolbox(m_sandbox) + u"/process/interpreter/context"_s;
    const QString id = m_daytona.post(contexts).object().value("id"_L1).toString();
    const auto socket = m_daytona.connectInterpreter(m_sandbox);
    QVERIFY(socket->waitForOpen());
    socket->send({{u"contextId"_s, id}, {u"code"_s, u"print('on', flush=True)\nimport time\ntime.sleep(60)"_s}});
    QVERIFY(socket->waitForFrame(u"stdout"_s));
    QCOMPARE(m_daytona.send("DELETE", contexts + u'/' + id).status, 200);
    QVERIFY(socket->waitForClose());
    QCOMPARE(socket->closeCode(), 1001);
    QCOMPARE(socket->closeReason(), u"context shutdown"_s);
}

void EngineDaytonaExecuteTest::client_leaves_codeGoesOn()
{
    auto socket = m_daytona.connectInterpreter(m_sandbox);
    QVERIFY(socket->waitForOpen());
    socket->send({{u"code"_s, u"print('on', flush=True)\nimport time\ntime.sleep(0.5)\nfinished = True"_s}});
    QVERIFY(socket->waitForFrame(u"stdout"_s));
    socket->socket().abort();
    QCOMPARE(m_daytona.run(m_sandbox, u"print(finished)"_s)->text(), u"True\n"_s);
}

void EngineDaytonaExecuteTest::ping_whileQueued_isAnswered()
{
    const auto first = m_daytona.connectInterpreter(m_sandbox);
    const auto second = m_daytona.connectInterpreter(m_sandbox);
    QVERIFY(first->waitForOpen() && second->waitForOpen());
    first->send({{u"code"_s, u"print('on', flush=True)\nimport time\ntime.sleep(1)"_s}});
    QVERIFY(first->waitForFrame(u"stdout"_s));
    second->send({{u"code"_s, u"pass"_s}});
    QSignalSpy pong(&second->socket(), &QWebSocket::pong);
    second->socket().ping("x");
    QVERIFY(pong.wait(10'000));
    QVERIFY(second->waitForClose());
}

void EngineDaytonaExecuteTest::handshake_withoutKey_is401()
{
    DaytonaSocket socket(m_daytona.interpreterUrl(m_sandbox));
    QVERIFY(!socket.waitForOpen());
    QVERIFY(socket.socket().errorString().contains("401"_L1));
}

void EngineDaytonaExecuteTest::handshake_withPreviewToken_isAccepted()
{
    QUrl url = m_daytona.interpreterUrl(m_sandbox);
    DaytonaSocket byHeader(url, "X-Daytona-Preview-Token", token().toUtf8());
    QVERIFY(byHeader.waitForOpen());
    url.setQuery(u"DAYTONA_SANDBOX_AUTH_KEY="_s + token());
    DaytonaSocket byQuery(url);
    QVERIFY(byQuery.waitForOpen());
    url.setQuery(u"DAYTONA_SANDBOX_AUTH_KEY=wrong"_s);
    DaytonaSocket wrong(url);
    QVERIFY(!wrong.waitForOpen());
}

void EngineDaytonaExecuteTest::handshake_offeredVersion_isTakenBack()
{
    const QUrl url = m_daytona.interpreterUrl(m_sandbox);
    QTcpSocket socket;
    socket.connectToHost(url.host(), quint16(url.port()));
    socket.write("GET " + url.path().toUtf8() + " HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        + "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Protocol: other, X-Daytona-SDK-Version~0.1.2\r\nAuthorization: " + m_daytona.bearer()
        + "\r\n\r\n");
    QByteArray received;
    QTRY_VERIFY((received += socket.readAll()).contains("\r\n\r\n"));
    QVERIFY2(received.startsWith("HTTP/1.1 101"), received.constData());
    QVERIFY(received.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    QVERIFY2(received.contains("Sec-WebSocket-Protocol: X-Daytona-SDK-Version~0.1.2\r\n"), received.constData());
}

void EngineDaytonaExecuteTest::handshake_withOrigin_is403()
{
    DaytonaSocket socket(m_daytona.interpreterUrl(m_sandbox), "Origin", "https://example.com");
    QVERIFY(!socket.waitForOpen());
    QVERIFY(socket.socket().errorString().contains("403"_L1));
}

void EngineDaytonaExecuteTest::handshake_absent_is400()
{
    const EngineResponse response =
        m_daytona.get(DaytonaFixture::toolbox(m_sandbox) + u"/process/interpreter/execute"_s);
    QCOMPARE(response.status, 400);
}

QTEST_GUILESS_MAIN(EngineDaytonaExecuteTest)
#include "tst_engine_daytona_execute.moc"
