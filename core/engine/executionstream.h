#pragma once

#include "core/engine/apireply.h"
#include "core/engine/kernelexecution.h"

#include <chrono>
#include <functional>
#include <memory>

namespace sandfish {

/// Sends the log of one execution to one client, at the client's pace: `application/x-ndjson`, keep-alive items in
/// silence, and the end after the done record. Lives as long as its reply. Thread: the loop's.
class ExecutionStream : public std::enable_shared_from_this<ExecutionStream>
{
public:
    enum class AtDone
    {
        End,   ///< the done record is the last one
        Follow ///< late output is sent too, until the client leaves
    };
    struct Options
    {
        WireDialect dialect = WireDialect::Seed;
        std::uint64_t from = 1;
        AtDone atDone = AtDone::End;
        std::string preamble; ///< sent first, a line
    };

    /// \a left is called once when the client goes before the end.
    static void start(EventLoop &loop, std::shared_ptr<KernelExecution> execution, ReplyPtr reply, Options options,
        std::function<void()> left);
    ~ExecutionStream();

private:
    using Clock = std::chrono::steady_clock;

    ExecutionStream(EventLoop &loop, std::shared_ptr<KernelExecution> execution, ReplyPtr reply, Options options);

    void begin(std::function<void()> left);
    void pump();
    void keepAlive();
    void stop();

    EventLoop &m_loop;
    std::shared_ptr<KernelExecution> m_execution;
    ReplyPtr m_reply;
    Options m_options;
    int m_subscription = 0;
    EventLoop::TimerId m_timer = 0;
    Clock::time_point m_lastWrite = Clock::now();
};

} // namespace sandfish
