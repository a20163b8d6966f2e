#include "tests/support/enginefixture.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include <csignal>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The program itself: how it starts, what it says when it cannot, what it leaves behind, and what it withstands.
class EngineDaemonTest : public QObject
{
    Q_OBJECT
private slots:
    void start_readyLine_isAlsoInTheRecord();
    void start_secondDaemon_exitsWith3();
    void start_portInUse_saysSo();
    void start_impossible_saysSoInOneSentence_data();
    void start_impossible_saysSoInOneSentence();
    void start_background_printsTheLineAndGoesOn();
    void start_compiledRunner_isNotCompiledAgain();
    void stop_signal_removesTheRecord();
    void stop_request_endsTheDaemon();
    void engine_describesItself();
    void restart_sandboxIsStoppedAndKeepsItsFiles();
    void restart_expiredSandbox_isRemoved();
    void garbage_doesNotStopTheDaemon_data();
    void garbage_doesNotStopTheDaemon();
    void connections_athousand_areServed();

private:
    struct Ended
    {
        int code = -1;
        QByteArray output;
        QByteArray errors;
    };
    Ended runToEnd(const QStringList &arguments);
};

EngineDaemonTest::Ended EngineDaemonTest::runToEnd(const QStringList &arguments)
{
    QProcess process;
    process.start(EngineFixture::program(), arguments);
    if (!QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 30'000)) {
        process.kill();
        return {};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

void EngineDaemonTest::start_readyLine_isAlsoInTheRecord()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    QFile record(engine.stateDirectory() + u"/engine.json"_s);
    QVERIFY(record.open(QIODevice::ReadOnly));
    QCOMPARE(record.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    const QJsonObject json = QJsonDocument::fromJson(record.readAll()).object();
    for (QLatin1StringView member : {"url"_L1, "apiKey"_L1, "version"_L1}) {
        QVERIFY(!json.value(member).toString().isEmpty());
        QCOMPARE(json.value(member), engine.readyLine().value(member));
    }
    QCOMPARE(json.value("pid"_L1).toInteger(), engine.process().processId());
}

void EngineDaemonTest::start_secondDaemon_exitsWith3()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const Ended second = runToEnd({u"--foreground"_s, u"--state-dir"_s, engine.stateDirectory()});
    QCOMPARE(second.code, 3);
    QVERIFY(second.errors.contains("Another sandfishd"));
    QCOMPARE(second.errors.count('\n'), 1);
    QCOMPARE(engine.get(u"/v1/engine"_s).status, 200);
}

void EngineDaemonTest::start_portInUse_saysSo()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    const QTemporaryDir state;
    const Ended ended =
        runToEnd({u"--foreground"_s, u"--state-dir"_s, state.path(), u"--port"_s, QString::number(other.serverPort())});
    QCOMPARE(ended.code, 1);
    QVERIFY(ended.errors.contains(QByteArray::number(other.serverPort())));
    QCOMPARE(ended.errors.count('\n'), 1);
}

void EngineDaemonTest::start_impossible_saysSoInOneSentence_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::newRow("no such folder") << QStringList{u"--state-dir"_s, u"/proc/none/x"_s} << 1;
    QTest::newRow("a file") << QStringList{u"--state-dir"_s, u"/etc/hostname/x"_s} << 1;
    QTest::newRow("bad port") << QStringList{u"--port"_s, u"70000"_s} << 2;
    QTest::newRow("port a word") << QStringList{u"--port"_s, u"http"_s} << 2;
    QTest::newRow("no value") << QStringList{u"--port"_s} << 2;
    QTest::newRow("unknown") << QStringList{u"--bogus"_s} << 2;
}

void EngineDaemonTest::start_impossible_saysSoInOneSentence()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    const Ended ended = runToEnd(QStringList{u"--foreground"_s} + arguments);
    QCOMPARE(ended.code, code);
    QVERIFY(ended.output.isEmpty());
    QCOMPARE(ended.errors.count('\n'), 1);
    QVERIFY2(ended.errors.startsWith("sandfishd: ") && ended.errors.endsWith(".\n"), ended.errors.constData());
}

void EngineDaemonTest::start_background_printsTheLineAndGoesOn()
{
    const QTemporaryDir state;
    const Ended ended = runToEnd({u"--state-dir"_s, state.path()});
    QCOMPARE(ended.code, 0);
    const QJsonObject line = QJsonDocument::fromJson(ended.output).object();
    QVERIFY(!line.value("apiKey"_L1).toString().isEmpty());
    QFile record(state.filePath(u"engine.json"_s));
    QVERIFY(record.open(QIODevice::ReadOnly));
    const qint64 pid = QJsonDocument::fromJson(record.readAll()).object().value("pid"_L1).toInteger();
    QVERIFY(pid > 1);
    QCOMPARE(::kill(pid_t(pid), SIGTERM), 0);
    QTRY_VERIFY(!QFile::exists(state.filePath(u"engine.json"_s)));
}

void EngineDaemonTest::start_compiledRunner_isNotCompiledAgain()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const QString runners = engine.stateDirectory() + u"/runners"_s;
    const QDir folder(runners + u'/' + QDir(runners).entryList(QDir::Dirs | QDir::NoDotAndDotDot).value(0));
    const QString stamp = folder.filePath(u"python-compiled"_s);
    const QString compiled = folder.filePath(u"python/sandfish_runner/__pycache__"_s);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(stamp), 30'000);
    QVERIFY(!QDir(compiled).isEmpty());
    QVERIFY(engine.stop());
    QVERIFY(QDir(compiled).removeRecursively());
    QVERIFY(engine.start());
    QCOMPARE(engine.run(engine.create(), u"1+1"_s).result(), u"2"_s);
    QVERIFY(!QFile::exists(compiled));
    QVERIFY(engine.stop());
    QVERIFY(QFile::remove(stamp));
    QVERIFY(engine.start());
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(stamp), 30'000);
    QVERIFY(!QDir(compiled).isEmpty());
}

void EngineDaemonTest::stop_signal_removesTheRecord()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    engine.run(engine.create(), u"1"_s);
    QVERIFY(engine.stop());
    QCOMPARE(engine.process().exitStatus(), QProcess::NormalExit);
    QCOMPARE(engine.process().exitCode(), 0);
    QVERIFY(!QFile::exists(engine.stateDirectory() + u"/engine.json"_s));
}

void EngineDaemonTest::stop_request_endsTheDaemon()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    QCOMPARE(engine.post(u"/v1/shutdown"_s).status, 204);
    QTRY_COMPARE(engine.process().state(), QProcess::NotRunning);
    QCOMPARE(engine.process().exitCode(), 0);
}

void EngineDaemonTest::engine_describesItself()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const QJsonObject description = engine.get(u"/v1/engine"_s).object();
    QCOMPARE(description.value("version"_L1), engine.readyLine().value("version"_L1));
    QCOMPARE(description.value("isolation"_L1), engine.readyLine().value("isolation"_L1));
    QCOMPARE(description.value("pid"_L1).toInteger(), engine.process().processId());
    QVERIFY(description.value("isolationReason"_L1).isString());
    QVERIFY(description.value("features"_L1).isArray());
}

void EngineDaemonTest::restart_sandboxIsStoppedAndKeepsItsFiles()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create({{u"sandfish"_s, QJsonObject{{u"name"_s, u"Näme"_s}}}});
    engine.run(sandbox, u"x = 1; open('kept.txt', 'w').write('kept')"_s);
    QVERIFY(engine.stop());
    QVERIFY(engine.start());
    QJsonObject info = engine.get(sandbox.path).object();
    QCOMPARE(info.value("state"_L1).toString(), u"stopped"_s);
    QCOMPARE(info.value("name"_L1).toString(), u"Näme"_s);
    QCOMPARE(engine.get(sandbox.path + u"/files?path=kept.txt"_s).body, QByteArray("kept"));
    QCOMPARE(engine.run(sandbox, u"1"_s).status, 409);
    QCOMPARE(engine.post(sandbox.path + u"/resume"_s).status, 200);
    QCOMPARE(engine.run(sandbox, u"open('kept.txt').read()"_s).result(), u"\"kept\""_s);
    QCOMPARE(engine.run(sandbox, u"x"_s).error().value("name"_L1).toString(), u"NameError"_s);
    QCOMPARE(engine.remove(sandbox.path).status, 204);
    QCOMPARE(engine.get(sandbox.path).status, 404);
}

void EngineDaemonTest::restart_expiredSandbox_isRemoved()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    const QDateTime end = QDateTime::currentDateTimeUtc().addMSecs(1500);
    engine.post(sandbox.path + u"/timeout"_s, {{u"timeoutMs"_s, 1500}});
    engine.process().kill();
    QTRY_VERIFY(engine.process().state() == QProcess::NotRunning && QDateTime::currentDateTimeUtc() > end);
    QVERIFY(engine.start());
    QCOMPARE(engine.get(sandbox.path).status, 404);
    QTRY_VERIFY(!QFile::exists(engine.stateDirectory() + u"/sandboxes/"_s + sandbox.id));
}

void EngineDaemonTest::garbage_doesNotStopTheDaemon_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("binary") << QByteArray("\x00\xff\xfe\x16\x03\x01 garbage\r\n\r\n", 20);
    QTest::newRow("no version") << QByteArray("GET /\r\n\r\n");
    QTest::newRow("huge header") << "GET / HTTP/1.1\r\nX: " + QByteArray(200'000, 'a') + "\r\n\r\n";
    QTest::newRow("negative length") << QByteArray("POST /execute HTTP/1.1\r\nContent-Length: -5\r\n\r\n");
    QTest::newRow("too long") << QByteArray("POST /x HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n");
    QTest::newRow("bad chunk") << QByteArray("POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
    QTest::newRow("no host") << QByteArray("GET /api/sandboxes HTTP/1.1\r\n\r\n");
    QTest::newRow("bad escape") << QByteArray("GET /%zz%0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
}

void EngineDaemonTest::garbage_doesNotStopTheDaemon()
{
    QFETCH(QByteArray, bytes);
    EngineFixture engine;
    QVERIFY(engine.start());
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, quint16(engine.url({}).port()));
    QTRY_COMPARE(socket.state(), QAbstractSocket::ConnectedState);
    socket.write(bytes);
    QByteArray answer;
    QTRY_VERIFY(!(answer += socket.readAll()).isEmpty() || socket.state() == QAbstractSocket::UnconnectedState);
    QVERIFY2(
        answer.isEmpty() || answer.startsWith("HTTP/1.1 4") || answer.startsWith("HTTP/1.0 4"), answer.constData());
    QCOMPARE(engine.get(u"/v1/engine"_s).status, 200);
}

void EngineDaemonTest::connections_athousand_areServed()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    const EngineSandbox sandbox = engine.create();
    std::vector<std::unique_ptr<QTcpSocket>> sockets;
    const QByteArray ask = "GET " + sandbox.codeServer.toLatin1() + "/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    for (int i = 0; i < 1000; ++i) {
        auto socket = std::make_unique<QTcpSocket>();
        socket->connectToHost(QHostAddress::LocalHost, quint16(engine.url({}).port()));
        sockets.push_back(std::move(socket));
    }
    for (const auto &socket : sockets) {
        QTRY_COMPARE(socket->state(), QAbstractSocket::ConnectedState);
        socket->write(ask);
    }
    for (const auto &socket : sockets) {
        QByteArray answer;
        QTRY_VERIFY((answer += socket->readAll()).endsWith("\"OK\""));
    }
}

QTEST_GUILESS_MAIN(EngineDaemonTest)
#include "tst_engine_daemon.moc"
