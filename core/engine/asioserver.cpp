// The only translation unit that includes Boost (build.md §4): loop, listener and connections.
#include "core/engine/asioconnection.h"
#include "core/engine/asiolistener.h"
#include "core/engine/asioloop.h"
#include "core/engine/asiowebsocket.h"
#include "core/engine/httptext.h"

#include <boost/beast/core/stream_traits.hpp>

namespace sandfish {
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;

HttpRequest toHttpRequest(http::request<http::string_body> &&message, bool isTls)
{
    HttpRequest request;
    const auto target = std::string_view(message.target().data(), message.target().size());
    const std::size_t question = target.find('?');
    request.method = std::string(message.method_string());
    request.path = percentDecoded(target.substr(0, question), false);
    if (question != std::string_view::npos) {
        request.queryText = std::string(target.substr(question + 1));
        request.query = parseQuery(request.queryText);
    }
    for (const auto &field : message)
        request.headers.emplace(
            lowerCase({field.name_string().data(), field.name_string().size()}), std::string(field.value()));
    request.wantsWebSocket = beast::websocket::is_upgrade(message);
    request.body = std::move(message.body());
    request.isTls = isTls;
    return request;
}

std::string responseHead(
    int status, std::string_view contentType, std::optional<std::size_t> length, bool keepsAlive, bool isChunked)
{
    const auto reason = http::obsolete_reason(http::int_to_status(static_cast<unsigned>(status)));
    std::string head = "HTTP/1.1 " + std::to_string(status) + ' ' + std::string(reason) + "\r\n";
    if (!contentType.empty())
        (head += "Content-Type: ").append(contentType).append("\r\n");
    if (length && status != 204)
        head += "Content-Length: " + std::to_string(*length) + "\r\n";
    if (isChunked)
        head += "Transfer-Encoding: chunked\r\n";
    if (!keepsAlive)
        head += "Connection: close\r\n";
    return head + "\r\n";
}

template <typename Stream> void AsioConnection<Stream>::start()
{
    limitTime(m_server->options.firstRequestLimit);
    if constexpr (kIsTls) {
        m_stream.async_handshake(asio::ssl::stream_base::server, [self = self()](const ErrorCode &error) {
            if (error)
                self->close();
            else
                self->readHead();
        });
    } else {
        readHead();
    }
}

template <typename Stream> void AsioConnection<Stream>::readHead()
{
    m_phase = Phase::Reading;
    m_parser.emplace();
    m_parser->body_limit(m_server->options.maxBodyBytes);
    m_parser->header_limit(static_cast<std::uint32_t>(m_server->options.maxHeaderBytes));
    limitReading(m_buffer.size() > 0 ? kReadLimit : kIdleLimit);
    http::async_read_header(m_stream, m_buffer, *m_parser, [self = self()](const ErrorCode &error, std::size_t) {
        if (error)
            self->refuse(error);
        else
            self->readBody();
    });
}

template <typename Stream> void AsioConnection<Stream>::readBody()
{
    limitReading(kReadLimit);
    if (beast::iequals(m_parser->get()[http::field::expect], "100-continue")) {
        static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
        asio::async_write(m_stream, asio::buffer(kContinue), [self = self()](const ErrorCode &error, std::size_t) {
            if (error)
                self->close();
            else
                self->answer();
        });
        return;
    }
    answer();
}

template <typename Stream> void AsioConnection<Stream>::answer()
{
    http::async_read(m_stream, m_buffer, *m_parser, [self = self()](const ErrorCode &error, std::size_t) {
        if (error) {
            self->refuse(error);
            return;
        }
        self->liftTimeLimit();
        self->endWaiting();
        self->m_keepsAlive = self->m_parser->get().keep_alive();
        self->m_isChunked = self->m_parser->get().version() >= 11;
        self->m_phase = Phase::Answering;
        self->m_channel = std::make_shared<ReplyChannel>();
        ++self->m_requestNumber;
        self->m_upgrade.reset();
        if (beast::websocket::is_upgrade(self->m_parser->get()))
            self->m_upgrade.emplace(self->m_parser->get());
        HttpRequest request = toHttpRequest(self->m_parser->release(), kIsTls);
        const auto reply = std::make_shared<AsioReply>(std::weak_ptr<ReplySink>(self), self->m_channel);
        // After an upgrade the stream belongs to the WebSocket: nothing may be reading from it then.
        if (!self->m_upgrade)
            self->readAhead();
        self->m_server->handler(std::move(request), reply);
    });
}

template <typename Stream> void AsioConnection<Stream>::refuse(const ErrorCode &error)
{
    if (m_phase == Phase::Closed || error.category() != make_error_code(http::error::bad_method).category()
        || error == http::error::end_of_stream || error == http::error::partial_message) {
        close();
        return;
    }
    const int status = error == http::error::body_limit ? 413 : error == http::error::header_limit ? 431 : 400;
    m_keepsAlive = false;
    sendWhole(status, "application/json", R"({"error":"The request could not be read: )" + error.message() + "\"}");
}

// The end of the peer shows only to a reader, and under TLS only to one that decrypts. What is read belongs to the next
// request; a peer that has sent that one already is not watched.
template <typename Stream> void AsioConnection<Stream>::readAhead()
{
    if (m_buffer.size() > 0)
        return;
    m_isReadingAhead = true;
    m_stream.async_read_some(
        m_buffer.prepare(kReadAheadBytes), [self = self()](const ErrorCode &error, std::size_t count) {
            self->m_isReadingAhead = false;
            if (self->m_phase == Phase::Closed)
                return;
            self->m_buffer.commit(count);
            if (error)
                self->close();
            else if (self->m_phase == Phase::Reading)
                self->readHead();
        });
}

template <typename Stream> void AsioConnection<Stream>::limitTime(std::chrono::milliseconds limit)
{
    m_timer.expires_after(limit);
    m_timer.async_wait([self = self()](const ErrorCode &error) {
        if (!error)
            self->close();
    });
}

// Keeps the connection alive while it answers, also when nothing is read or written.
template <typename Stream> void AsioConnection<Stream>::liftTimeLimit()
{
    m_timer.expires_at(std::chrono::steady_clock::time_point::max());
    m_timer.async_wait([self = self()](const ErrorCode &) {});
}

template <typename Stream>
void AsioConnection<Stream>::sendWhole(int status, std::string_view contentType, std::string body)
{
    if (m_phase == Phase::Closed)
        return;
    m_phase = Phase::Ending;
    m_queue += responseHead(status, contentType, body.size(), m_keepsAlive, false);
    if (status != 204)
        m_queue += body;
    flush();
}

template <typename Stream> void AsioConnection<Stream>::beginStream(int status, std::string_view contentType)
{
    if (m_phase == Phase::Closed)
        return;
    m_phase = Phase::Streaming;
    m_keepsAlive = m_keepsAlive && m_isChunked;
    m_queue += responseHead(status, contentType, std::nullopt, m_keepsAlive, m_isChunked);
    scheduleFlush();
}

template <typename Stream> void AsioConnection<Stream>::writeChunk(std::string_view bytes)
{
    if (m_phase != Phase::Streaming || bytes.empty())
        return;
    if (m_isChunked)
        appendChunk(bytes, m_queue);
    else
        m_queue += bytes;
    scheduleFlush();
}

template <typename Stream> void AsioConnection<Stream>::endStream()
{
    if (m_phase != Phase::Streaming)
        return;
    m_phase = Phase::Ending;
    if (m_isChunked)
        m_queue += "0\r\n\r\n";
    scheduleFlush();
}

// Everything written in one turn of the loop leaves in one system call.
template <typename Stream> void AsioConnection<Stream>::scheduleFlush()
{
    if (std::exchange(m_flushScheduled, true))
        return;
    asio::post(m_stream.get_executor(), [self = self()] {
        self->m_flushScheduled = false;
        self->flush();
    });
}

template <typename Stream> void AsioConnection<Stream>::flush()
{
    if (m_phase == Phase::Closed || !m_writing.empty() || m_queue.empty())
        return;
    std::swap(m_writing, m_queue);
    asio::async_write(m_stream, asio::buffer(m_writing),
        [self = self()](const ErrorCode &error, std::size_t) { self->written(error); });
}

template <typename Stream> void AsioConnection<Stream>::written(const ErrorCode &error)
{
    m_writing.clear();
    if (error) {
        close();
        return;
    }
    if (!m_queue.empty()) {
        flush();
        return;
    }
    if (m_phase == Phase::Ending)
        finishRequest();
    else if (m_phase == Phase::Streaming && m_channel && m_channel->drained)
        m_channel->drained();
}

template <typename Stream> void AsioConnection<Stream>::finishRequest()
{
    m_channel.reset();
    m_writing.shrink_to_fit();
    if (!m_keepsAlive) {
        close();
        return;
    }
    beginWaiting();
    if (m_isReadingAhead) {
        m_phase = Phase::Reading;
        limitTime(kIdleLimit);
    } else {
        readHead();
    }
}

template <typename Stream> std::shared_ptr<WebSocket> AsioConnection<Stream>::upgrade(const WebSocket::Options &options)
{
    // A client that sends frames before the handshake has ended does not speak the protocol.
    if (m_phase != Phase::Answering || !m_upgrade || m_buffer.size() > 0)
        return nullptr;
    m_phase = Phase::Closed;
    m_timer.cancel();
    m_channel.reset();
    const auto socket = std::make_shared<AsioWebSocket<Stream>>(std::move(m_stream), m_server, options);
    socket->accept(*m_upgrade);
    return socket;
}

template <typename Stream> void AsioConnection<Stream>::close()
{
    if (m_phase == Phase::Closed)
        return;
    m_phase = Phase::Closed;
    endWaiting();
    m_timer.cancel();
    ErrorCode ignored;
    auto &socket = beast::get_lowest_layer(m_stream);
    socket.shutdown(tcp::socket::shutdown_both, ignored);
    socket.close(ignored);
    m_queue.clear();
    const auto channel = std::exchange(m_channel, nullptr);
    if (!channel || channel->state == ReplyChannel::State::Ended)
        return;
    channel->state = ReplyChannel::State::Ended;
    if (channel->disconnected)
        channel->disconnected();
}

std::unique_ptr<EventLoop> EventLoop::make()
{
    return std::make_unique<AsioLoop>();
}

Result<std::unique_ptr<HttpServer>> HttpServer::listen(EventLoop &loop, const Options &options, Handler handler)
{
    // Every EventLoop comes from make().
    auto server = std::make_unique<AsioServer>(static_cast<AsioLoop &>(loop), options, std::move(handler));
    if (const Result<> opened = server->open(); !opened)
        return opened.error();
    return std::unique_ptr<HttpServer>(std::move(server));
}

} // namespace sandfish
