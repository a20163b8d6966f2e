#pragma once

#include "core/base/result.h"
#include "core/engine/eventloop.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sandfish {

struct HttpRequest
{
    std::string method; ///< upper case
    std::string path;   ///< percent-decoded, without the query, starts with '/'
    std::map<std::string, std::string> query;
    std::string queryText;                      ///< the same as it came, for names that come more than once
    std::map<std::string, std::string> headers; ///< names in lower case
    std::string body;
    bool isTls = false;
    bool wantsWebSocket = false; ///< asks for an upgrade, see HttpReply::upgrade()

    std::string header(std::string_view lowerCaseName) const;
};

/// The server's end of one WebSocket, which lives until it is gone; call-backs that hold it would hold it for ever.
/// Pings are answered, and a peer that stays silent to ours is cut off. Thread: the loop's. Calls after the end, or
/// after the peer has gone, are ignored.
class WebSocket
{
public:
    struct Options
    {
        std::string subprotocol;                      ///< the offered one that is taken; empty: none
        std::size_t maxMessageBytes = 64u << 10;      ///< of the peer's; a longer one closes with 1009
        std::chrono::milliseconds idleLimit{120'000}; ///< without a sign of life, also when the peer stops reading
    };

    virtual ~WebSocket() = default;
    /// Queues one text message; UTF-8. Bounded by the caller through pendingBytes().
    virtual void sendText(std::string message) = 0;
    virtual std::size_t pendingBytes() const = 0;
    /// Ends it after what is queued. \a reason is cut to what a close frame holds, 123 bytes. The other end has 10 s.
    virtual void close(std::uint16_t code, std::string_view reason) = 0;
    /// Called with each message of the peer. Set the three before the first turn of the loop ends.
    virtual void setReceived(std::function<void(std::string message, bool isText)> received) = 0;
    /// Called each time the queue has become empty.
    virtual void setDrained(std::function<void()> drained) = 0;
    /// Called once when the socket is gone, whoever has ended it; lets go of all three call-backs.
    virtual void setClosed(std::function<void()> closed) = 0;
};

/// The answer to one request. Thread: the loop's. Calls after the end, or after the peer has gone, are ignored.
class HttpReply
{
public:
    virtual ~HttpReply() = default;
    /// The whole answer at once. An empty \a contentType sends none.
    virtual void send(int status, std::string_view contentType, std::string body) = 0;
    /// A chunked answer: headers now, then write(), then end().
    virtual void beginStream(int status, std::string_view contentType) = 0;
    /// One chunk; queued writes go out together. Bounded by the caller through pendingBytes().
    virtual void write(std::string bytes) = 0;
    virtual std::size_t pendingBytes() const = 0;
    /// Called each time the queue has become empty.
    virtual void setDrained(std::function<void()> drained) = 0;
    virtual void end() = 0;
    /// Called once when the peer goes away before the end; never after end().
    virtual void setDisconnected(std::function<void()> disconnected) = 0;
    virtual bool isOpen() const = 0;
    /// Accepts an upgrade in place of an answer; what is sent at once leaves after the handshake. Null where the
    /// request does not want one, or has been answered.
    virtual std::shared_ptr<WebSocket> upgrade(const WebSocket::Options &options) = 0;
};

/// HTTP/1.1 on loopback, keep-alive, TCP_NODELAY, no compression, no CORS. The only user of Boost.
class HttpServer
{
public:
    struct Options
    {
        std::uint16_t port = 0;                 ///< 0: any free one
        std::size_t maxBodyBytes = 64u << 20;   ///< more is answered by 413
        std::size_t maxHeaderBytes = 64u << 10; ///< more is answered by 431
        /// At the limit, the connection that waits longest for a request is closed for the new one; of those that
        /// have not made one yet first. Where none waits, the new one is closed.
        std::size_t maxConnections = 1024;
        std::chrono::milliseconds firstRequestLimit{10'000}; ///< from the connection to the end of its first request
        std::string tlsCertificatePem;                       ///< both empty: plain HTTP
        std::string tlsKeyPem;
    };
    using Handler = std::function<void(HttpRequest, std::shared_ptr<HttpReply>)>;

    /// Binds 127.0.0.1. Error::Kind::Io names the port when it is in use.
    static Result<std::unique_ptr<HttpServer>> listen(EventLoop &loop, const Options &options, Handler handler);
    virtual ~HttpServer() = default;
    virtual std::uint16_t port() const = 0;
};

} // namespace sandfish
