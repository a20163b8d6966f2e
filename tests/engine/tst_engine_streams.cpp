#include "tests/support/enginefixture.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QNetworkReply>
#include <QRegularExpression>
#include <QTcpSocket>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The statements 25, 26 and 33 to 39 of protocols.md §7.1, and the extensions of the stream, against the real daemon.
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
    void s36_missingCwd_is4xx();
    void s37_disconnect_nextCallWorks();
    void s38_lateOutput_isAttachedToNoOther_data();
    void s38_lateOutput_isAttachedToNoOther();
    void s39_seed_seesNoExtensions();
    void timeout_interruptsAndKeepsTheState_data();
    void timeout_interruptsAndKeepsTheState();
    void interrupt_endsTheCellAndKeepsTheState_data();
    void interrupt_endsTheCellAndKeepsTheState();
    void interrupt_whileIdle_doesNotHitTheNextCell();
    void input_lineReachesTheCell_data();
    void input_lineReachesTheCell();
    void input_withoutPermission_isAtItsEnd();
    void fullDialect_hasSequenceAndStatus();
    void fullDialect_clientComesBack_getsTheRest();
    void crash_nextExecutionStartsAnew();
    void floodBeyondTheBound_isDroppedWithANotice();
    void queries_whileBusy_are409();
    void queries_vars_listsThem();

private:
    QJsonObject full(const QString &code, const QString &language = u"python"_s) const;
    QString contextId(const QString &language);
    void postWithoutReading(QTcpSocket &socket, const QJsonObject &body);
    bool waitForText(QNetworkReply &reply, QByteArray &body, const QByteArray &text);

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

QJsonObject EngineStreamsTest::full(const QString &code, const QString &language) const
{
    return {{u"code"_s, code}, {u"language"_s, language},
        {u"sandfish"_s, QJsonObject{{u"dialect"_s, u"full"_s}, {u"stdin"_s, true}}}};
}

QString EngineStreamsTest::contextId(const QString &language)
{
    for (const QJsonValue &context : m_engine.get(m_sandbox.codeServer + u"/contexts"_s).array()) {
        if (context["language"_L1] == language)
            return context["id"_L1].toString();
    }
    return {};
}

// Collects the reply's bytes in \a body until \a text is among them.
bool EngineStreamsTest::waitForText(QNetworkReply &reply, QByteArray &body, const QByteArray &text)
{
    return QTest::qWaitFor(
        [&] {
            body += reply.readAll();
            return body.contains(text);
        },
        30'000);
}

void EngineStreamsTest::s25_output_arrivesWhileTheCellRuns()
{
    const auto reply = m_engine.startExecution(
        m_sandbox, {{u"code"_s, u"print('early'); import time; time.sleep(2); print('late')"_s}});
    QByteArray body;
    QVERIFY(waitForText(*reply, body, "early"));
    QVERIFY(!body.contains("late"));
    QElapsedTimer timer;
    timer.start();
    QVERIFY(waitForText(*reply, body, "late"));
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
    QVERIFY(waitForText(*running, body, "on"));
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(m_engine.get(m_sandbox.codeServer + u"/health"_s).status, 200);
    QCOMPARE(m_engine.get(m_sandbox.codeServer + u"/contexts"_s).status, 200);
    QCOMPARE(m_engine.run(m_sandbox, u"2"_s, u"javascript"_s).result(), u"2"_s);
    QVERIFY(timer.elapsed() < 5000);
    const QString path = m_sandbox.codeServer + u"/contexts/"_s + contextId(u"python"_s) + u"/interrupt"_s;
    QCOMPARE(m_engine.post(path).status, 204);
    QCOMPARE(EngineFixture::waitFor(*running).status, 200);
}

void EngineStreamsTest::s35_sameContext_isFirstInFirstOut()
{
    QList<std::shared_ptr<QNetworkReply>> replies;
    m_engine.run(m_sandbox, u"order = []"_s);
    for (int i = 0; i < 5; ++i) {
        replies.append(
            m_engine.startExecution(m_sandbox, full(u"import time; time.sleep(0.05); order.append(%1)"_s.arg(i))));
        // Each on a connection of its own, so only this says that it has arrived.
        QByteArray body;
        QVERIFY(waitForText(*replies.last(), body, "accepted"));
    }
    for (const auto &reply : replies)
        QCOMPARE(EngineFixture::waitFor(*reply).status, 200);
    QCOMPARE(m_engine.run(m_sandbox, u"order == sorted(order) and len(order)"_s).result(), u"5"_s);
}

void EngineStreamsTest::s36_missingCwd_is4xx()
{
    const EngineResponse response =
        m_engine.post(m_sandbox.codeServer + u"/contexts"_s, {{u"cwd"_s, u"/no/such/folder"_s}});
    QCOMPARE(response.status / 100, 4);
}

void EngineStreamsTest::s37_disconnect_nextCallWorks()
{
    const EngineSandbox sandbox = m_engine.create();
    m_engine.run(sandbox, u"kept = 7"_s);
    auto running = m_engine.startExecution(sandbox, {{u"code"_s, u"print('on')\nwhile True: pass"_s}});
    QByteArray body;
    QVERIFY(waitForText(*running, body, "on"));
    running->abort();
    running.reset();
    // A loop that nobody hears of any more is interrupted after 10 s; the time here is that and some room.
    QCOMPARE(m_engine.run(sandbox, u"kept"_s).result(), u"7"_s);
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

void EngineStreamsTest::timeout_interruptsAndKeepsTheState_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("prepare");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("check");
    QTest::newRow("python") << u"python"_s << u"t = 5"_s << u"while True: pass"_s << u"print(t)"_s;
    QTest::newRow("javascript") << u"javascript"_s << u"t = 5"_s << u"for (;;);"_s << u"console.log(t)"_s;
    QTest::newRow("bash") << u"bash"_s << u"t=5"_s << u"sleep 100"_s << u"echo $t"_s;
}

void EngineStreamsTest::timeout_interruptsAndKeepsTheState()
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

void EngineStreamsTest::interrupt_endsTheCellAndKeepsTheState_data()
{
    timeout_interruptsAndKeepsTheState_data();
}

void EngineStreamsTest::interrupt_endsTheCellAndKeepsTheState()
{
    QFETCH(QString, language);
    QFETCH(QString, prepare);
    QFETCH(QString, code);
    QFETCH(QString, check);
    m_engine.run(m_sandbox, prepare, language);
    const auto running = m_engine.startExecution(m_sandbox, full(code, language));
    QByteArray body;
    QVERIFY(waitForText(*running, body, "\"started\""));
    const QString path = m_sandbox.codeServer + u"/contexts/"_s + contextId(language) + u"/interrupt"_s;
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(m_engine.post(path).status, 204);
    QVERIFY(waitForText(*running, body, "\"done\""));
    QVERIFY(timer.elapsed() < 5000);
    QCOMPARE(EngineFixture::itemsFrom(body).last().value("status"_L1).toString(), u"interrupted"_s);
    QCOMPARE(m_engine.run(m_sandbox, check, language).text(), u"5\n"_s);
}

void EngineStreamsTest::interrupt_whileIdle_doesNotHitTheNextCell()
{
    for (const QString &language : {u"python"_s, u"javascript"_s, u"bash"_s}) {
        const QString path = m_sandbox.codeServer + u"/contexts/"_s + contextId(language) + u"/interrupt"_s;
        QCOMPARE(m_engine.post(path).status, 204);
        const EngineItems items = m_engine.run(m_sandbox, u"1"_s, language);
        QVERIFY(items.error().value("name"_L1).toString() != u"KeyboardInterrupt"_s);
    }
}

void EngineStreamsTest::input_lineReachesTheCell_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("code");
    QTest::newRow("python") << u"python"_s << u"print('got ' + input('name? '))"_s;
    QTest::newRow("bash") << u"bash"_s << u"read -p 'name? ' v; echo got $v"_s;
}

void EngineStreamsTest::input_lineReachesTheCell()
{
    QFETCH(QString, language);
    QFETCH(QString, code);
    const auto running = m_engine.startExecution(m_sandbox, full(code, language));
    QByteArray body;
    QVERIFY(waitForText(*running, body, "input_request"));
    QVERIFY(body.contains("name? "));
    const QString path = m_sandbox.codeServer + u"/contexts/"_s + contextId(language) + u"/input"_s;
    QCOMPARE(m_engine.post(path, {{u"text"_s, u"Zoë"_s}}).status, 204);
    QVERIFY(waitForText(*running, body, "\"done\""));
    QVERIFY2(body.contains("got Zoë"), body.constData());
    QCOMPARE(m_engine.post(path, {{u"text"_s, u"x"_s}}).status, 409);
}

void EngineStreamsTest::input_withoutPermission_isAtItsEnd()
{
    QCOMPARE(m_engine.run(m_sandbox, u"input()"_s).error().value("name"_L1).toString(), u"EOFError"_s);
    QCOMPARE(m_engine.run(m_sandbox, u"cat; echo end"_s, u"bash"_s).text(), u"end\n"_s);
}

void EngineStreamsTest::fullDialect_hasSequenceAndStatus()
{
    const EngineItems items = m_engine.execute(m_sandbox, full(u"print(1)\n{'a': 2}"_s));
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
    auto running = m_engine.startExecution(
        m_sandbox, full(u"print('first', flush=True)\nimport time\ntime.sleep(0.5)\nprint('second')"_s));
    QByteArray body;
    QVERIFY(waitForText(*running, body, "first"));
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

void EngineStreamsTest::crash_nextExecutionStartsAnew()
{
    const EngineItems crashed =
        m_engine.execute(m_sandbox, full(u"print('before')\nimport os\nos.kill(os.getpid(), 11)"_s));
    QCOMPARE(crashed.text(), u"before\n"_s);
    QCOMPARE(crashed.items.last().value("status"_L1).toString(), u"crashed"_s);
    QVERIFY(crashed.error().value("message"_L1).toString().contains("signal 11"_L1));
    const EngineItems next = m_engine.execute(m_sandbox, full(u"1"_s));
    QCOMPARE(next.ofType(u"notice"_s).size(), 1);
    QCOMPARE(next.doneCount(), 1);
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
        full(u"import os\nb = b'x' * 99999 + b'\\n'\n"
             "for i in range(2600): os.write(1, b)\nprint('last')"_s));
    static const QRegularExpression idPattern(u"\"execution_id\":\"([^\"]+)\""_s);
    QTRY_VERIFY(client.peek(4096).contains("\"started\""));
    const QString id = idPattern.match(QString::fromUtf8(client.peek(4096))).captured(1);
    // It runs to its end all the same.
    const QString context = contextId(u"python"_s);
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

void EngineStreamsTest::queries_whileBusy_are409()
{
    const auto running = m_engine.startExecution(m_sandbox, full(u"import time; time.sleep(30)"_s));
    QByteArray body;
    QVERIFY(waitForText(*running, body, "\"started\""));
    const QString path = m_sandbox.codeServer + u"/contexts/"_s + contextId(u"python"_s);
    QCOMPARE(m_engine.post(path + u"/vars"_s).status, 409);
    m_engine.post(path + u"/interrupt"_s);
    QVERIFY(waitForText(*running, body, "\"done\""));
}

void EngineStreamsTest::queries_vars_listsThem()
{
    m_engine.run(m_sandbox, u"listed_here = [1, 2, 3]"_s);
    const QString path = m_sandbox.codeServer + u"/contexts/"_s + contextId(u"python"_s);
    const QJsonArray variables = m_engine.post(path + u"/vars"_s).object().value("vars"_L1).toArray();
    const auto isListed = [](const QJsonValue &row) { return row["name"_L1] == u"listed_here"_s; };
    QVERIFY(std::any_of(variables.begin(), variables.end(), isListed));
    const QJsonObject completion =
        m_engine.post(path + u"/complete"_s, {{u"code"_s, u"listed_h"_s}, {u"pos"_s, 8}}).object();
    QCOMPARE(completion["matches"_L1][0]["text"_L1].toString(), u"listed_here"_s);
}

QTEST_GUILESS_MAIN(EngineStreamsTest)
#include "tst_engine_streams.moc"
