#pragma once

#include "core/base/utf8.h"
#include "core/engine/eventloop.h"
#include "core/engine/executionlog.h"

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <string>

namespace sandfish {

/// "2.5 s", for people.
std::string secondsText(std::chrono::milliseconds time);

struct ExecutionSpec
{
    std::string code;
    std::string label; ///< the cell's name in tracebacks; empty: the runner's own
    std::map<std::string, std::string> environment;
    std::optional<std::chrono::milliseconds> timeout; ///< of running time
    /// After that time: how long an interrupt may take, before the interpreter is ended.
    std::chrono::milliseconds interruptGrace{5000};
    bool allowsInput = false;   ///< false: the code finds its input at the end
    bool keepsState = false;    ///< a checkpoint is wanted before it, where the language has them
    std::string runnerLanguage; ///< such as "typescript"; empty: the context's own
};

/// One run of one cell: its state, and the log of its output.
///
/// Text is gathered into frames: the first bytes leave at once, then at most one frame in 16 ms, and no frame is above
/// 64 KiB. Thread: the loop's.
class KernelExecution
{
public:
    enum class State
    {
        Queued,
        Running,
        Finished
    };

    KernelExecution(EventLoop &loop, std::string id, ExecutionSpec spec, LogLimits limits);
    ~KernelExecution();

    const std::string &id() const { return m_id; }
    const ExecutionSpec &spec() const { return m_spec; }
    ExecutionLog &log() { return m_log; }
    const ExecutionLog &log() const { return m_log; }
    State state() const { return m_state; }

    /// True if the interpreter ended while this ran, or could not be started for it.
    bool hasLostKernel() const { return m_hasLostKernel; }
    void noteKernelEnd() { m_hasLostKernel = true; }

    void start(int executionCount, std::optional<CheckpointRef> checkpoint = std::nullopt);
    /// Bytes as the program wrote them; after finish() they are late output.
    void addText(StreamText::Channel channel, std::string_view bytes);
    void addEvent(ExecutionEvent event);
    /// The pipes have been read for this turn: a frame that is due leaves.
    void endTurn();
    /// Once; the summary becomes the done record.
    void finish(WireDone done);

private:
    using Clock = std::chrono::steady_clock;

    void flush();
    void cutFrames(std::size_t keepBelowBytes);

    EventLoop &m_loop;
    std::string m_id;
    ExecutionSpec m_spec;
    ExecutionLog m_log;
    State m_state = State::Queued;
    bool m_hasLostKernel = false;
    std::array<Utf8Repair, 2> m_repairs;
    StreamText::Channel m_channel = StreamText::Channel::Stdout;
    std::string m_pending;
    Clock::time_point m_lastFrame;
    EventLoop::TimerId m_frameTimer = 0;
};

} // namespace sandfish
