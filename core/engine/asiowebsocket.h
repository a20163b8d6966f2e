#pragma once

#include "core/base/utf8.h"
#include "core/engine/asioconnection.h"

#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <deque>

namespace sandfish {

/// A connection after its upgrade. It keeps itself alive until the socket is gone, which the idle limit and the limit
/// of the closing handshake make certain. Included by asioserver.cpp alone.
template <typename Stream>
class AsioWebSocket final : public WebSocket, public std::enable_shared_from_this<AsioWebSocket<Stream>>
{
public:
    AsioWebSocket(Stream stream, std::shared_ptr<ServerState> server, const Options &options)
        : m_stream(std::move(stream))
        , m_server(std::move(server))
    {
        ++m_server->connections;
        setOptions(options);
    }
    ~AsioWebSocket() override { --m_server->connections; }

    template <typename Request> void accept(const Request &request)
    {
        m_stream.async_accept(request, [self = self()](const ErrorCode &error) {
            if (error) {
                self->finish();
                return;
            }
            self->m_isOpen = true;
            self->read();
            self->write();
        });
    }

    void sendText(std::string message) override
    {
        if (m_isEnding)
            return;
        m_pendingBytes += message.size();
        m_queue.push_back(std::move(message));
        write();
    }
    std::size_t pendingBytes() const override { return m_pendingBytes; }
    void close(std::uint16_t code, std::string_view reason) override
    {
        if (std::exchange(m_isEnding, true))
            return;
        m_end.code = code;
        const std::size_t size = std::min(reason.size(), m_end.reason.max_size());
        m_end.reason = boost::beast::string_view(reason.data(), utf8Boundary(reason, size));
        write();
    }
    void setReceived(std::function<void(std::string, bool)> received) override { m_received = std::move(received); }
    void setDrained(std::function<void()> drained) override { m_drained = std::move(drained); }
    void setClosed(std::function<void()> closed) override { m_closed = std::move(closed); }

private:
    using ErrorCode = boost::system::error_code;
    using Settings = boost::beast::websocket::stream_base;

    static constexpr std::chrono::seconds kHandshakeLimit{10};

    std::shared_ptr<AsioWebSocket> self() { return this->shared_from_this(); }

    void setOptions(const Options &options)
    {
        m_stream.set_option(Settings::timeout{kHandshakeLimit, options.idleLimit, true});
        m_stream.set_option(
            Settings::decorator([name = options.subprotocol](boost::beast::websocket::response_type &r) {
                r.erase(boost::beast::http::field::server);
                if (!name.empty())
                    r.set(boost::beast::http::field::sec_websocket_protocol, name);
            }));
        m_stream.read_message_max(options.maxMessageBytes);
        m_stream.auto_fragment(false);
        m_stream.text(true);
    }

    void read()
    {
        m_stream.async_read(m_buffer, [self = self()](const ErrorCode &error, std::size_t) {
            if (error) {
                self->finish();
                return;
            }
            std::string message = boost::beast::buffers_to_string(self->m_buffer.data());
            self->m_buffer.consume(self->m_buffer.size());
            if (const auto received = self->m_received)
                received(std::move(message), self->m_stream.got_text());
            self->read();
        });
    }

    void write()
    {
        if (!m_isOpen || m_isWriting)
            return;
        if (!m_queue.empty()) {
            m_isWriting = true;
            m_stream.async_write(boost::asio::buffer(m_queue.front()),
                [self = self()](const ErrorCode &error, std::size_t) { self->written(error); });
        } else if (m_isEnding) {
            m_isWriting = true;
            m_stream.async_close(m_end, [self = self()](const ErrorCode &) { self->finish(); });
        }
    }

    void written(const ErrorCode &error)
    {
        m_isWriting = false;
        if (error) {
            finish();
            return;
        }
        m_pendingBytes -= m_queue.front().size();
        m_queue.pop_front();
        if (m_queue.empty() && !m_isEnding && m_drained) {
            const auto drained = m_drained;
            drained();
        }
        write();
    }

    void finish()
    {
        m_isEnding = true;
        m_isOpen = false;
        ErrorCode ignored;
        boost::beast::get_lowest_layer(m_stream).close(ignored);
        m_received = nullptr;
        m_drained = nullptr;
        if (const auto closed = std::exchange(m_closed, nullptr))
            closed();
    }

    boost::beast::websocket::stream<Stream> m_stream;
    std::shared_ptr<ServerState> m_server;
    boost::beast::flat_buffer m_buffer;
    std::deque<std::string> m_queue; // the first is being written
    std::size_t m_pendingBytes = 0;
    boost::beast::websocket::close_reason m_end;
    bool m_isOpen = false; // the handshake has been made
    bool m_isEnding = false;
    bool m_isWriting = false;
    std::function<void(std::string, bool)> m_received;
    std::function<void()> m_drained;
    std::function<void()> m_closed;
};

} // namespace sandfish
