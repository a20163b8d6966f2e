#include "core/engine/kernelexecution.h"

#include <utility>

namespace sandfish {
namespace {

constexpr std::size_t kMaxFrameBytes = 64u << 10;
constexpr std::chrono::milliseconds kFrameInterval(16);

} // namespace

std::string secondsText(std::chrono::milliseconds time)
{
    const auto tenths = time.count() / 100;
    return std::to_string(tenths / 10) + (tenths % 10 ? "." + std::to_string(tenths % 10) : "") + " s";
}

KernelExecution::KernelExecution(EventLoop &loop, std::string id, ExecutionSpec spec, LogLimits limits)
    : m_loop(loop)
    , m_id(std::move(id))
    , m_spec(std::move(spec))
    , m_log(std::move(limits))
{
}

KernelExecution::~KernelExecution()
{
    m_loop.cancelTimer(m_frameTimer);
}

void KernelExecution::start(int executionCount, std::optional<CheckpointRef> checkpoint)
{
    m_state = State::Running;
    m_log.append(ExecutionEvent(ExecutionStarted{executionCount, std::move(checkpoint)}));
}

void KernelExecution::addText(StreamText::Channel channel, std::string_view bytes)
{
    if (channel != m_channel)
        flush();
    m_channel = channel;
    m_repairs[channel == StreamText::Channel::Stdout ? 0 : 1].append(bytes, m_pending);
    cutFrames(kMaxFrameBytes);
}

// Moves whole frames out of the pending text until less than the given number of bytes is left.
void KernelExecution::cutFrames(std::size_t keepBelowBytes)
{
    std::size_t start = 0;
    while (start < m_pending.size() && m_pending.size() - start >= keepBelowBytes) {
        std::size_t end = utf8Boundary(m_pending, start + kMaxFrameBytes);
        if (end <= start)
            end = m_pending.size();
        const bool isLate = m_state == State::Finished;
        m_log.append(ExecutionEvent(StreamText{m_channel, m_pending.substr(start, end - start), isLate}));
        start = end;
        m_lastFrame = Clock::now();
    }
    m_pending.erase(0, start);
}

void KernelExecution::flush()
{
    m_loop.cancelTimer(std::exchange(m_frameTimer, 0));
    cutFrames(1);
}

void KernelExecution::endTurn()
{
    if (m_pending.empty() || m_frameTimer != 0)
        return;
    const auto wait = m_lastFrame + kFrameInterval - Clock::now();
    if (wait <= wait.zero()) {
        flush();
        return;
    }
    const auto delay = std::chrono::ceil<std::chrono::milliseconds>(wait);
    m_frameTimer = m_loop.startTimer(delay, [this] {
        m_frameTimer = 0;
        flush();
    });
}

void KernelExecution::addEvent(ExecutionEvent event)
{
    flush();
    m_log.append(std::move(event));
}

void KernelExecution::finish(WireDone done)
{
    for (std::size_t i = 0; i < m_repairs.size(); ++i) {
        std::string rest;
        m_repairs[i].finish(rest);
        if (!rest.empty())
            addText(i == 0 ? StreamText::Channel::Stdout : StreamText::Channel::Stderr, rest);
    }
    flush();
    m_state = State::Finished;
    m_log.append(std::move(done));
}

} // namespace sandfish
