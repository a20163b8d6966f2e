#include "core/engine/eventloop.h"
#include "core/engine/httpserver.h"

#include <QSignalSpy>
#include <QTcpSocket>
#include <QTest>

#include <atomic>
#include <thread>

using namespace sandfish;

namespace {
constexpr std::size_t kMaxConnections = 8;
}

/// The server of the daemon, driven byte by byte over real sockets.
class HttpServerTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void request_twoOnOneConnection_bothAreAnswered();
    void request_pathAndQuery_areDecoded();
    void request_overBodyLimit_is413();
    void request_garbage_is400AndServerLives();
    void request_expectContinue_isInvited();
    void stream_chunks_areChunkedAndKeepAlive();
    void stream_peerGone_isNoticedWhileIdle();
    void request_whileAnotherIsAnswered_waitsItsTurn();
    void request_threeAtOnce_firstHeld_areAllAnswered();
    void handler_dropsReply_is500();
    void listen_portInUse_saysSo();
    void connections_atTheLimit_oldestIdleOneMakesRoom();
    void connections_atTheLimit_busyOneStays();
    void connection_withoutRequest_isClosedInTime();

private:
    using Sockets = std::vector<std::unique_ptr<QTcpSocket>>;
    Sockets connectIdle(std::size_t count, std::uint16_t port);
    void serve(const HttpRequest &request, const std::shared_ptr<HttpReply> &reply);
    QByteArray exchange(const QByteArray &bytes, const QByteArray &until);

    std::unique_ptr<EventLoop> m_loop;
    std::unique_ptr<HttpServer> m_server;
    std::thread m_thread;
    std::shared_ptr<HttpReply> m_held;
    std::atomic<int> m_disconnects{0};
    std::atomic<int> m_holds{0};
};

void HttpServerTest::init()
{
    m_disconnects = 0;
    m_holds = 0;
    m_loop = EventLoop::make();
    HttpServer::Options options;
    options.maxBodyBytes = 1000;
    options.maxConnections = kMaxConnections;
    auto server = HttpServer::listen(
        *m_loop, options, [this](const HttpRequest &request, const auto &reply) { serve(request, reply); });
    QVERIFY(server);
    m_server = server.take();
    m_thread = std::thread([this] { m_loop->run(); });
}

void HttpServerTest::cleanup()
{
    m_loop->stop();
    m_thread.join();
    m_held.reset();
    m_server.reset();
    m_loop.reset();
}

void HttpServerTest::serve(const HttpRequest &request, const std::shared_ptr<HttpReply> &reply)
{
    if (request.path == "/forget")
        return;
    if (request.path == "/hold") {
        m_held = reply;
        reply->setDisconnected([this] { ++m_disconnects; });
        ++m_holds;
        return;
    }
    if (request.path == "/stream") {
        reply->beginStream(200, "application/x-ndjson");
        reply->write("one\n");
        m_loop->startTimer(std::chrono::milliseconds(5), [reply] {
            reply->write("two\n");
            reply->end();
        });
        return;
    }
    const auto q = request.query.find("q");
    reply->send(
        200, "text/plain", request.path + "|" + (q == request.query.end() ? "" : q->second) + "|" + request.body);
}

QByteArray HttpServerTest::exchange(const QByteArray &bytes, const QByteArray &until)
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_server->port());
    socket.write(bytes);
    QByteArray received;
    [&] { QTRY_VERIFY((received += socket.readAll()).contains(until)); }();
    return received;
}

void HttpServerTest::request_twoOnOneConnection_bothAreAnswered()
{
    const QByteArray answer = exchange("GET /a HTTP/1.1\r\nHost: x\r\n\r\nPOST /b HTTP/1.1\r\nHost: x\r\n"
                                       "Content-Length: 2\r\n\r\nhi",
        "/b||hi");
    QVERIFY(answer.contains("/a||"));
    QCOMPARE(answer.count("HTTP/1.1 200 OK"), 2);
    QVERIFY(!answer.contains("Access-Control"));
}

void HttpServerTest::request_pathAndQuery_areDecoded()
{
    const QByteArray answer = exchange("GET /a%20b%C3%A9?q=x+y%26z HTTP/1.1\r\nHost: x\r\n\r\n", "|");
    QVERIFY2(answer.contains("/a b\xC3\xA9|x y&z|"), answer.constData());
}

void HttpServerTest::request_overBodyLimit_is413()
{
    const QByteArray answer = exchange("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n", "\r\n\r\n");
    QVERIFY2(answer.startsWith("HTTP/1.1 413"), answer.constData());
}

void HttpServerTest::request_garbage_is400AndServerLives()
{
    QVERIFY(exchange("\x16\x03\x01 nonsense\r\n\r\n", "\r\n\r\n").startsWith("HTTP/1.1 400"));
    QVERIFY(exchange("GET /a HTTP/1.1\r\nHost: x\r\n\r\n", "/a||").startsWith("HTTP/1.1 200"));
}

void HttpServerTest::request_expectContinue_isInvited()
{
    const QByteArray answer = exchange("POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                                       "Content-Length: 2\r\n\r\nhi",
        "/a||hi");
    QVERIFY(answer.startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"));
}

void HttpServerTest::stream_chunks_areChunkedAndKeepAlive()
{
    const QByteArray answer =
        exchange("GET /stream HTTP/1.1\r\nHost: x\r\n\r\nGET /after HTTP/1.1\r\nHost: x\r\n\r\n", "/after");
    QVERIFY(answer.contains("Transfer-Encoding: chunked"));
    QVERIFY2(answer.contains("\r\n\r\n4\r\none\n\r\n4\r\ntwo\n\r\n0\r\n\r\nHTTP/1.1 200 OK"), answer.constData());
}

void HttpServerTest::stream_peerGone_isNoticedWhileIdle()
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_server->port());
    socket.write("GET /hold HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE(socket.bytesToWrite(), 0);
    socket.disconnectFromHost();
    QTRY_COMPARE(m_disconnects.load(), 1);
}

void HttpServerTest::request_whileAnotherIsAnswered_waitsItsTurn()
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_server->port());
    socket.write("GET /hold HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE(m_holds.load(), 1);
    socket.write("GET /after HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE(socket.bytesToWrite(), 0);
    m_loop->post([this] { m_held->send(200, "text/plain", "held"); });
    QByteArray received;
    QTRY_VERIFY((received += socket.readAll()).contains("/after||"));
    QVERIFY(received.indexOf("held") < received.indexOf("/after"));
    QCOMPARE(m_disconnects.load(), 0);
}

void HttpServerTest::request_threeAtOnce_firstHeld_areAllAnswered()
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress(QHostAddress::LocalHost), m_server->port());
    socket.write("GET /hold HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n"
                 "GET /c HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE(m_holds.load(), 1);
    m_loop->post([this] { m_held->send(200, "text/plain", "held"); });
    QByteArray received;
    QTRY_VERIFY((received += socket.readAll()).contains("/c||"));
    QCOMPARE(received.count("HTTP/1.1 200 OK"), 3);
}

void HttpServerTest::handler_dropsReply_is500()
{
    QVERIFY(exchange("GET /forget HTTP/1.1\r\nHost: x\r\n\r\n", "\r\n\r\n").startsWith("HTTP/1.1 500"));
}

void HttpServerTest::listen_portInUse_saysSo()
{
    HttpServer::Options options;
    options.port = m_server->port();
    const auto loop = EventLoop::make();
    const auto second = HttpServer::listen(*loop, options, [](const HttpRequest &, const auto &) {});
    QVERIFY(!second);
    QVERIFY(second.error().message.find(std::to_string(options.port)) != std::string::npos);
}

HttpServerTest::Sockets HttpServerTest::connectIdle(std::size_t count, std::uint16_t port)
{
    Sockets sockets;
    for (std::size_t i = 0; i < count; ++i) {
        sockets.push_back(std::make_unique<QTcpSocket>());
        sockets.back()->connectToHost(QHostAddress(QHostAddress::LocalHost), port);
        [&] { QTRY_COMPARE(sockets.back()->state(), QAbstractSocket::ConnectedState); }();
    }
    return sockets;
}

void HttpServerTest::connections_atTheLimit_oldestIdleOneMakesRoom()
{
    const Sockets idle = connectIdle(kMaxConnections, m_server->port());
    QVERIFY(exchange("GET /a HTTP/1.1\r\nHost: x\r\n\r\n", "/a||").startsWith("HTTP/1.1 200"));
    QTRY_COMPARE(idle.front()->state(), QAbstractSocket::UnconnectedState);
    QCOMPARE(idle.back()->state(), QAbstractSocket::ConnectedState);
}

void HttpServerTest::connections_atTheLimit_busyOneStays()
{
    QTcpSocket busy;
    busy.connectToHost(QHostAddress(QHostAddress::LocalHost), m_server->port());
    busy.write("GET /hold HTTP/1.1\r\nHost: x\r\n\r\n");
    QTRY_COMPARE(m_holds.load(), 1);
    const Sockets idle = connectIdle(2 * kMaxConnections, m_server->port());
    m_loop->post([this] { m_held->send(200, "text/plain", "held"); });
    QByteArray received;
    QTRY_VERIFY((received += busy.readAll()).contains("held"));
}

void HttpServerTest::connection_withoutRequest_isClosedInTime()
{
    HttpServer::Options options;
    options.firstRequestLimit = std::chrono::milliseconds(200);
    const auto loop = EventLoop::make();
    const auto server = HttpServer::listen(*loop, options, [](const HttpRequest &, const auto &) {});
    QVERIFY(server);
    std::thread thread([&] { loop->run(); });
    const Sockets sockets = connectIdle(1, (*server)->port());
    sockets.front()->write("GET /a HTTP/1.1\r\n");
    const bool isClosed =
        QTest::qWaitFor([&] { return sockets.front()->state() == QAbstractSocket::UnconnectedState; }, 5000);
    loop->stop();
    thread.join();
    QVERIFY(isClosed);
}

QTEST_GUILESS_MAIN(HttpServerTest)
#include "tst_httpserver.moc"
