#include "core/net/messagesocket.h"

#include "tests/support/eventloopwatch.h"
#include "tests/support/rawwebsocket.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;
using namespace sandfish::test;
using namespace std::chrono_literals;

/// A client's WebSocket against bytes on loopback (RFC 6455).
class MessageSocketTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void open_handshake_carriesTheHeaders();
    void open_refused_isUnreachable();
    void open_nobodyListens_isUnreachable();
    void open_noAnswer_endsInTime();
    void message_splitAtEveryByte_arrivesWhole();
    void message_sent_arrivesAtThePeer();
    void close_code_isThePeers_data();
    void close_code_isThePeers();
    void close_afterMessages_comesLast();
    void cut_withoutCloseFrame_isConnectionLost();
    void garbage_inPlaceOfAFrame_isNoNormalClose();
    void queue_beyondItsBound_endsTooLargeWithWhatCame();
    void handler_waits_untilItGoesOn();
    void ping_unanswered_isTold();
    void ping_answered_isNotTold();
    void abort_insideTheHandler_isSafe();
    void flood_ofMessages_doesNotBlockTheLoop();

private:
    MessageSocket *open(const QString &path = u"/ws?secret=1"_s);
    RawWebSocket *peer();

    std::unique_ptr<FakeHttpServer> m_server;
    std::unique_ptr<MessageSocket> m_socket;
    RawWebSocket *m_peer = nullptr;
    std::vector<std::string> m_messages;
    std::optional<Result<SocketClose>> m_end;
    int m_endCount = 0;
    MessageSocket::Flow m_flow = MessageSocket::Flow::GoOn;
};

void MessageSocketTest::init()
{
    m_socket.reset();
    m_peer = nullptr;
    m_server = std::make_unique<FakeHttpServer>();
    m_server->route("GET", "/ws", [this](const FakeHttpServer::Request &request) {
        return RawWebSocket::accept(request, m_server.get(), [this](RawWebSocket *socket) { m_peer = socket; });
    });
    m_messages.clear();
    m_end.reset();
    m_endCount = 0;
    m_flow = MessageSocket::Flow::GoOn;
}

MessageSocket *MessageSocketTest::open(const QString &path)
{
    m_socket = std::make_unique<MessageSocket>([this](std::string_view message) {
        m_messages.emplace_back(message);
        return m_flow;
    });
    connect(m_socket.get(), &MessageSocket::finished, this, [this](const Result<SocketClose> &end) {
        ++m_endCount;
        m_end = end;
    });
    HttpCall call;
    call.url = m_server->url(path);
    call.headers = {{"Authorization", "Bearer key"}};
    call.timeout = 300ms;
    m_socket->open(call);
    return m_socket.get();
}

RawWebSocket *MessageSocketTest::peer()
{
    open();
    return QTest::qWaitFor([this] { return m_socket->isOpen(); }) ? m_peer : nullptr;
}

void MessageSocketTest::open_handshake_carriesTheHeaders()
{
    QVERIFY(peer());
    const auto &request = m_server->requests().first();
    QCOMPARE(request.headers.value("authorization"), "Bearer key"_ba);
    QCOMPARE(request.headers.value("upgrade").toLower(), "websocket"_ba);
    QCOMPARE(request.path, "/ws?secret=1"_ba);
}

void MessageSocketTest::open_refused_isUnreachable()
{
    m_server->route("GET", "/ws", FakeHttpServer::Reply::json(R"({"message":"no"})", 401));
    open();
    QTRY_VERIFY(m_end);
    QVERIFY(!*m_end);
    QCOMPARE(m_end->error().kind, Error::Kind::Unreachable);
    QVERIFY(m_end->error().message.find("secret") == std::string::npos);
}

void MessageSocketTest::open_nobodyListens_isUnreachable()
{
    m_server->shutDown();
    open();
    QTRY_VERIFY(m_end);
    QCOMPARE(m_end->error().kind, Error::Kind::Unreachable);
}

void MessageSocketTest::open_noAnswer_endsInTime()
{
    m_server->setMode(FakeHttpServer::Mode::Stall);
    open();
    QTRY_VERIFY(m_end);
    QCOMPARE(m_end->error().kind, Error::Kind::Unreachable);
    QVERIFY(m_end->error().message.find("in time") != std::string::npos);
}

void MessageSocketTest::message_splitAtEveryByte_arrivesWhole()
{
    const QByteArray bytes =
        RawWebSocket::text("é😀") + RawWebSocket::text(QByteArray(300, 'y')) + RawWebSocket::close(4008, "zu spät");
    for (qsizetype piece = 1; piece <= bytes.size(); piece = piece < 8 ? piece + 1 : piece * 2) {
        m_messages.clear();
        m_end.reset();
        RawWebSocket *socket = peer();
        QVERIFY(socket);
        socket->send(bytes, piece);
        QTRY_VERIFY(m_end);
        QVERIFY(*m_end);
        QCOMPARE((*m_end)->code, 4008);
        QCOMPARE((*m_end)->reason, std::string("zu spät"));
        QCOMPARE(m_messages.size(), std::size_t(2));
        QCOMPARE(m_messages[0], std::string("é😀"));
        QCOMPARE(m_messages[1].size(), std::size_t(300));
    }
}

void MessageSocketTest::message_sent_arrivesAtThePeer()
{
    RawWebSocket *socket = peer();
    QVERIFY(socket);
    const std::string text = std::string(3 << 20, 'a') + "é";
    m_socket->send(text);
    QTRY_COMPARE(socket->messages().size(), 1);
    QVERIFY(socket->messages().first().toStdString() == text);
}

void MessageSocketTest::close_code_isThePeers_data()
{
    QTest::addColumn<int>("sent");
    QTest::addColumn<int>("seen");
    QTest::newRow("normal") << 1000 << 1000;
    QTest::newRow("going away") << 1001 << 1001;
    QTest::newRow("protocol error") << 1002 << 1002;
    QTest::newRow("policy") << 1008 << 1008;
    QTest::newRow("internal error") << 1011 << 1011;
    QTest::newRow("private") << 4008 << 4008;
    QTest::newRow("none") << 0 << 1000;
}

void MessageSocketTest::close_code_isThePeers()
{
    QFETCH(int, sent);
    QFETCH(int, seen);
    RawWebSocket *socket = peer();
    QVERIFY(socket);
    socket->send(RawWebSocket::close(sent, sent == 0 ? QByteArray() : "why"_ba));
    QTRY_VERIFY(m_end);
    QVERIFY(*m_end);
    QCOMPARE((*m_end)->code, seen);
    QCOMPARE((*m_end)->reason, std::string(sent == 0 ? "" : "why"));
    QCOMPARE(m_endCount, 1);
}

void MessageSocketTest::close_afterMessages_comesLast()
{
    RawWebSocket *socket = peer();
    QVERIFY(socket);
    QByteArray bytes;
    for (int i = 0; i < 500; ++i)
        bytes += RawWebSocket::text(QByteArray::number(i));
    std::size_t countAtEnd = 0;
    connect(m_socket.get(), &MessageSocket::finished, this, [&] { countAtEnd = m_messages.size(); });
    socket->send(bytes + RawWebSocket::close(1000));
    QTRY_VERIFY(m_end);
    QCOMPARE(countAtEnd, std::size_t(500));
    QCOMPARE(m_messages.back(), std::string("499"));
}

void MessageSocketTest::cut_withoutCloseFrame_isConnectionLost()
{
    RawWebSocket *socket = peer();
    QVERIFY(socket);
    socket->send(RawWebSocket::text("part"));
    QTRY_COMPARE(m_messages.size(), std::size_t(1));
    socket->cut();
    QTRY_VERIFY(m_end);
    QVERIFY(!*m_end);
    QCOMPARE(m_end->error().kind, Error::Kind::ConnectionLost);
}

void MessageSocketTest::garbage_inPlaceOfAFrame_isNoNormalClose()
{
    RawWebSocket *socket = peer();
    QVERIFY(socket);
    socket->send("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    QTRY_VERIFY(m_end);
    QVERIFY(!*m_end || (*m_end)->code != 1000);
}

void MessageSocketTest::queue_beyondItsBound_endsTooLargeWithWhatCame()
{
    RawWebSocket *socket = peer();
    QVERIFY(socket);
    m_socket->setMaxPendingBytes(10000);
    m_flow = MessageSocket::Flow::Wait;
    for (int i = 0; i < 20; ++i)
        socket->send(RawWebSocket::text(QByteArray(1000, 'x')));
    bool isClosed = false;
    connect(socket, &RawWebSocket::disconnected, this, [&] { isClosed = true; });
    QTRY_VERIFY(isClosed);
    QVERIFY(!m_end);
    m_flow = MessageSocket::Flow::GoOn;
    m_socket->proceed();
    QTRY_VERIFY(m_end);
    QCOMPARE(m_end->error().kind, Error::Kind::TooLarge);
    QVERIFY(m_messages.size() >= 10);
}

void MessageSocketTest::handler_waits_untilItGoesOn()
{
    RawWebSocket *socket = peer();
    QVERIFY(socket);
    m_flow = MessageSocket::Flow::Wait;
    socket->send(RawWebSocket::text("1") + RawWebSocket::text("2") + RawWebSocket::close(1000));
    QTRY_COMPARE(m_messages.size(), std::size_t(1));
    QTest::qWait(50);
    QCOMPARE(m_messages.size(), std::size_t(1));
    QVERIFY(!m_end);
    m_flow = MessageSocket::Flow::GoOn;
    m_socket->proceed();
    QTRY_VERIFY(m_end);
    QCOMPARE(m_messages.size(), std::size_t(2));
}

void MessageSocketTest::ping_unanswered_isTold()
{
    open()->setPingInterval(20ms);
    int count = 0;
    connect(m_socket.get(), &MessageSocket::unanswered, this, [&] { ++count; });
    QTRY_VERIFY(m_socket->isOpen());
    m_peer->setAnswersPings(false);
    QTRY_VERIFY(count > 1);
    QVERIFY(!m_end);
}

void MessageSocketTest::ping_answered_isNotTold()
{
    open()->setPingInterval(50ms);
    int count = 0;
    connect(m_socket.get(), &MessageSocket::unanswered, this, [&] { ++count; });
    QTRY_VERIFY(m_socket->isOpen());
    QTRY_VERIFY(m_peer->pingCount() > 8);
    QCOMPARE(count, 0);
}

void MessageSocketTest::abort_insideTheHandler_isSafe()
{
    bool isGone = false;
    m_socket = std::make_unique<MessageSocket>([](std::string_view) { return MessageSocket::Flow::GoOn; });
    connect(m_socket.get(), &MessageSocket::turnEnded, this, [&] {
        m_socket.reset();
        isGone = true;
    });
    HttpCall call;
    call.url = m_server->url(u"/ws"_s);
    m_socket->open(call);
    QTRY_VERIFY(m_peer && m_socket->isOpen());
    m_peer->send(RawWebSocket::text("1") + RawWebSocket::text("2") + RawWebSocket::close(1000));
    QTRY_VERIFY(isGone);
    QTest::qWait(10);
    QVERIFY(!m_end);
}

void MessageSocketTest::flood_ofMessages_doesNotBlockTheLoop()
{
    RawWebSocket *socket = peer();
    QVERIFY(socket);
    const QByteArray message = RawWebSocket::text(QByteArray(1000, 'x'));
    QByteArray bytes;
    for (int i = 0; i < 20000; ++i)
        bytes += message;
    EventLoopWatch watch;
    socket->send(bytes, 64 << 10);
    QTRY_COMPARE_WITH_TIMEOUT(m_messages.size(), std::size_t(20000), 60000);
    QVERIFY2(!watch.wasBlocked(), watch.report());
}

QTEST_GUILESS_MAIN(MessageSocketTest)
#include "tst_messagesocket.moc"
