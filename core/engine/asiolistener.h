#pragma once

#include "core/engine/asioconnection.h"
#include "core/engine/asioloop.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

namespace sandfish {

/// Accepts on loopback and starts a connection for each client.
class AsioServer final : public HttpServer
{
    using Tcp = boost::asio::ip::tcp;
    using TlsContext = boost::asio::ssl::context;
    using TlsSocket = boost::asio::ssl::stream<Tcp::socket>;

public:
    AsioServer(AsioLoop &loop, const Options &options, Handler handler)
        : m_context(loop.context())
        , m_acceptor(loop.context())
        , m_state(std::make_shared<ServerState>())
    {
        m_state->options = options;
        m_state->handler = std::move(handler);
    }

    Result<> open()
    {
        boost::system::error_code error;
        const Tcp::endpoint endpoint(boost::asio::ip::address_v4::loopback(), m_state->options.port);
        m_acceptor.open(endpoint.protocol(), error);
        if (!error)
            m_acceptor.set_option(Tcp::acceptor::reuse_address(true), error);
        if (!error)
            m_acceptor.bind(endpoint, error);
        if (!error)
            m_acceptor.listen(boost::asio::socket_base::max_listen_connections, error);
        if (error)
            return Error{Error::Kind::Io,
                "Cannot listen on 127.0.0.1 port " + std::to_string(endpoint.port()) + ": " + error.message()
                    + ". Choose another port with --port.",
                {}};
        if (const Result<> tls = loadCertificate(); !tls)
            return tls.error();
        accept();
        return {};
    }

    std::uint16_t port() const override { return m_acceptor.local_endpoint().port(); }

private:
    Result<> loadCertificate()
    {
        if (m_state->options.tlsCertificatePem.empty())
            return {};
        m_tls = std::make_unique<TlsContext>(TlsContext::tls_server);
        boost::system::error_code error;
        m_tls->set_options(TlsContext::default_workarounds | TlsContext::no_tlsv1 | TlsContext::no_tlsv1_1);
        m_tls->use_certificate_chain(boost::asio::buffer(m_state->options.tlsCertificatePem), error);
        if (!error)
            m_tls->use_private_key(boost::asio::buffer(m_state->options.tlsKeyPem), TlsContext::pem, error);
        if (error)
            return Error{
                Error::Kind::Internal, "The certificate of the data plane could not be used.", error.message()};
        return {};
    }

    void accept()
    {
        m_acceptor.async_accept([this](const boost::system::error_code &error, Tcp::socket socket) {
            if (error == boost::asio::error::operation_aborted)
                return;
            if (!error && (m_state->connections < m_state->options.maxConnections || m_state->makeRoom()))
                begin(std::move(socket));
            if (error) // out of descriptors: a pause lets some be closed
                retryLater();
            else
                accept();
        });
    }

    void retryLater()
    {
        m_retry.expires_after(std::chrono::milliseconds(100));
        m_retry.async_wait([this](const boost::system::error_code &error) {
            if (!error)
                accept();
        });
    }

    void begin(Tcp::socket socket)
    {
        boost::system::error_code ignored;
        socket.set_option(Tcp::no_delay(true), ignored);
        if (m_tls)
            std::make_shared<AsioConnection<TlsSocket>>(TlsSocket(std::move(socket), *m_tls), m_state)->start();
        else
            std::make_shared<AsioConnection<Tcp::socket>>(std::move(socket), m_state)->start();
    }

    boost::asio::io_context &m_context;
    Tcp::acceptor m_acceptor;
    boost::asio::steady_timer m_retry{m_context};
    std::unique_ptr<TlsContext> m_tls;
    std::shared_ptr<ServerState> m_state;
};

} // namespace sandfish
