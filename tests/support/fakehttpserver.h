#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QMap>
#include <QObject>
#include <QTcpServer>
#include <QUrl>

#include <chrono>
#include <functional>

class QTcpSocket;

namespace sandfish::test {

/// An HTTP/1.1 server in the test's own event loop, on a free loopback port. Answers by table, and knows the ways in
/// which real services fail.
class FakeHttpServer : public QObject
{
    Q_OBJECT
public:
    struct Request
    {
        QByteArray method;
        QByteArray path;                      ///< with the query
        QMap<QByteArray, QByteArray> headers; ///< names in lower case
        QByteArray body;
    };
    struct Reply
    {
        int status = 200;
        QByteArray contentType = "application/json";
        QByteArray body;
        QList<std::pair<QByteArray, QByteArray>> headers;
        bool isChunked = false;
        qsizetype cutAt = -1;     ///< closes the connection after so many bytes of the body
        qsizetype stallAt = -1;   ///< sends so many bytes of the body, then nothing; the connection stays open
        qsizetype pieceBytes = 0; ///< >0: one piece of this size per dripInterval
        std::chrono::milliseconds dripInterval{0};
        /// Takes the connection over, which is no HTTP any more; nothing of the above is sent.
        std::function<void(QTcpSocket *)> upgrade;

        static Reply json(QByteArray body, int status = 200);
        /// A chunked application/x-ndjson answer.
        static Reply stream(QByteArray body);
        static Reply redirect(const QUrl &to);
        static Reply empty(int status); ///< such as 204
    };
    /// What answers instead of the table.
    enum class Mode
    {
        Normal,
        CutMidRecord, ///< the table's answer, cut in the middle of its body
        Stall,        ///< takes the request and never answers
        SlowDrip,     ///< the table's answer in pieces of 7 bytes, one per millisecond
        Unauthorised, ///< 401 {"error":"Invalid API key"}
        RateLimited,  ///< 429 with Retry-After: 7
        ServerFault,  ///< 500 text/plain
        Html,         ///< 200 text/html, as a captive portal or a wrong address answers
        Hangup        ///< closes the connection without an answer
    };
    using Handler = std::function<Reply(const Request &)>;

    explicit FakeHttpServer(QObject *parent = nullptr);
    ~FakeHttpServer() override;

    QUrl url(const QString &path = {}) const;
    quint16 port() const { return m_server.serverPort(); }
    /// \a path without the query; a trailing '*' matches any rest. The last match of the table wins; none gives 404.
    void route(const QByteArray &method, const QByteArray &path, Handler handler);
    void route(const QByteArray &method, const QByteArray &path, const Reply &reply);
    /// \a pathPrefix limits the mode to paths that start with it; \a count to so many requests (-1: all).
    void setMode(Mode mode, const QByteArray &pathPrefix = {}, int count = -1);
    /// Closes every connection and the port; further requests are refused. \ref reopen listens on the same port.
    void shutDown();
    bool reopen();
    void closeConnections();

    const QList<Request> &requests() const { return m_requests; }
    int requestCount(const QByteArray &method, const QByteArray &pathPrefix) const;
    int openConnectionCount() const { return static_cast<int>(m_buffers.size()); }

signals:
    void requestReceived(const QByteArray &method, const QByteArray &path);
    void connectionClosed();

private:
    struct Route
    {
        QByteArray method;
        QByteArray path;
        Handler handler;
    };

    void accept();
    void readFrom(QTcpSocket *socket);
    bool takeRequest(QByteArray &buffer, Request &request) const;
    void answer(QTcpSocket *socket, const Request &request);
    Reply replyFor(const Request &request) const;
    bool modeApplies(const Request &request);
    Reply withMode(Reply reply, bool &isSilent) const;
    void send(QTcpSocket *socket, const Reply &reply);
    void sendBody(QTcpSocket *socket, const Reply &reply);
    void drip(QTcpSocket *socket, Reply reply, qsizetype offset);

    QTcpServer m_server;
    quint16 m_port = 0;
    QList<Route> m_routes;
    QHash<QTcpSocket *, QByteArray> m_buffers;
    QList<Request> m_requests;
    Mode m_mode = Mode::Normal;
    QByteArray m_modePrefix;
    int m_modeCount = -1;
};

} // namespace sandfish::test
