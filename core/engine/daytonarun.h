#pragma once

#include "core/engine/daytonareply.h"

#include <memory>

namespace sandfish {

/// One socket of `GET /process/interpreter/execute` (protocols.md §3.6): a first message that says what to run, the
/// output at the client's pace, and a close code that says how it ended. The code goes on when the client leaves. Lives
/// as long as its socket. Thread: the loop's.
class DaytonaRun : public std::enable_shared_from_this<DaytonaRun>
{
public:
    using SandboxPtr = std::shared_ptr<LocalSandbox>;

    /// Accepts the upgrade, or answers 400 where the request does not ask for one.
    static void start(EventLoop &loop, const SandboxPtr &sandbox, const DaytonaCall &call);

private:
    DaytonaRun(EventLoop &loop, SandboxPtr sandbox);

    void begin(const std::shared_ptr<WebSocket> &socket);
    void receive(const std::string &message, bool isText);
    void run(const Json &request);
    Result<LocalSandbox::ContextPtr> contextFor(const std::string &id) const;
    void pump();
    void take(const ExecutionLog::Content *content);
    void sendFrame(std::string frame);
    void send(std::string_view type, std::string_view text);
    void sendError(const ErrorOutput &error);
    void finish(const WireDone &done);
    void close(std::uint16_t code, std::string_view reason);
    void release();

    EventLoop &m_loop;
    SandboxPtr m_sandbox;
    std::weak_ptr<WebSocket> m_socket; // it owns this, by its call-backs
    std::shared_ptr<KernelExecution> m_execution;
    std::optional<ErrorOutput> m_error; // held back until it is known whether it is the code's own
    std::uint64_t m_next = 1;
    int m_subscription = 0;
    EventLoop::TimerId m_timer = 0;
    bool m_isClosing = false;
};

} // namespace sandfish
