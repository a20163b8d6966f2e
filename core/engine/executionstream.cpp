#include "core/engine/executionstream.h"

#include <utility>

namespace sandfish {
namespace {

constexpr std::chrono::seconds kKeepAlive(5);
constexpr std::size_t kMaxPendingBytes = 1u << 20;
constexpr std::size_t kBatchBytes = 128u << 10;

} // namespace

void ExecutionStream::start(EventLoop &loop, std::shared_ptr<KernelExecution> execution, ReplyPtr reply,
    Options options, std::function<void()> left)
{
    const std::shared_ptr<ExecutionStream> stream(
        new ExecutionStream(loop, std::move(execution), std::move(reply), std::move(options)));
    stream->begin(std::move(left));
}

ExecutionStream::ExecutionStream(
    EventLoop &loop, std::shared_ptr<KernelExecution> execution, ReplyPtr reply, Options options)
    : m_loop(loop)
    , m_execution(std::move(execution))
    , m_reply(std::move(reply))
    , m_options(std::move(options))
{
}

ExecutionStream::~ExecutionStream()
{
    m_loop.cancelTimer(m_timer);
    if (m_subscription != 0)
        m_execution->log().unsubscribe(m_subscription);
}

void ExecutionStream::begin(std::function<void()> left)
{
    // The reply keeps the stream alive: these two call-backs are the only owners, and stop() lets go of them.
    const std::shared_ptr<ExecutionStream> self = shared_from_this();
    m_reply->setDisconnected([self, left = std::move(left)] {
        self->stop();
        left();
    });
    m_reply->setDrained([self] { self->pump(); });
    m_subscription = m_execution->log().subscribe([weak = weak_from_this()] {
        if (const auto stream = weak.lock())
            stream->pump();
    });
    m_reply->beginStream(200, "application/x-ndjson");
    if (!m_options.preamble.empty())
        m_reply->write(m_options.preamble);
    keepAlive();
    pump();
}

void ExecutionStream::pump()
{
    const std::shared_ptr<ExecutionStream> self = shared_from_this();
    bool isDone = false;
    while (m_subscription != 0 && m_reply->pendingBytes() < kMaxPendingBytes) {
        std::string batch;
        m_options.from = m_execution->log().encode(m_options.from, m_options.dialect, kBatchBytes, batch, isDone);
        if (!batch.empty()) {
            m_lastWrite = Clock::now();
            m_reply->write(std::move(batch));
        }
        if (isDone && m_options.atDone == AtDone::End) {
            m_reply->end();
            stop();
            return;
        }
        if (m_options.from > m_execution->log().lastSequence())
            return;
    }
}

void ExecutionStream::keepAlive()
{
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(m_lastWrite + kKeepAlive - Clock::now());
    m_timer = m_loop.startTimer(wait, [weak = weak_from_this()] {
        const auto stream = weak.lock();
        if (!stream || stream->m_subscription == 0)
            return;
        if (stream->m_reply->pendingBytes() > 0) {
            stream->m_lastWrite = Clock::now();
        } else if (Clock::now() - stream->m_lastWrite >= kKeepAlive) {
            stream->m_lastWrite = Clock::now();
            stream->m_reply->write("{\"type\":\"keepalive\"}\n");
        }
        stream->keepAlive();
    });
}

void ExecutionStream::stop()
{
    m_loop.cancelTimer(std::exchange(m_timer, 0));
    m_execution->log().unsubscribe(std::exchange(m_subscription, 0));
    m_loop.post([reply = m_reply] {
        reply->setDrained(nullptr);
        reply->setDisconnected(nullptr);
    });
}

} // namespace sandfish
