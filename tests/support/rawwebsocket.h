#pragma once

#include "tests/support/fakehttpserver.h"

#include <QPointer>

class QTcpSocket;

namespace sandfish::test {

/// The server's end of a WebSocket, made of bytes: what is sent may be split anywhere, cut, or no frame at all.
class RawWebSocket : public QObject
{
    Q_OBJECT
public:
    /// The answer to a request that wants to upgrade; \a made gets the socket, which belongs to \a parent.
    static FakeHttpServer::Reply accept(
        const FakeHttpServer::Request &request, QObject *parent, std::function<void(RawWebSocket *)> made);

    static QByteArray frame(int opcode, const QByteArray &payload);
    static QByteArray text(const QByteArray &payload) { return frame(1, payload); }
    /// A \a code of 0 gives a close frame without one.
    static QByteArray close(int code, const QByteArray &reason = {});

    /// In pieces of \a pieceBytes, one per loop turn; 0: at once.
    void send(const QByteArray &bytes, qsizetype pieceBytes = 0);
    /// Ends the connection as a lost network does: no close frame.
    void cut();
    void setAnswersPings(bool answers) { m_answersPings = answers; }
    const QList<QByteArray> &messages() const { return m_messages; }
    int pingCount() const { return m_pingCount; }

signals:
    void messageReceived(const QByteArray &message);
    void disconnected();

private:
    RawWebSocket(QTcpSocket *socket, const QByteArray &key, QObject *parent);
    void read();
    bool takeFrame();
    void takePayload(int opcode, const QByteArray &payload, bool isLast);
    void sendPiece();

    QPointer<QTcpSocket> m_socket;
    QByteArray m_incoming;
    QByteArray m_outgoing;
    QByteArray m_message;
    QList<QByteArray> m_messages;
    qsizetype m_pieceBytes = 0;
    int m_pingCount = 0;
    bool m_answersPings = true;
};

} // namespace sandfish::test
