#pragma once

#include "core/engine/httpserver.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>
#include <list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace sandfish {

HttpRequest toHttpRequest(boost::beast::http::request<boost::beast::http::string_body> &&message, bool isTls);
std::string responseHead(
    int status, std::string_view contentType, std::optional<std::size_t> length, bool keepsAlive, bool isChunked);

/// What one reply and the connection both know of it; outlives either.
struct ReplyChannel
{
    enum class State
    {
        Fresh,
        Streaming,
        Ended
    };
    State state = State::Fresh;
    std::function<void()> drained;
    std::function<void()> disconnected;
};

/// The part of a connection that a reply needs, free of the stream's type.
class ReplySink
{
public:
    virtual ~ReplySink() = default;
    virtual void sendWhole(int status, std::string_view contentType, std::string body) = 0;
    virtual void beginStream(int status, std::string_view contentType) = 0;
    virtual void writeChunk(std::string_view bytes) = 0;
    virtual void endStream() = 0;
    virtual std::size_t pendingBytes() const = 0;
    virtual bool hasMadeRequest() const = 0;
    virtual void close() = 0;
    virtual std::shared_ptr<WebSocket> upgrade(const WebSocket::Options &options) = 0;
};

/// What the server shares with its connections.
struct ServerState
{
    HttpServer::Options options;
    HttpServer::Handler handler;
    std::size_t connections = 0;
    std::list<ReplySink *> waiting; ///< for a request or for its rest, longest first

    /// Closes one that waits, so that another may come; false if none does.
    bool makeRoom();
};

inline bool ServerState::makeRoom()
{
    const auto fresh = std::find_if(
        waiting.begin(), waiting.end(), [](const ReplySink *connection) { return !connection->hasMadeRequest(); });
    const auto chosen = fresh == waiting.end() ? waiting.begin() : fresh;
    if (chosen == waiting.end())
        return false;
    (*chosen)->close();
    return true;
}

/// One client: reads a request, has it answered, reads the next. Everything runs on the loop's thread.
template <typename Stream>
class AsioConnection final : public ReplySink, public std::enable_shared_from_this<AsioConnection<Stream>>
{
public:
    AsioConnection(Stream stream, std::shared_ptr<ServerState> server)
        : m_stream(std::move(stream))
        , m_timer(m_stream.get_executor())
        , m_server(std::move(server))
    {
        ++m_server->connections;
        beginWaiting();
    }
    ~AsioConnection() override
    {
        endWaiting();
        --m_server->connections;
    }

    void start();

    void sendWhole(int status, std::string_view contentType, std::string body) override;
    void beginStream(int status, std::string_view contentType) override;
    void writeChunk(std::string_view bytes) override;
    void endStream() override;
    std::size_t pendingBytes() const override { return m_queue.size() + m_writing.size(); }
    bool hasMadeRequest() const override { return m_requestNumber > 0; }
    void close() override;
    std::shared_ptr<WebSocket> upgrade(const WebSocket::Options &options) override;

private:
    enum class Phase
    {
        Reading,
        Answering,
        Streaming,
        Ending,
        Closed
    };
    using ErrorCode = boost::system::error_code;
    using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

    static constexpr bool kIsTls = std::is_same_v<Stream, boost::asio::ssl::stream<boost::asio::ip::tcp::socket>>;
    static constexpr std::chrono::seconds kIdleLimit{300}; // between requests
    static constexpr std::chrono::seconds kReadLimit{60};  // from the first byte of a later request on
    static constexpr std::size_t kReadAheadBytes = 1024;

    std::shared_ptr<AsioConnection> self() { return this->shared_from_this(); }

    void readHead();
    void readBody();
    void answer();
    void refuse(const ErrorCode &error);
    void readAhead();
    void limitTime(std::chrono::milliseconds limit);
    // The first request has its limit as a whole, from start() on: whoever comes has yet to show a key.
    void limitReading(std::chrono::milliseconds limit)
    {
        if (hasMadeRequest())
            limitTime(limit);
    }
    void liftTimeLimit();
    void scheduleFlush();
    void flush();
    void written(const ErrorCode &error);
    void finishRequest();
    void beginWaiting() { m_place = m_server->waiting.insert(m_server->waiting.end(), this); }
    void endWaiting()
    {
        if (const auto place = std::exchange(m_place, std::nullopt))
            m_server->waiting.erase(*place);
    }

    Stream m_stream;
    boost::asio::steady_timer m_timer;
    std::shared_ptr<ServerState> m_server;
    std::optional<std::list<ReplySink *>::iterator> m_place; // among those that wait
    boost::beast::flat_buffer m_buffer;
    std::optional<Parser> m_parser;
    std::optional<boost::beast::http::request<boost::beast::http::string_body>> m_upgrade; // asks for one
    std::shared_ptr<ReplyChannel> m_channel;
    std::string m_queue;   // waits for the write under way
    std::string m_writing; // handed to the kernel
    std::uint64_t m_requestNumber = 0;
    Phase m_phase = Phase::Reading;
    bool m_isReadingAhead = false;
    bool m_keepsAlive = true;
    bool m_isChunked = true;
    bool m_flushScheduled = false;
};

/// A reply that may outlive its connection.
class AsioReply final : public HttpReply
{
public:
    AsioReply(std::weak_ptr<ReplySink> sink, std::shared_ptr<ReplyChannel> channel)
        : m_sink(std::move(sink))
        , m_channel(std::move(channel))
    {
    }
    // A handler that forgot its reply must not leave the client waiting.
    ~AsioReply() override
    {
        if (m_channel->state == State::Fresh)
            AsioReply::send(500, "application/json", R"({"error":"The request was not answered."})");
        else if (m_channel->state == State::Streaming)
            AsioReply::end();
    }

    void send(int status, std::string_view contentType, std::string body) override
    {
        if (const auto sink = takeIf(State::Fresh, State::Ended))
            sink->sendWhole(status, contentType, std::move(body));
    }
    void beginStream(int status, std::string_view contentType) override
    {
        if (const auto sink = takeIf(State::Fresh, State::Streaming))
            sink->beginStream(status, contentType);
    }
    void write(std::string bytes) override
    {
        if (const auto sink = takeIf(State::Streaming, State::Streaming))
            sink->writeChunk(bytes);
    }
    void end() override
    {
        if (const auto sink = takeIf(State::Streaming, State::Ended))
            sink->endStream();
    }
    std::size_t pendingBytes() const override
    {
        const auto sink = m_channel->state == State::Ended ? nullptr : m_sink.lock();
        return sink ? sink->pendingBytes() : 0;
    }
    void setDrained(std::function<void()> drained) override { m_channel->drained = std::move(drained); }
    void setDisconnected(std::function<void()> call) override { m_channel->disconnected = std::move(call); }
    bool isOpen() const override { return m_channel->state != State::Ended && !m_sink.expired(); }
    std::shared_ptr<WebSocket> upgrade(const WebSocket::Options &options) override
    {
        const auto sink = m_channel->state == State::Fresh ? m_sink.lock() : nullptr;
        std::shared_ptr<WebSocket> socket = sink ? sink->upgrade(options) : nullptr;
        if (socket)
            m_channel->state = State::Ended;
        return socket;
    }

private:
    using State = ReplyChannel::State;

    std::shared_ptr<ReplySink> takeIf(State from, State to)
    {
        if (m_channel->state != from)
            return nullptr;
        m_channel->state = to;
        return m_sink.lock();
    }

    std::weak_ptr<ReplySink> m_sink;
    std::shared_ptr<ReplyChannel> m_channel;
};

} // namespace sandfish
