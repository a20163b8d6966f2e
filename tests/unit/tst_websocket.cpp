#include "core/engine/eventloop.h"
#include "core/engine/httpserver.h"

#include <QSignalSpy>
#include <QTcpSocket>
#include <QTest>
#include <QWebSocket>

#include <atomic>
#include <thread>

using namespace sandfish;
using namespace Qt::StringLiterals;

/// The server's end of a WebSocket, against Qt's and byte by byte.
class WebSocketTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void text_isEchoed_data();
    void text_isEchoed();
    void binary_isToldApart();
    void messageTooLong_isClosedWith1009();
    void close_afterQueuedText_keepsTheOrder();
    void close_longReason_isCutBetweenCharacters();
    void clientCloses_isTold();
    void clientVanishes_isTold();
    void silentClient_isCutOff();
    void readerThatStops_isCutOffAndHoldsWritersBack();
    void upgradeNotTaken_isAnsweredAndConnectionGoesOn();
    void plainRequest_isNoUpgrade();

private:
    void serve(const HttpRequest &request, const std::shared_ptr<HttpReply> &reply);
    void echo(const std::shared_ptr<WebSocket> &socket);
    void flood(const std::shared_ptr<WebSocket> &socket);
    std::unique_ptr<QWebSocket> connectTo(const QString &path);
    QByteArray handshake(QTcpSocket &socket, const QByteArray &path);

    std::unique_ptr<EventLoop> m_loop;
    std::unique_ptr<HttpServer> m_server;
    std::thread m_thread;
    std::atomic<int> m_closed{0};
    std::atomic<std::size_t> m_pendingBytes{0};
};

namespace {
constexpr std::size_t kMaxMessage = 1u << 20;
constexpr std::chrono::milliseconds kIdle(1000);
} // namespace

void WebSocketTest::init()
{
    m_closed = 0;
    m_pendingBytes = 0;
    m_loop = EventLoop::make();
    auto server = HttpServer::listen(
        *m_loop, {}, [this](const HttpRequest &request, const auto &reply) { serve(request, reply); });
    QVERIFY(server);
    m_server = server.take();
    m_thread = std::thread([this] { m_loop->run(); });
}

void WebSocketTest::cleanup()
{
    m_loop->stop();
    m_thread.join();
    m_server.reset();
    m_loop.reset();
}

void WebSocketTest::serve(const HttpRequest &request, const std::shared_ptr<HttpReply> &reply)
{
    if (request.path == "/refuse") {
        reply->send(request.wantsWebSocket ? 403 : 200, "text/plain", "no");
        return;
    }
    WebSocket::Options options;
    options.maxMessageBytes = kMaxMessage;
    options.idleLimit = request.path == "/idle" || request.path == "/flood" ? kIdle : std::chrono::milliseconds(60'000);
    const std::shared_ptr<WebSocket> socket = reply->upgrade(options);
    if (!socket) {
        reply->send(400, "text/plain", "no upgrade");
        return;
    }
    socket->setClosed([this] { ++m_closed; });
    if (request.path == "/bye") {
        socket->sendText("first");
        socket->sendText("second");
        socket->close(4321, "enough");
    } else if (request.path == "/long") {
        socket->close(1008, std::string(122, 'x') + "\u20ac and more");
    } else if (request.path == "/flood") {
        flood(socket);
    } else {
        echo(socket);
    }
}

void WebSocketTest::echo(const std::shared_ptr<WebSocket> &socket)
{
    socket->setReceived([weak = std::weak_ptr(socket)](const std::string &message, bool isText) {
        weak.lock()->sendText(isText ? message : "binary of " + std::to_string(message.size()));
    });
}

// Writes as much as fits below a bound, each time there is room.
void WebSocketTest::flood(const std::shared_ptr<WebSocket> &target)
{
    const auto fill = [this, weak = std::weak_ptr(target)] {
        const std::shared_ptr<WebSocket> socket = weak.lock();
        while (socket->pendingBytes() < kMaxMessage)
            socket->sendText(std::string(10'000, 'x'));
        m_pendingBytes = socket->pendingBytes();
    };
    target->setDrained(fill);
    fill();
}

std::unique_ptr<QWebSocket> WebSocketTest::connectTo(const QString &path)
{
    auto socket = std::make_unique<QWebSocket>();
    QSignalSpy connected(socket.get(), &QWebSocket::connected);
    socket->open(QUrl(u"ws://127.0.0.1:%1%2"_s.arg(m_server->port()).arg(path)));
    [&] { QVERIFY(connected.wait(10'000)); }();
    return socket;
}

// The answer's head.
QByteArray WebSocketTest::handshake(QTcpSocket &socket, const QByteArray &path)
{
    socket.write("GET " + path + " HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
    QByteArray received;
    [&] { QTRY_VERIFY((received += socket.readAll()).contains("\r\n\r\n")); }();
    return received;
}

void WebSocketTest::text_isEchoed_data()
{
    QTest::addColumn<int>("size");
    for (int size : {0, 1, 125, 126, 65535, 65536, int(kMaxMessage)})
        QTest::addRow("%d", size) << size;
}

void WebSocketTest::text_isEchoed()
{
    QFETCH(int, size);
    const auto socket = connectTo(u"/echo"_s);
    QSignalSpy received(socket.get(), &QWebSocket::textMessageReceived);
    const QString text(size, u'x');
    socket->sendTextMessage(text);
    QVERIFY(received.wait(10'000));
    QCOMPARE(received.first().first().toString(), text);
}

void WebSocketTest::binary_isToldApart()
{
    const auto socket = connectTo(u"/echo"_s);
    QSignalSpy received(socket.get(), &QWebSocket::textMessageReceived);
    socket->sendBinaryMessage(QByteArray(5, '\0'));
    QVERIFY(received.wait(10'000));
    QCOMPARE(received.first().first().toString(), u"binary of 5"_s);
}

void WebSocketTest::messageTooLong_isClosedWith1009()
{
    const auto socket = connectTo(u"/echo"_s);
    QSignalSpy disconnected(socket.get(), &QWebSocket::disconnected);
    socket->setOutgoingFrameSize(kMaxMessage * 2);
    socket->sendTextMessage(QString(int(kMaxMessage) + 1, u'x'));
    QVERIFY(disconnected.wait(10'000));
    QTRY_COMPARE(m_closed.load(), 1);
}

void WebSocketTest::close_afterQueuedText_keepsTheOrder()
{
    QWebSocket socket;
    QSignalSpy received(&socket, &QWebSocket::textMessageReceived);
    QSignalSpy disconnected(&socket, &QWebSocket::disconnected);
    socket.open(QUrl(u"ws://127.0.0.1:%1/bye"_s.arg(m_server->port())));
    QVERIFY(disconnected.wait(10'000));
    QCOMPARE(received.size(), 2);
    QCOMPARE(received.at(0).first().toString(), u"first"_s);
    QCOMPARE(received.at(1).first().toString(), u"second"_s);
    QCOMPARE(int(socket.closeCode()), 4321);
    QCOMPARE(socket.closeReason(), u"enough"_s);
    QTRY_COMPARE(m_closed.load(), 1);
}

void WebSocketTest::close_longReason_isCutBetweenCharacters()
{
    QWebSocket socket;
    QSignalSpy disconnected(&socket, &QWebSocket::disconnected);
    socket.open(QUrl(u"ws://127.0.0.1:%1/long"_s.arg(m_server->port())));
    QVERIFY(disconnected.wait(10'000));
    QCOMPARE(int(socket.closeCode()), 1008);
    QCOMPARE(socket.closeReason(), QString(122, u'x'));
}

void WebSocketTest::clientCloses_isTold()
{
    const auto socket = connectTo(u"/echo"_s);
    QSignalSpy disconnected(socket.get(), &QWebSocket::disconnected);
    socket->close();
    QTRY_COMPARE(disconnected.size(), 1);
    QTRY_COMPARE(m_closed.load(), 1);
}

void WebSocketTest::clientVanishes_isTold()
{
    const auto socket = connectTo(u"/echo"_s);
    socket->abort();
    QTRY_COMPARE(m_closed.load(), 1);
}

void WebSocketTest::silentClient_isCutOff()
{
    QTcpSocket silent;
    silent.connectToHost(QHostAddress(QHostAddress::LocalHost), m_server->port());
    QVERIFY(handshake(silent, "/idle").startsWith("HTTP/1.1 101"));
    // One that answers pings stays.
    const auto lively = connectTo(u"/idle"_s);
    QSignalSpy disconnected(lively.get(), &QWebSocket::disconnected);
    QTRY_COMPARE_WITH_TIMEOUT(silent.state(), QAbstractSocket::UnconnectedState, 20'000);
    QCOMPARE(m_closed.load(), 1);
    QVERIFY(!disconnected.wait(int(kIdle.count()) * 3 / 2));
    QCOMPARE(m_closed.load(), 1);
}

void WebSocketTest::readerThatStops_isCutOffAndHoldsWritersBack()
{
    QTcpSocket reader;
    reader.setReadBufferSize(1024);
    reader.connectToHost(QHostAddress(QHostAddress::LocalHost), m_server->port());
    QVERIFY(handshake(reader, "/flood").startsWith("HTTP/1.1 101"));
    QTRY_COMPARE_WITH_TIMEOUT(m_closed.load(), 1, 20'000);
    QVERIFY(m_pendingBytes <= kMaxMessage + 10'000);
}

void WebSocketTest::upgradeNotTaken_isAnsweredAndConnectionGoesOn()
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_server->port());
    QVERIFY(handshake(socket, "/refuse").startsWith("HTTP/1.1 403"));
    socket.write("GET /refuse HTTP/1.1\r\nHost: x\r\n\r\n");
    QByteArray received;
    QTRY_VERIFY((received += socket.readAll()).contains("HTTP/1.1 200"));
}

void WebSocketTest::plainRequest_isNoUpgrade()
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_server->port());
    socket.write("GET /echo HTTP/1.1\r\nHost: x\r\n\r\n");
    QByteArray received;
    QTRY_VERIFY((received += socket.readAll()).contains("no upgrade"));
    QVERIFY(received.startsWith("HTTP/1.1 400"));
}

QTEST_GUILESS_MAIN(WebSocketTest)
#include "tst_websocket.moc"
