#include "tests/support/enginefixture.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QNetworkReply>
#include <QRegularExpression>
#include <QTcpSocket>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The statements 25, 26, 33 to 35, 38 and 39 of protocols.md §7.1, and the extensions of the stream, against the real
/// daemon.
class EngineStreamsTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();

    void s25_output_arrivesWhileTheCellRuns();
    void s25_contentType_isNdjson();
    void s26_done_comesExactlyOnce_data();
    void s26_done_comesExactlyOnce();
    void s33_tenThousandLines_areCompleteAndInOrder_data();
    void s33_tenThousandLines_areCompleteAndInOrder();
    void s33_largeResult_isIntact();
    void s33_characters_areNeverSplit();
    void s34_streams_keepTheirOrder();
    void s34_childOutput_isCaptured();
    void s35_runningCell_blocksNothingElse();
    void s35_sameContext_isFirstInFirstOut();
    void s38_lateOutput_isAttachedToNoOther_data();
    void s38_lateOutput_isAttachedToNoOther();
    void s39_seed_seesNoExtensions();
    void s39_silence_addsOnlyKeepalives();
    void fullDialect_hasSequenceAndStatus();
    void fullDialect_clientComesBack_getsTheRest();
    void crash_nextExecutionGoesOnFromBefore();
    void floodBeyondTheBound_isDroppedWithANotice();

private:
    void postWithoutReading(QTcpSocket &socket, const QJsonObject &body);

    EngineFixture m_engine;
    EngineSandbox m_sandbox;
    EngineSandbox m_crashing; // for code that harms its own interpreter
};

void EngineStreamsTest::initTestCase()
{
    QVERIFY(m_engine.start());
    m_sandbox = m_engine.create();
    m_crashing = m_engine.create();
    QVERIFY(!m_sandbox.id.isEmpty());
    for (const QString &language : {u"python"_s, u"javascript"_s, u"bash"_s})
        QVERIFY(m_engine.run(m_sandbox, u"1"_s, language).doneCount() > 0);
}

void EngineStreamsTest::s25_output_arrivesWhileTheCellRuns()
{
    const auto reply = m_engine.startExecution(
        m_sandbox, {{u"code"_s, u"print('early'); import time; time.sleep(2); print('late')"_s}});
    QByteArray body;
    QVERIFY(EngineFixture::waitForText(*reply, body, "early"));
    QVERIFY(!body.contains("late"));
    QElapsedTimer timer;
    timer.start();
    QVERIFY(EngineFixture::waitForText(*reply, body, "late"));
    QVERIFY2(timer.elapsed() > 1000, "the first text came with the second");
}

void EngineStreamsTest::s25_contentType_isNdjson()
{
    const auto reply = m_engine.startExecution(m_sandbox, {{u"code"_s, u"1"_s}});
    const EngineResponse response = EngineFixture::waitFor(*reply);
    QCOMPARE(response.contentType, QByteArray("application/x-ndjson"));
    QVERIFY(!reply->hasRawHeader("Content-Length"));
    QVERIFY(response.body.endsWith('\n'));
}

void EngineStreamsTest::s26_done_comesExactlyOnce_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("code");
    QTest::newRow("python error") << u"python"_s << u"1/0"_s;
    QTest::newRow("python sys.exit") << u"python"_s << u"import sys; sys.exit(3)"_s;
    QTest::newRow("python exits hard") << u"python"_s << u"import os; os._exit(3)"_s;
    QTest::newRow("python segfault") << u"python"_s << u"import ctypes; ctypes.string_at(0)"_s;
    QTest::newRow("python kills itself") << u"python"_s << u"import os; os.kill(os.getpid(), 9)"_s;
    QTest::newRow("python child killed") << u"python"_s
                                         << u"import subprocess; subprocess.run(['sh', '-c', 'kill -9 $$'])"_s;
    QTest::newRow("python closes the channel") << u"python"_s << u"import os; os.close(3)"_s;
    QTest::newRow("python closes its output") << u"python"_s << u"import os; os.close(1); os.close(2)"_s;
    QTest::newRow("javascript error") << u"javascript"_s << u"throw new Error('x')"_s;
    QTest::newRow("javascript exit") << u"javascript"_s << u"process.exit(3)"_s;
    QTest::newRow("javascript abort") << u"javascript"_s << u"process.abort()"_s;
    QTest::newRow("bash exit") << u"bash"_s << u"exit 3"_s;
    QTest::newRow("bash kills itself") << u"bash"_s << u"kill -9 $$"_s;
    QTest::newRow("bash syntax") << u"bash"_s << u"if then ((("_s;
    QTest::newRow("bash NUL") << u"bash"_s << u"echo \0 x"_s;
}

void EngineStreamsTest::s26_done_comesExactlyOnce()
{
    QFETCH(QString, language);
    QFETCH(QString, code);
    const EngineItems items = m_engine.run(m_crashing, code, language);
    QCOMPARE(items.status, 200);
    QVERIFY2(items.doneCount() >= 1, items.body.constData());
    QCOMPARE(items.items.last().value("type"_L1).toString(), u"done"_s);
    QVERIFY(m_engine.run(m_crashing, u"1"_s, language).doneCount() > 0);
}

void EngineStreamsTest::s33_tenThousandLines_areCompleteAndInOrder_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("code");
    QTest::newRow("python") << u"python"_s << u"for i in range(10000): print(i)"_s;
    QTest::newRow("javascript") << u"javascript"_s << u"for (let i = 0; i < 10000; ++i) console.log(i)"_s;
    QTest::newRow("bash") << u"bash"_s << u"seq 0 9999"_s;
}

void EngineStreamsTest::s33_tenThousandLines_areCompleteAndInOrder()
{
    QFETCH(QString, language);
    QFETCH(QString, code);
    QString expected;
    for (int i = 0; i < 10000; ++i)
        expected += QString::number(i) + u'\n';
    const EngineItems items = m_engine.run(m_sandbox, code, language);
    QVERIFY(items.text() == expected);
    QVERIFY(items.doneCount() > 0);
}

void EngineStreamsTest::s33_largeResult_isIntact()
{
    const EngineItems items = m_engine.run(m_sandbox, u"'é' * 2_500_000"_s);
    QVERIFY(items.result() == u'"' + QString(2'500'000, u'é') + u'"');
}

void EngineStreamsTest::s33_characters_areNeverSplit()
{
    const EngineItems items = m_engine.run(m_sandbox, u"print('é😀漢' * 100_000)"_s);
    QVERIFY(items.text() == u"é😀漢"_s.repeated(100'000) + u'\n');
    QVERIFY(items.ofType(u"stdout"_s).size() > 1);
}

void EngineStreamsTest::s34_streams_keepTheirOrder()
{
    const EngineItems items =
        m_engine.run(m_sandbox, u"import sys\nfor i in range(200):\n print('o', i)\n print('e', i, file=sys.stderr)"_s);
    QString all;
    QString expected;
    for (const QJsonObject &item : items.items)
        all += item.value("type"_L1).toString().startsWith("std"_L1) ? item.value("data"_L1).toString() : QString();
    for (int i = 0; i < 200; ++i)
        expected += u"o %1\ne %1\n"_s.arg(i);
    QCOMPARE(all, expected);
}

void EngineStreamsTest::s34_childOutput_isCaptured()
{
    const EngineItems items = m_engine.run(m_sandbox,
        u"import subprocess, os\nprint('a')\nsubprocess.run('echo b; echo c >&2', shell=True)\nos.write(1, b'd\\n')"_s);
    QCOMPARE(items.text(), u"a\nb\nd\n"_s);
    QCOMPARE(items.text(u"stderr"_s), u"c\n"_s);
}

void EngineStreamsTest::s35_runningCell_blocksNothingElse()
{
    const auto running = m_engine.startExecution(m_sandbox, {{u"code"_s, u"print('on')\nwhile True: pass"_s}});
    QByteArray body;
    QVERIFY(EngineFixture::waitForText(*running, body, "on"));
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(m_engine.get(m_sandbox.codeServer + u"/health"_s).status, 200);
    QCOMPARE(m_engine.get(m_sandbox.codeServer + u"/contexts"_s).status, 200);
    QCOMPARE(m_engine.run(m_sandbox, u"2"_s, u"javascript"_s).result(), u"2"_s);
    QVERIFY(timer.elapsed() < 5000);
    const QString path =
        m_sandbox.codeServer + u"/contexts/"_s + m_engine.contextId(m_sandbox, u"python"_s) + u"/interrupt"_s;
    QCOMPARE(m_engine.post(path).status, 204);
    QCOMPARE(EngineFixture::waitFor(*running).status, 200);
}

void EngineStreamsTest::s35_sameContext_isFirstInFirstOut()
{
    QList<std::shared_ptr<QNetworkReply>> replies;
    m_engine.run(m_sandbox, u"order = []"_s);
    for (int i = 0; i < 5; ++i) {
        replies.append(m_engine.startExecution(
            m_sandbox, EngineFixture::fullDialect(u"import time; time.sleep(0.05); order.append(%1)"_s.arg(i))));
        // Each on a connection of its own, so only this says that it has arrived.
        QByteArray body;
        QVERIFY(EngineFixture::waitForText(*replies.last(), body, "accepted"));
    }
    for (const auto &reply : replies)
        QCOMPARE(EngineFixture::waitFor(*reply).status, 200);
    QCOMPARE(m_engine.run(m_sandbox, u"order == sorted(order) and len(order)"_s).result(), u"5"_s);
}

void EngineStreamsTest::s38_lateOutput_isAttachedToNoOther_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("next");
    QTest::newRow("thread") << u"python"_s
                            << u"import threading; threading.Timer(0.1, lambda: print('ghost')).start()"_s
                            << u"import time; time.sleep(0.4); print('mine')"_s;
    QTest::newRow("timer") << u"javascript"_s << u"setTimeout(() => console.log('ghost'), 100); 0"_s
                           << u"await new Promise(r => setTimeout(r, 400)); console.log('mine')"_s;
}

void EngineStreamsTest::s38_lateOutput_isAttachedToNoOther()
{
    QFETCH(QString, language);
    QFETCH(QString, code);
    QFETCH(QString, next);
    m_engine.run(m_sandbox, code, language);
    QCOMPARE(m_engine.run(m_sandbox, next, language).text(), u"mine\n"_s);
}

void EngineStreamsTest::s39_seed_seesNoExtensions()
{
    const EngineItems items = m_engine.run(m_sandbox, u"print(1)\n2"_s);
    for (const QJsonObject &item : items.items) {
        const QString type = item.value("type"_L1).toString();
        QVERIFY2((QStringList{u"stdout"_s, u"result"_s, u"done"_s}).contains(type), qPrintable(type));
        QVERIFY(!item.contains("seq"_L1));
    }
}

void EngineStreamsTest::s39_silence_addsOnlyKeepalives()
{
    EngineItems items = m_engine.run(m_sandbox, u"import time; print(1); time.sleep(7); 2"_s);
    QVERIFY(!items.ofType(u"keepalive"_s).isEmpty());
    items.items.removeIf([](const QJsonObject &item) { return item.value("type"_L1) == u"keepalive"_s; });
    QCOMPARE(items.items.size(), 3);
    QCOMPARE(items.text(), u"1\n"_s);
    QCOMPARE(items.result(), u"2"_s);
}

void EngineStreamsTest::fullDialect_hasSequenceAndStatus()
{
    const EngineItems items = m_engine.execute(m_sandbox, EngineFixture::fullDialect(u"print(1)\n{'a': 2}"_s));
    QCOMPARE(items.items.first().value("type"_L1).toString(), u"accepted"_s);
    int expected = 1;
    for (const QJsonObject &item : items.items.sliced(1))
        QCOMPARE(item.value("seq"_L1).toInt(), expected++);
    const QJsonObject bundle = items.ofType(u"bundle"_s).value(0);
    QCOMPARE(bundle.value("role"_L1).toString(), u"result"_s);
    QCOMPARE(bundle["data"_L1]["text/plain"_L1].toString(), u"{'a': 2}"_s);
    QCOMPARE(bundle["data"_L1]["application/json"_L1]["a"_L1].toInt(), 2);
    QCOMPARE(items.items.last().value("status"_L1).toString(), u"ok"_s);
}

void EngineStreamsTest::fullDialect_clientComesBack_getsTheRest()
{
    auto running = m_engine.startExecution(m_sandbox,
        EngineFixture::fullDialect(u"print('first', flush=True)\nimport time\ntime.sleep(0.5)\nprint('second')"_s));
    QByteArray body;
    QVERIFY(EngineFixture::waitForText(*running, body, "first"));
    const QString id =
        EngineFixture::itemsFrom(body.first(body.indexOf('\n'))).first().value("execution_id"_L1).toString();
    running->abort();
    running.reset();
    const QString path = m_sandbox.codeServer + u"/executions/"_s + id + u"/events"_s;
    const EngineItems all{200, {}, EngineFixture::itemsFrom(m_engine.get(path).body)};
    QCOMPARE(all.text(), u"first\nsecond\n"_s);
    QCOMPARE(all.items.last().value("status"_L1).toString(), u"ok"_s);
    const EngineItems rest{200, {}, EngineFixture::itemsFrom(m_engine.get(path + u"?from=3"_s).body)};
    QCOMPARE(rest.text(), u"second\n"_s);
}

void EngineStreamsTest::crash_nextExecutionGoesOnFromBefore()
{
    const EngineItems crashed = m_engine.execute(
        m_sandbox, EngineFixture::fullDialect(u"print('before')\nimport os\nos.kill(os.getpid(), 11)"_s));
    QCOMPARE(crashed.text(), u"before\n"_s);
    QCOMPARE(crashed.items.last().value("status"_L1).toString(), u"crashed"_s);
    QVERIFY(crashed.error().value("message"_L1).toString().contains("signal 11"_L1));
    const EngineItems next = m_engine.execute(m_sandbox, EngineFixture::fullDialect(u"1"_s));
    QCOMPARE(next.ofType(u"notice"_s).size(), 1);
    QCOMPARE(next.doneCount(), crashed.doneCount());
}

// A socket of its own: QNetworkReply goes on reading, at a pace that depends on the machine.
void EngineStreamsTest::postWithoutReading(QTcpSocket &socket, const QJsonObject &body)
{
    const QByteArray content = QJsonDocument(body).toJson(QJsonDocument::Compact);
    const QUrl url = m_engine.url(m_sandbox.codeServer + u"/execute"_s);
    socket.setReadBufferSize(4096);
    socket.connectToHost(url.host(), static_cast<quint16>(url.port()));
    socket.write("POST " + url.path().toUtf8() + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        + "Content-Length: " + QByteArray::number(content.size()) + "\r\n\r\n" + content);
}

void EngineStreamsTest::floodBeyondTheBound_isDroppedWithANotice()
{
    QTcpSocket client;
    postWithoutReading(client,
        EngineFixture::fullDialect(u"import os\nb = b'x' * 99999 + b'\\n'\n"
                                   "for i in range(2600): os.write(1, b)\nprint('last')"_s));
    static const QRegularExpression idPattern(u"\"execution_id\":\"([^\"]+)\""_s);
    QTRY_VERIFY(client.peek(4096).contains("\"started\""));
    const QString id = idPattern.match(QString::fromUtf8(client.peek(4096))).captured(1);
    // It runs to its end all the same.
    const QString context = m_engine.contextId(m_sandbox, u"python"_s);
    const auto isIdle = [&] {
        for (const QJsonValue &entry : m_engine.get(m_sandbox.codeServer + u"/v1/contexts"_s).array()) {
            if (entry["id"_L1] == context)
                return entry["state"_L1] == u"idle"_s;
        }
        return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isIdle(), 60'000);
    const EngineResponse response = m_engine.get(m_sandbox.codeServer + u"/executions/"_s + id + u"/events?from=1"_s);
    QCOMPARE(response.status, 200);
    QVERIFY(response.body.size() < 240'000'000);
    const EngineItems items{200, {}, EngineFixture::itemsFrom(response.body)};
    QCOMPARE(items.ofType(u"notice"_s).size(), 1);
    QVERIFY(items.text().endsWith("last\n"_L1));
    QCOMPARE(items.items.last().value("status"_L1).toString(), u"ok"_s);
}

QTEST_GUILESS_MAIN(EngineStreamsTest)
#include "tst_engine_streams.moc"
