#include "core/engine/httpserver.h"
#include "core/engine/tlsauthority.h"

#include <QSignalSpy>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTest>

#include <atomic>
#include <thread>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The certificate of the data plane, judged by a real TLS client.
class TlsAuthorityTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void client_trustsAuthority_connects_data();
    void client_trustsAuthority_connects();
    void client_withoutAuthority_isRefused();
    void client_leavesWhileAnswered_isNoticed();

private:
    QSslConfiguration trusting() const;

    std::unique_ptr<EventLoop> m_loop = EventLoop::make();
    std::unique_ptr<HttpServer> m_server;
    std::thread m_thread;
    TlsIdentity m_identity;
    std::shared_ptr<HttpReply> m_held;
    std::atomic<int> m_holds{0};
    std::atomic<int> m_disconnects{0};
};

void TlsAuthorityTest::initTestCase()
{
    if (!QSslSocket::supportsSsl())
        QSKIP("Qt has no TLS backend here");
    auto identity = makeTlsIdentity();
    QVERIFY(identity);
    m_identity = identity.take();
    HttpServer::Options options;
    options.tlsCertificatePem = m_identity.certificatePem;
    options.tlsKeyPem = m_identity.keyPem;
    auto server = HttpServer::listen(*m_loop, options, [this](const HttpRequest &request, const auto &reply) {
        if (request.path == "/hold") {
            m_held = reply;
            reply->setDisconnected([this] { ++m_disconnects; });
            ++m_holds;
            return;
        }
        reply->send(200, "text/plain", request.isTls ? "secret" : "plain");
    });
    QVERIFY(server);
    m_server = server.take();
    m_thread = std::thread([this] { m_loop->run(); });
}

void TlsAuthorityTest::cleanupTestCase()
{
    m_loop->stop();
    if (m_thread.joinable())
        m_thread.join();
    m_held.reset();
}

QSslConfiguration TlsAuthorityTest::trusting() const
{
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setCaCertificates(QSslCertificate::fromData(QByteArray::fromStdString(m_identity.authorityPem)));
    return configuration;
}

void TlsAuthorityTest::client_trustsAuthority_connects_data()
{
    QTest::addColumn<QString>("host");
    QTest::newRow("name") << u"localhost"_s;
    QTest::newRow("address") << u"127.0.0.1"_s;
}

void TlsAuthorityTest::client_trustsAuthority_connects()
{
    QFETCH(QString, host);
    QSslSocket socket;
    socket.setSslConfiguration(trusting());
    socket.setPeerVerifyName(host);
    socket.connectToHostEncrypted(u"127.0.0.1"_s, m_server->port(), host);
    QTRY_VERIFY2(socket.isEncrypted(), qPrintable(socket.errorString()));
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    QByteArray received;
    QTRY_VERIFY((received += socket.readAll()).endsWith("secret"));
}

void TlsAuthorityTest::client_withoutAuthority_isRefused()
{
    QSslSocket socket;
    socket.connectToHostEncrypted(u"127.0.0.1"_s, m_server->port(), u"localhost"_s);
    QSignalSpy errors(&socket, &QSslSocket::sslErrors);
    QTRY_COMPARE(errors.count(), 1);
    QVERIFY(!socket.isEncrypted());
}

void TlsAuthorityTest::client_leavesWhileAnswered_isNoticed()
{
    QSslSocket socket;
    socket.setSslConfiguration(trusting());
    socket.connectToHostEncrypted(u"127.0.0.1"_s, m_server->port());
    QTRY_VERIFY2(socket.isEncrypted(), qPrintable(socket.errorString()));
    socket.write("GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n");
    QTRY_COMPARE(m_holds.load(), 1);
    socket.disconnectFromHost();
    QTRY_COMPARE(m_disconnects.load(), 1);
}

QTEST_GUILESS_MAIN(TlsAuthorityTest)
#include "tst_tlsauthority.moc"
