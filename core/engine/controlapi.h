#pragma once

#include "core/engine/apireply.h"
#include "core/engine/sandboxregistry.h"

#include <memory>
#include <string>
#include <vector>

namespace sandfish {

/// The control plane of protocols.md §1.2 below /api/sandboxes, with Sandfish's extra members (PROTOCOL.md). The caller
/// has checked the key. Thread: the loop's.
class ControlApi
{
public:
    /// Where the code servers are reached.
    struct Ports
    {
        std::uint16_t plain = 0;
        std::uint16_t tls = 0;
    };

    /// \a registry outlives this.
    ControlApi(EventLoop &loop, SandboxRegistry &registry, Ports ports);

    /// \a parts is the path below /api.
    void handle(const HttpRequest &request, const std::vector<std::string> &parts, const ReplyPtr &reply);

private:
    using SandboxPtr = SandboxRegistry::SandboxPtr;

    void create(const HttpRequest &request, const ReplyPtr &reply);
    void list(const ReplyPtr &reply) const;
    void handleSandbox(const SandboxPtr &sandbox, const HttpRequest &request, const ReplyPtr &reply);
    void handleAction(const SandboxPtr &sandbox, const std::vector<std::string> &parts, const HttpRequest &request,
        const ReplyPtr &reply);
    void setTimeout(const SandboxPtr &sandbox, const HttpRequest &request, const ReplyPtr &reply);
    void expose(const SandboxPtr &sandbox, const std::string &port, const ReplyPtr &reply);
    void exec(const SandboxPtr &sandbox, const HttpRequest &request, const ReplyPtr &reply);
    void files(const SandboxPtr &sandbox, const HttpRequest &request, bool isList, const ReplyPtr &reply);

    EventLoop &m_loop;
    SandboxRegistry &m_registry;
    Ports m_ports;
};

/// The SandboxInfo of protocols.md §1.2 with the extra members.
Json sandboxJson(const LocalSandbox &sandbox);

} // namespace sandfish
