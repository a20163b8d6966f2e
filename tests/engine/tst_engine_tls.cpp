#include "tests/support/enginefixture.h"

#include <QFile>
#include <QJsonDocument>
#include <QNetworkReply>
#include <QProcess>
#include <QSignalSpy>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QStandardPaths>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The code servers over TLS, as the vendor's SDKs reach them: statements 9 to 12 of protocols.md §7.1, and what a
/// shell exports for them.
class EngineTlsTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();

    void readyLine_caFile_isPrivateAndTrusted();
    void s9_hostname_isReachedOverHttps();
    void s9_execution_overHttps_streamsEarly();
    void s10_otherPaths_overHttps_are404_data();
    void s10_otherPaths_overHttps_are404();
    void s11_clientWithoutAuthority_isRefused();
    void s11_interpreters_trustByEnvironment_data();
    void s11_interpreters_trustByEnvironment();
    void s12_host_notLoopback_overHttps_isRefused();
    void client_leaves_overHttps_cellIsInterrupted();
    void handshake_neverFinished_holdsUpNobody();
    void stop_removesTheCertificates();
    void printEnv_noDaemon_saysSo();
    void printEnv_names_whatTheSdksRead();

private:
    QNetworkRequest secureRequest(const QString &path) const;
    EngineResponse secureGet(const QString &path);
    QByteArray shell(const QString &script, const QStringList &stateDirectory = {});

    EngineFixture m_engine;
    EngineSandbox m_sandbox;
    QString m_hostname;
};

void EngineTlsTest::initTestCase()
{
    if (!QSslSocket::supportsSsl())
        QSKIP("Qt has no TLS backend here");
    QVERIFY(m_engine.start());
    m_sandbox = m_engine.create();
    m_hostname = m_engine.post(m_sandbox.path + u"/expose/8080"_s).object().value("hostname"_L1).toString();
    QVERIFY(!m_hostname.isEmpty());
}

// A path starts at the server's root.
QNetworkRequest EngineTlsTest::secureRequest(const QString &path) const
{
    QNetworkRequest request(QUrl(u"https://"_s + m_hostname.section(u'/', 0, 0) + path));
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setCaCertificates(QSslCertificate::fromPath(m_engine.readyLine().value("caFile"_L1).toString()));
    request.setSslConfiguration(configuration);
    return request;
}

EngineResponse EngineTlsTest::secureGet(const QString &path)
{
    return m_engine.send("GET", secureRequest(path), {});
}

// Runs a script in a shell that has exported what the daemon names.
QByteArray EngineTlsTest::shell(const QString &script, const QStringList &stateDirectory)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    const QString directory = stateDirectory.value(0, m_engine.stateDirectory());
    process.start(u"/bin/sh"_s,
        {u"-c"_s, u"lines=$(\"$1\" --print-env --state-dir \"$2\") || exit; eval \"$lines\"; "_s + script, u"sh"_s,
            EngineFixture::program(), directory, m_hostname});
    if (!QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 30'000))
        process.kill();
    return process.readAll().trimmed();
}

void EngineTlsTest::readyLine_caFile_isPrivateAndTrusted()
{
    const QFile file(m_engine.readyLine().value("caFile"_L1).toString());
    QVERIFY(file.exists());
    QCOMPARE(file.permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    const QList<QSslCertificate> certificates = QSslCertificate::fromPath(file.fileName());
    QCOMPARE(certificates.size(), 1);
    QVERIFY(certificates.first().isSelfSigned());
}

void EngineTlsTest::s9_hostname_isReachedOverHttps()
{
    const EngineResponse response = secureGet(m_sandbox.codeServer + u"/health"_s);
    QCOMPARE(response.status, 200);
    QCOMPARE(response.body, QByteArray("\"OK\""));
}

void EngineTlsTest::s9_execution_overHttps_streamsEarly()
{
    const QJsonObject body{{u"code"_s,
        u"print('first')\nimport os, time\nwhile not os.path.exists('seen'): time.sleep(0.01)\nprint('last')"_s}};
    const std::unique_ptr<QNetworkReply> reply(m_engine.network().post(
        secureRequest(m_sandbox.codeServer + u"/execute"_s), QJsonDocument(body).toJson(QJsonDocument::Compact)));
    QByteArray received;
    QTRY_VERIFY((received += reply->readAll()).contains("first"));
    QVERIFY(!reply->isFinished());
    m_engine.post(m_sandbox.path + u"/files"_s, {{u"path"_s, u"seen"_s}, {u"content"_s, u"1"_s}});
    received += EngineFixture::waitFor(*reply).body;
    const EngineItems items{200, received, EngineFixture::itemsFrom(received)};
    QCOMPARE(items.text(), u"first\nlast\n"_s);
    QVERIFY(items.doneCount() > 0);
}

void EngineTlsTest::s10_otherPaths_overHttps_are404_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("no prefix") << u"/health"_s;
    QTest::newRow("wrong secret") << u"/s/0123456789/health"_s;
    QTest::newRow("sandboxes") << u"/api/sandboxes"_s;
    QTest::newRow("engine") << u"/v1/engine"_s;
}

void EngineTlsTest::s10_otherPaths_overHttps_are404()
{
    QFETCH(QString, path);
    const EngineResponse response = secureGet(path);
    QCOMPARE(response.status, 404);
    QVERIFY(!response.body.contains(m_sandbox.id.toUtf8()));
}

void EngineTlsTest::s11_clientWithoutAuthority_isRefused()
{
    QNetworkRequest request = secureRequest(m_sandbox.codeServer + u"/health"_s);
    request.setSslConfiguration(QSslConfiguration::defaultConfiguration());
    // The other manager keeps trusted connections open.
    QNetworkAccessManager stranger;
    const std::unique_ptr<QNetworkReply> reply(stranger.get(request));
    QCOMPARE(EngineFixture::waitFor(*reply).status, 0);
    QCOMPARE(reply->error(), QNetworkReply::SslHandshakeFailedError);
}

void EngineTlsTest::s11_interpreters_trustByEnvironment_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("variables");
    QTest::addColumn<QString>("command");
    // What httpx does with the variable.
    QTest::newRow("python") << u"python3"_s << u"SSL_CERT_FILE"_s << uR"(python3 -c 'import os, ssl, sys, urllib.request
trust = ssl.create_default_context(cafile=os.environ.get("SSL_CERT_FILE"))
print(urllib.request.urlopen(sys.argv[1], context=trust).read().decode())' "https://$3/health" 2>&1 | tail -1)"_s;
    // Some builds of Node.js read what OpenSSL trusts as well.
    QTest::newRow("node") << u"node"_s << u"NODE_EXTRA_CA_CERTS SSL_CERT_FILE"_s
                          << uR"(node -e 'require("https").get(process.argv[1], answer => answer.pipe(process.stdout))
    .on("error", error => console.log(error.code))' "https://$3/health")"_s;
}

void EngineTlsTest::s11_interpreters_trustByEnvironment()
{
    QFETCH(QString, program);
    QFETCH(QString, variables);
    QFETCH(QString, command);
    if (QStandardPaths::findExecutable(program).isEmpty())
        QSKIP("The interpreter is not installed");
    QCOMPARE(shell(u"unset http_proxy https_proxy; "_s + command), QByteArray("\"OK\""));
    const QByteArray refused = shell(u"unset http_proxy https_proxy "_s + variables + u"; "_s + command);
    QVERIFY2(refused.contains("VERIFY"), refused.constData());
}

void EngineTlsTest::s12_host_notLoopback_overHttps_isRefused()
{
    QNetworkRequest request = secureRequest(m_sandbox.codeServer + u"/health"_s);
    request.setRawHeader("Host", "evil.example");
    QCOMPARE(m_engine.send("GET", request, {}).status, 403);
}

void EngineTlsTest::client_leaves_overHttps_cellIsInterrupted()
{
    const EngineSandbox sandbox = m_engine.create();
    std::unique_ptr<QNetworkReply> reply(m_engine.network().post(secureRequest(sandbox.codeServer + u"/execute"_s),
        R"({"code":"kept = 1\nprint('in', flush=True)\nwhile True: pass"})"));
    QByteArray received;
    QTRY_VERIFY((received += reply->readAll()).contains("in"));
    reply->abort();
    QCOMPARE(m_engine.run(sandbox, u"kept"_s).result(), u"1"_s);
}

void EngineTlsTest::handshake_neverFinished_holdsUpNobody()
{
    QTcpSocket silent;
    QTcpSocket confused;
    const auto port = quint16(m_hostname.section(u':', 1).section(u'/', 0, 0).toUInt());
    for (QTcpSocket *socket : {&silent, &confused}) {
        socket->connectToHost(QHostAddress(QHostAddress::LocalHost), port);
        QTRY_COMPARE(socket->state(), QAbstractSocket::ConnectedState);
    }
    confused.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    QTRY_COMPARE(confused.state(), QAbstractSocket::UnconnectedState);
    QCOMPARE(secureGet(m_sandbox.codeServer + u"/health"_s).status, 200);
}

void EngineTlsTest::stop_removesTheCertificates()
{
    EngineFixture engine;
    QVERIFY(engine.start());
    QVERIFY(QFile::exists(engine.stateDirectory() + u"/ca-bundle.pem"_s));
    QVERIFY(engine.stop());
    QVERIFY(!QFile::exists(engine.readyLine().value("caFile"_L1).toString()));
    QVERIFY(!QFile::exists(engine.stateDirectory() + u"/ca-bundle.pem"_s));
}

void EngineTlsTest::printEnv_noDaemon_saysSo()
{
    const QTemporaryDir empty;
    const QByteArray output = shell(u"echo exported"_s, {empty.path()});
    QVERIFY2(output.startsWith("sandfishd: No sandfishd serves the folder"), output.constData());
    QCOMPARE(output.count('\n'), 0);
}

void EngineTlsTest::printEnv_names_whatTheSdksRead()
{
    const QByteArray output = shell(u"echo \"$LIZARD_API_URL $LIZARD_API_KEY $NODE_EXTRA_CA_CERTS $SSL_CERT_FILE\""_s);
    const QJsonObject ready = m_engine.readyLine();
    const QList<QByteArray> words = output.split(' ');
    QCOMPARE(words.value(0), ready.value("url"_L1).toString().toUtf8());
    QCOMPARE(words.value(1), ready.value("apiKey"_L1).toString().toUtf8());
    QCOMPARE(words.value(2), ready.value("caFile"_L1).toString().toUtf8());
    // Whoever replaces the known authorities by this file must still reach other services.
    QVERIFY(QSslCertificate::fromPath(QString::fromUtf8(words.value(3)))
                .contains(QSslCertificate::fromPath(ready.value("caFile"_L1).toString()).first()));
}

QTEST_GUILESS_MAIN(EngineTlsTest)
#include "tst_engine_tls.moc"
