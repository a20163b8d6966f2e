#include "tests/support/fakehttpserver.h"

#include <QPointer>
#include <QTcpSocket>
#include <QTimer>

#include <algorithm>

namespace sandfish::test {

using namespace Qt::StringLiterals;

FakeHttpServer::Reply FakeHttpServer::Reply::json(QByteArray body, int status)
{
    Reply reply;
    reply.status = status;
    reply.body = std::move(body);
    return reply;
}

FakeHttpServer::Reply FakeHttpServer::Reply::stream(QByteArray body)
{
    Reply reply;
    reply.contentType = "application/x-ndjson";
    reply.body = std::move(body);
    reply.isChunked = true;
    return reply;
}

FakeHttpServer::Reply FakeHttpServer::Reply::redirect(const QUrl &to)
{
    Reply reply;
    reply.status = 307;
    reply.headers.emplaceBack("Location", to.toEncoded());
    return reply;
}

FakeHttpServer::Reply FakeHttpServer::Reply::empty(int status)
{
    Reply reply;
    reply.status = status;
    reply.contentType.clear();
    return reply;
}

FakeHttpServer::FakeHttpServer(QObject *parent)
    : QObject(parent)
{
    connect(&m_server, &QTcpServer::newConnection, this, &FakeHttpServer::accept);
    if (m_server.listen(QHostAddress::LocalHost))
        m_port = m_server.serverPort();
}

FakeHttpServer::~FakeHttpServer()
{
    shutDown();
}

QUrl FakeHttpServer::url(const QString &path) const
{
    return QUrl(u"http://127.0.0.1:"_s + QString::number(m_port) + path);
}

void FakeHttpServer::route(const QByteArray &method, const QByteArray &path, Handler handler)
{
    m_routes.append({method, path, std::move(handler)});
}

void FakeHttpServer::route(const QByteArray &method, const QByteArray &path, const Reply &reply)
{
    route(method, path, [reply](const Request &) { return reply; });
}

void FakeHttpServer::setMode(Mode mode, const QByteArray &pathPrefix, int count)
{
    m_mode = mode;
    m_modePrefix = pathPrefix;
    m_modeCount = count;
}

void FakeHttpServer::shutDown()
{
    m_server.close();
    closeConnections();
}

bool FakeHttpServer::reopen()
{
    return m_server.listen(QHostAddress::LocalHost, m_port);
}

void FakeHttpServer::closeConnections()
{
    const auto sockets = m_buffers.keys();
    m_buffers.clear();
    for (QTcpSocket *socket : sockets) {
        socket->disconnect(this);
        socket->abort();
        socket->deleteLater();
    }
}

int FakeHttpServer::requestCount(const QByteArray &method, const QByteArray &pathPrefix) const
{
    return static_cast<int>(std::count_if(m_requests.begin(), m_requests.end(),
        [&](const Request &request) { return request.method == method && request.path.startsWith(pathPrefix); }));
}

void FakeHttpServer::accept()
{
    while (QTcpSocket *socket = m_server.nextPendingConnection()) {
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        m_buffers.insert(socket, {});
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] { readFrom(socket); });
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            m_buffers.remove(socket);
            socket->deleteLater();
            emit connectionClosed();
        });
    }
}

void FakeHttpServer::readFrom(QTcpSocket *socket)
{
    const QPointer<QTcpSocket> guard(socket);
    m_buffers[socket] += socket->readAll();
    Request request;
    while (guard && m_buffers.contains(socket) && takeRequest(m_buffers[socket], request)) {
        m_requests.append(request);
        answer(socket, request);
        emit requestReceived(request.method, request.path);
    }
}

bool FakeHttpServer::takeRequest(QByteArray &buffer, Request &request) const
{
    const qsizetype headEnd = buffer.indexOf("\r\n\r\n");
    if (headEnd < 0)
        return false;
    const QList<QByteArray> lines = buffer.first(headEnd).split('\n');
    const QList<QByteArray> words = lines.first().trimmed().split(' ');
    request = {};
    request.method = words.value(0);
    request.path = words.value(1);
    for (const QByteArray &line : lines.mid(1)) {
        const qsizetype colon = line.indexOf(':');
        request.headers.insert(line.first(std::max<qsizetype>(0, colon)).toLower(), line.mid(colon + 1).trimmed());
    }
    const qsizetype length = request.headers.value("content-length").toLongLong();
    if (buffer.size() < headEnd + 4 + length)
        return false;
    request.body = buffer.mid(headEnd + 4, length);
    buffer.remove(0, headEnd + 4 + length);
    return true;
}

void FakeHttpServer::answer(QTcpSocket *socket, const Request &request)
{
    bool isSilent = false;
    Reply reply = replyFor(request);
    if (modeApplies(request)) {
        if (m_mode == Mode::Hangup) {
            socket->disconnectFromHost();
            return;
        }
        reply = withMode(reply, isSilent);
    }
    if (!isSilent)
        send(socket, reply);
}

FakeHttpServer::Reply FakeHttpServer::replyFor(const Request &request) const
{
    const QByteArray path = request.path.split('?').first();
    for (auto it = m_routes.crbegin(); it != m_routes.crend(); ++it) {
        const bool isPrefix = it->path.endsWith('*');
        const bool matches = isPrefix ? path.startsWith(it->path.chopped(1)) : path == it->path;
        if (matches && it->method == request.method)
            return it->handler(request);
    }
    return Reply::json(R"({"detail":"Not Found"})", 404);
}

bool FakeHttpServer::modeApplies(const Request &request)
{
    if (m_mode == Mode::Normal || m_modeCount == 0 || !request.path.startsWith(m_modePrefix))
        return false;
    if (m_modeCount > 0)
        --m_modeCount;
    return true;
}

FakeHttpServer::Reply FakeHttpServer::withMode(Reply reply, bool &isSilent) const
{
    switch (m_mode) {
    case Mode::CutMidRecord:
        reply.cutAt = reply.body.size() / 2;
        return reply;
    case Mode::SlowDrip:
        reply.pieceBytes = 7;
        reply.dripInterval = std::chrono::milliseconds(1);
        return reply;
    case Mode::Unauthorised:
        return Reply::json(R"({"error":"Invalid API key"})", 401);
    case Mode::RateLimited:
        reply = Reply::json(R"({"error":"Too many sandboxes","code":"SANDBOX_RATE_LIMITED"})", 429);
        reply.headers.emplaceBack("Retry-After", "7");
        return reply;
    case Mode::ServerFault:
        reply = Reply::json("Internal Server Error", 500);
        reply.contentType = "text/plain";
        return reply;
    case Mode::Html:
        reply = Reply::json("<!doctype html><html><body>Sign in to the network</body></html>");
        reply.contentType = "text/html";
        return reply;
    case Mode::Stall:
        isSilent = true;
        return reply;
    case Mode::Normal:
    case Mode::Hangup:
        break;
    }
    return reply;
}

void FakeHttpServer::send(QTcpSocket *socket, const Reply &reply)
{
    if (reply.upgrade) {
        m_buffers.remove(socket);
        socket->disconnect(this);
        reply.upgrade(socket);
        return;
    }
    QByteArray head = "HTTP/1.1 " + QByteArray::number(reply.status) + " Answer\r\n";
    if (!reply.contentType.isEmpty())
        head += "Content-Type: " + reply.contentType + "\r\n";
    for (const auto &[name, value] : reply.headers)
        head += name + ": " + value + "\r\n";
    if (reply.isChunked)
        head += "Transfer-Encoding: chunked\r\n";
    else if (reply.status != 204)
        head += "Content-Length: " + QByteArray::number(reply.body.size()) + "\r\n";
    socket->write(head + "\r\n");
    sendBody(socket, reply);
}

void FakeHttpServer::sendBody(QTcpSocket *socket, const Reply &reply)
{
    if (reply.pieceBytes > 0 && reply.status != 204) {
        drip(socket, reply, 0);
        return;
    }
    Reply whole = reply;
    whole.pieceBytes = std::max<qsizetype>(1, reply.body.size());
    if (reply.status != 204)
        drip(socket, whole, 0);
}

void FakeHttpServer::drip(QTcpSocket *socket, Reply reply, qsizetype offset)
{
    qsizetype end = std::min(reply.body.size(), offset + reply.pieceBytes);
    if (reply.cutAt >= 0)
        end = std::min(end, reply.cutAt);
    if (reply.stallAt >= 0)
        end = std::min(end, reply.stallAt);
    const QByteArray piece = reply.body.mid(offset, end - offset);
    if (reply.isChunked && !piece.isEmpty())
        socket->write(QByteArray::number(piece.size(), 16) + "\r\n" + piece + "\r\n");
    else
        socket->write(piece);
    if (end == reply.stallAt)
        return;
    if (end == reply.cutAt) {
        socket->disconnectFromHost();
        return;
    }
    if (end == reply.body.size()) {
        if (reply.isChunked)
            socket->write("0\r\n\r\n");
        return;
    }
    QTimer::singleShot(reply.dripInterval, socket, [this, socket, reply, end] {
        if (m_buffers.contains(socket))
            drip(socket, reply, end);
    });
}

} // namespace sandfish::test
