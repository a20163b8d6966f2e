#include "tests/support/rawwebsocket.h"

#include <QCryptographicHash>
#include <QTcpSocket>
#include <QTimer>
#include <QtEndian>

namespace sandfish::test {
namespace {

// RFC 6455 §5.2 and §1.3.
constexpr int kContinuation = 0;
constexpr int kText = 1;
constexpr int kClose = 8;
constexpr int kPing = 9;
constexpr int kPong = 10;
constexpr char kAcceptGuid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

} // namespace

FakeHttpServer::Reply RawWebSocket::accept(
    const FakeHttpServer::Request &request, QObject *parent, std::function<void(RawWebSocket *)> made)
{
    FakeHttpServer::Reply reply;
    const QByteArray key = request.headers.value("sec-websocket-key");
    reply.upgrade = [key, parent, made = std::move(made)](
                        QTcpSocket *socket) { made(new RawWebSocket(socket, key, parent)); };
    return reply;
}

RawWebSocket::RawWebSocket(QTcpSocket *socket, const QByteArray &key, QObject *parent)
    : QObject(parent)
    , m_socket(socket)
{
    socket->setParent(this);
    connect(socket, &QTcpSocket::readyRead, this, &RawWebSocket::read);
    connect(socket, &QTcpSocket::disconnected, this, &RawWebSocket::disconnected);
    const QByteArray accepted =
        QCryptographicHash::hash(QByteArray(key + kAcceptGuid), QCryptographicHash::Sha1).toBase64();
    socket->write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  "Sec-WebSocket-Accept: "
        + accepted + "\r\n\r\n");
}

QByteArray RawWebSocket::frame(int opcode, const QByteArray &payload)
{
    QByteArray bytes(1, static_cast<char>(0x80 | opcode));
    if (payload.size() < 126) {
        bytes += static_cast<char>(payload.size());
    } else if (payload.size() <= 0xffff) {
        bytes += static_cast<char>(126);
        bytes.resize(4);
        qToBigEndian(static_cast<quint16>(payload.size()), bytes.data() + 2);
    } else {
        bytes += static_cast<char>(127);
        bytes.resize(10);
        qToBigEndian(static_cast<quint64>(payload.size()), bytes.data() + 2);
    }
    return bytes + payload;
}

QByteArray RawWebSocket::close(int code, const QByteArray &reason)
{
    if (code == 0)
        return frame(kClose, {});
    QByteArray payload(2, '\0');
    qToBigEndian(static_cast<quint16>(code), payload.data());
    return frame(kClose, payload + reason);
}

void RawWebSocket::send(const QByteArray &bytes, qsizetype pieceBytes)
{
    if (pieceBytes == 0 && m_outgoing.isEmpty()) {
        if (m_socket)
            m_socket->write(bytes);
        return;
    }
    const bool isIdle = m_outgoing.isEmpty();
    m_outgoing += bytes;
    m_pieceBytes = std::max<qsizetype>(1, pieceBytes);
    if (isIdle)
        sendPiece();
}

void RawWebSocket::sendPiece()
{
    if (!m_socket || m_outgoing.isEmpty())
        return;
    m_socket->write(m_outgoing.first(std::min(m_pieceBytes, m_outgoing.size())));
    m_socket->flush();
    m_outgoing.remove(0, m_pieceBytes);
    QTimer::singleShot(0, this, &RawWebSocket::sendPiece);
}

void RawWebSocket::cut()
{
    if (m_socket)
        m_socket->abort();
}

void RawWebSocket::read()
{
    m_incoming += m_socket->readAll();
    while (takeFrame()) { }
}

bool RawWebSocket::takeFrame()
{
    if (m_incoming.size() < 2)
        return false;
    const auto byteAt = [this](qsizetype at) { return static_cast<unsigned char>(m_incoming.at(at)); };
    qsizetype length = byteAt(1) & 0x7f;
    const qsizetype lengthBytes = length == 126 ? 2 : length == 127 ? 8 : 0;
    const qsizetype head = 2 + lengthBytes + 4; // clients always mask
    if (m_incoming.size() < head)
        return false;
    if (lengthBytes > 0) {
        length = 0;
        for (qsizetype i = 0; i < lengthBytes; ++i)
            length = length << 8 | byteAt(2 + i);
    }
    if (m_incoming.size() < head + length)
        return false;
    QByteArray payload = m_incoming.mid(head, length);
    for (qsizetype i = 0; i < length; ++i)
        payload[i] = static_cast<char>(payload.at(i) ^ m_incoming.at(head - 4 + i % 4));
    const int first = byteAt(0);
    m_incoming.remove(0, head + length);
    takePayload(first & 0x0f, payload, (first & 0x80) != 0);
    return true;
}

void RawWebSocket::takePayload(int opcode, const QByteArray &payload, bool isLast)
{
    if (opcode == kPing) {
        ++m_pingCount;
        if (m_answersPings)
            send(frame(kPong, payload));
    }
    if (opcode != kText && opcode != kContinuation)
        return;
    m_message += payload;
    if (!isLast)
        return;
    m_messages.append(std::exchange(m_message, {}));
    emit messageReceived(m_messages.last());
}

} // namespace sandfish::test
