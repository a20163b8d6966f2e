#pragma once

#include "core/engine/apireply.h"
#include "core/engine/localsandbox.h"

namespace sandfish {

/// The paths below `/contexts/{id}` that keep, rewind and branch (PROTOCOL.md §3.4). Thread: the loop's.
class CheckpointApi
{
public:
    using SandboxPtr = std::shared_ptr<LocalSandbox>;
    using ContextPtr = LocalSandbox::ContextPtr;

    /// True if \a parts, the path below the context's, is one of these paths.
    static bool knows(const std::vector<std::string> &parts);
    static void handle(const SandboxPtr &sandbox, const ContextPtr &context, const HttpRequest &request,
        const std::vector<std::string> &parts, const ReplyPtr &reply);

private:
    static void keep(const ContextPtr &context, const HttpRequest &request, const ReplyPtr &reply);
    static void handleOne(const ContextPtr &context, const HttpRequest &request, const std::vector<std::string> &parts,
        const ReplyPtr &reply);
    static void rewind(const ContextPtr &context, const HttpRequest &request, const ReplyPtr &reply);
    static void branch(
        const SandboxPtr &sandbox, const ContextPtr &context, const HttpRequest &request, const ReplyPtr &reply);
};

} // namespace sandfish
