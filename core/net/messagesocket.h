#pragma once

#include "core/base/result.h"
#include "core/net/drain.h"
#include "core/net/httpcall.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

class QWebSocket;

namespace sandfish {

/// A WebSocket that the peer has closed in good order: by a close frame.
struct SocketClose
{
    int code = 0;       ///< RFC 6455 §7.4; 1000 also if the frame had none, which Qt does not tell apart
    std::string reason; ///< UTF-8, in the peer's words
};

/// One WebSocket of messages, opened once and never again. Thread: the owner's.
///
/// A call in order: open() → opened() → the message handler, for at most 4 ms a turn, each turn followed by
/// turnEnded() → finished(). A WebSocket cannot hold its peer back here (a limit of Qt's read buffer stops it for
/// good), so messages wait in a queue; beyond its bound the socket is closed and finished() tells of it.
class MessageSocket : public QObject
{
    Q_OBJECT
public:
    enum class Flow
    {
        GoOn,
        Wait ///< no more messages until proceed()
    };
    using MessageHandler = std::function<Flow(std::string_view message)>;
    static constexpr std::size_t kMaxPendingBytes = 256u << 20;
    static constexpr std::size_t kMaxMessageBytes = 16u << 20;

    explicit MessageSocket(MessageHandler handler, QObject *parent = nullptr);
    ~MessageSocket() override;

    /// How often the peer is asked for a sign of life; see unanswered().
    void setPingInterval(std::chrono::milliseconds interval) { m_ping.setInterval(interval); }
    void setMaxPendingBytes(std::size_t bytes) { m_maxPendingBytes = bytes; }

    /// Call it once. Of \a call its address, with the scheme http or https, its headers and its timeout count; the
    /// latter bounds the time until opened(). No redirect is followed.
    void open(const HttpCall &call);
    void send(std::string_view text);
    void proceed();
    /// Drops the connection; finished() does not come any more.
    void abort();
    bool isOpen() const { return m_isOpen; }

signals:
    void opened();
    void turnEnded(); ///< after a turn that handed out messages
    /// At each ping while three or more have got no answer: the peer may be gone, or busy.
    void unanswered();
    /// Once, after the last message was handed out. An error if there was no close frame: the connection was not made
    /// (Unreachable, TlsError), it broke off (ConnectionLost), or a bound was passed (TooLarge).
    void finished(const sandfish::Result<sandfish::SocketClose> &result);

private:
    void connectSocket();
    void enqueue(QByteArray message);
    void noteClose();
    void settleDisconnect();
    void settle(Result<SocketClose> result);
    Error openError() const;
    void ping();
    Drain::Step step();
    void endTurn();
    void dropSocket();

    MessageHandler m_handler;
    Drain m_drain;
    std::unique_ptr<QWebSocket> m_socket;
    std::deque<QByteArray> m_queue;
    std::size_t m_pendingBytes = 0;
    std::size_t m_maxPendingBytes = kMaxPendingBytes;
    QUrl m_url;
    QTimer m_openTimer;
    QTimer m_ping;
    QElapsedTimer m_sinceHeard;
    std::optional<SocketClose> m_close;
    std::optional<Result<SocketClose>> m_end;
    bool m_isOpen = false;
    bool m_hasMessages = false;
    bool m_isWaiting = false;
    bool m_isFinished = false;
};

} // namespace sandfish
