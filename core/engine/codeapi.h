#pragma once

#include "core/engine/apireply.h"
#include "core/engine/localsandbox.h"

#include <memory>
#include <string>
#include <vector>

namespace sandfish {

/// The code server of one sandbox (protocols.md §1.3) with Sandfish's extensions (PROTOCOL.md). Thread: the loop's.
class CodeApi
{
public:
    using SandboxPtr = std::shared_ptr<LocalSandbox>;

    explicit CodeApi(EventLoop &loop)
        : m_loop(loop)
    {
    }

    /// \a parts is the path below the sandbox's address.
    void handle(const SandboxPtr &sandbox, const HttpRequest &request, const std::vector<std::string> &parts,
        const ReplyPtr &reply);

private:
    void handleContexts(const SandboxPtr &sandbox, const HttpRequest &request, const std::vector<std::string> &parts,
        const ReplyPtr &reply);
    void handleContext(const SandboxPtr &sandbox, const HttpRequest &request, const std::vector<std::string> &parts,
        const ReplyPtr &reply);
    void execute(const SandboxPtr &sandbox, const HttpRequest &request, const ReplyPtr &reply);
    void createContext(const SandboxPtr &sandbox, const HttpRequest &request, const ReplyPtr &reply);
    void sendInput(const LocalSandbox::ContextPtr &context, const HttpRequest &request, const ReplyPtr &reply);
    void query(const LocalSandbox::ContextPtr &context, const HttpRequest &request, const std::string &operation,
        const ReplyPtr &reply);
    void streamEvents(
        const SandboxPtr &sandbox, const HttpRequest &request, const std::string &executionId, const ReplyPtr &reply);

    EventLoop &m_loop;
};

} // namespace sandfish
