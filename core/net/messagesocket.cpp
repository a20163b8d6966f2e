#include "core/net/messagesocket.h"

#include "core/net/httperror.h"
#include "core/net/weburl.h"
#include "core/support/logging.h"

#include <QCoreApplication>
#include <QNetworkProxy>
#include <QNetworkRequest>
#include <QPointer>
#include <QWebSocket>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

constexpr int kPingsUnanswered = 3;

std::string socketText(const char *text, const QUrl &url)
{
    return QCoreApplication::translate("sandfish::MessageSocket", text).arg(hostOf(url)).toStdString();
}

QNetworkProxy proxyFor(const QUrl &url)
{
    if (isLoopbackHost(url.host()))
        return QNetworkProxy(QNetworkProxy::NoProxy);
    return QNetworkProxyFactory::systemProxyForQuery(QNetworkProxyQuery(url)).value(0);
}

QUrl withSocketScheme(QUrl url)
{
    url.setScheme(url.scheme() == "http"_L1 ? u"ws"_s : u"wss"_s);
    return url;
}

} // namespace

MessageSocket::MessageSocket(MessageHandler handler, QObject *parent)
    : QObject(parent)
    , m_handler(std::move(handler))
    , m_drain([this] { return step(); })
{
    connect(&m_drain, &Drain::turnEnded, this, &MessageSocket::endTurn);
    m_openTimer.setSingleShot(true);
    connect(&m_openTimer, &QTimer::timeout, this, [this] {
        settle(Error{Error::Kind::Unreachable,
            socketText(QT_TRANSLATE_NOOP(
                           "sandfish::MessageSocket", "Cannot reach %1 in time. Check the address and the network."),
                m_url),
            {}});
    });
    m_ping.setInterval(20s);
    connect(&m_ping, &QTimer::timeout, this, &MessageSocket::ping);
}

MessageSocket::~MessageSocket()
{
    dropSocket();
}

void MessageSocket::open(const HttpCall &call)
{
    m_url = call.url;
    QNetworkRequest request(withSocketScheme(call.url));
    for (const auto &[name, value] : call.headers)
        request.setRawHeader(name, value);
    m_socket = std::make_unique<QWebSocket>();
    m_socket->setProxy(proxyFor(call.url));
    m_socket->setMaxAllowedIncomingFrameSize(kMaxMessageBytes);
    m_socket->setMaxAllowedIncomingMessageSize(kMaxMessageBytes);
    connectSocket();
    m_openTimer.start(call.timeout);
    m_socket->open(request);
}

void MessageSocket::connectSocket()
{
    QWebSocket *socket = m_socket.get();
    connect(socket, &QWebSocket::connected, this, [this] {
        m_isOpen = true;
        m_openTimer.stop();
        m_sinceHeard.start();
        m_ping.start();
        qCDebug(lcNet).noquote() << "socket" << loggable(m_url) << "open";
        emit opened();
    });
    connect(socket, &QWebSocket::textMessageReceived, this, [this](const QString &text) { enqueue(text.toUtf8()); });
    connect(socket, &QWebSocket::binaryMessageReceived, this, &MessageSocket::enqueue);
    connect(socket, &QWebSocket::pong, this, [this] { m_sinceHeard.start(); });
    // Qt reports the code 1000 also where no close frame came, so what counts is that closing began.
    connect(socket, &QWebSocket::aboutToClose, this, &MessageSocket::noteClose);
    connect(socket, &QWebSocket::disconnected, this, &MessageSocket::settleDisconnect);
    // A refused handshake leaves the connection open.
    const auto failed = [this] {
        if (!m_isOpen)
            settle(openError());
    };
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    connect(socket, &QWebSocket::errorOccurred, this, failed);
#else
    connect(socket, qOverload<QAbstractSocket::SocketError>(&QWebSocket::error), this, failed);
#endif
}

void MessageSocket::send(std::string_view text)
{
    if (m_socket && m_isOpen)
        m_socket->sendTextMessage(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
}

void MessageSocket::proceed()
{
    m_isWaiting = false;
    m_drain.request();
}

void MessageSocket::abort()
{
    m_isFinished = true;
    m_drain.stop();
    m_queue.clear();
    m_pendingBytes = 0;
    dropSocket();
}

void MessageSocket::enqueue(QByteArray message)
{
    m_sinceHeard.start();
    if (m_end)
        return;
    m_pendingBytes += static_cast<std::size_t>(message.size());
    m_queue.push_back(std::move(message));
    m_drain.request();
    if (m_pendingBytes > m_maxPendingBytes)
        settle(Error{Error::Kind::TooLarge,
            socketText(QT_TRANSLATE_NOOP("sandfish::MessageSocket",
                           "%1 sent more at once than can be taken. Print less, or write to a file."),
                m_url),
            {}});
}

void MessageSocket::noteClose()
{
    if (!m_close && m_isOpen)
        m_close = SocketClose{m_socket->closeCode(), m_socket->closeReason().toStdString()};
}

void MessageSocket::settleDisconnect()
{
    if (m_end)
        return;
    if (m_close)
        settle(*m_close);
    else if (!m_isOpen)
        settle(openError());
    else
        settle(Error{Error::Kind::ConnectionLost,
            socketText(QT_TRANSLATE_NOOP("sandfish::MessageSocket", "The connection to %1 was lost."), m_url),
            redacted(m_socket->errorString().toStdString())});
}

// What was received before is still handed out.
void MessageSocket::settle(Result<SocketClose> result)
{
    if (m_end)
        return;
    m_end = std::move(result);
    dropSocket();
    m_drain.request();
}

Error MessageSocket::openError() const
{
    const bool isTls = m_socket->error() == QAbstractSocket::SslHandshakeFailedError;
    const char *text = isTls
        ? QT_TRANSLATE_NOOP("sandfish::MessageSocket", "The certificate of %1 is not trusted.")
        : QT_TRANSLATE_NOOP("sandfish::MessageSocket", "Cannot reach %1. Check the address and the network.");
    return Error{isTls ? Error::Kind::TlsError : Error::Kind::Unreachable, socketText(text, m_url),
        redacted(m_socket->errorString().toStdString())};
}

void MessageSocket::ping()
{
    const bool isSilent = m_sinceHeard.hasExpired(kPingsUnanswered * m_ping.interval());
    m_socket->ping();
    if (isSilent)
        emit unanswered();
}

Drain::Step MessageSocket::step()
{
    if (m_isWaiting || m_queue.empty())
        return Drain::Step::Idle;
    const QByteArray message = std::move(m_queue.front());
    m_queue.pop_front();
    m_pendingBytes -= static_cast<std::size_t>(message.size());
    m_hasMessages = true;
    m_isWaiting = m_handler({message.constData(), static_cast<std::size_t>(message.size())}) == Flow::Wait;
    return Drain::Step::More;
}

void MessageSocket::endTurn()
{
    const QPointer<MessageSocket> guard(this); // the reader may delete it
    if (std::exchange(m_hasMessages, false))
        emit turnEnded();
    if (!guard || !m_end || m_isFinished || m_isWaiting || !m_queue.empty())
        return;
    m_isFinished = true;
    const Result<SocketClose> result = *m_end; // the reader may delete this object
    emit finished(result);
}

// The socket may be in one of its own signals.
void MessageSocket::dropSocket()
{
    m_openTimer.stop();
    m_ping.stop();
    if (!m_socket)
        return;
    m_socket->disconnect(this);
    m_socket->abort();
    m_socket.release()->deleteLater();
}

} // namespace sandfish
