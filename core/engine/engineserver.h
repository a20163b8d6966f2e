#pragma once

#include "core/engine/codeapi.h"
#include "core/engine/controlapi.h"
#include "core/engine/daytonaface.h"
#include "core/engine/tlsauthority.h"

#include <functional>
#include <memory>
#include <string>

namespace sandfish {

/// The HTTP face of the daemon: who may ask, and which part answers. A second listener gives the code servers alone
/// over TLS. Thread: the loop's.
class EngineServer
{
public:
    struct Options
    {
        std::uint16_t port = 0;
        std::string apiKey;
        std::string version;
        TlsIdentity identity; ///< of the data plane over TLS
    };

    /// \a facts and \a registry outlive the server. \a shutDown is called when a client asks the daemon to end.
    static Result<std::unique_ptr<EngineServer>> make(EventLoop &loop, const EngineFacts &facts,
        SandboxRegistry &registry, Options options, std::function<void()> shutDown);

    /// Such as "http://127.0.0.1:4321".
    std::string url() const;

private:
    EngineServer(EventLoop &loop, const EngineFacts &facts, SandboxRegistry &registry, Options options,
        std::function<void()> shutDown);

    void handle(HttpRequest &&request, const ReplyPtr &reply);
    void handleEngine(const HttpRequest &request, const std::vector<std::string> &parts, const ReplyPtr &reply);
    bool isAuthorised(const HttpRequest &request) const;
    Json description() const;

    EventLoop &m_loop;
    const EngineFacts &m_facts;
    SandboxRegistry &m_registry;
    Options m_options;
    std::function<void()> m_shutDown;
    CodeApi m_codeApi;
    std::unique_ptr<ControlApi> m_controlApi;
    std::unique_ptr<DaytonaFace> m_daytona;
    std::unique_ptr<HttpServer> m_server;
    std::unique_ptr<HttpServer> m_tlsServer;
};

} // namespace sandfish
