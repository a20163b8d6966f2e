#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace sandfish {

/// The one loop of the daemon: descriptors, timers, posted calls. Everything in core/engine lives on its thread.
class EventLoop
{
public:
    using WatchId = std::uint64_t;
    using TimerId = std::uint64_t;
    enum class Readiness
    {
        Read,
        Write
    };

    static std::unique_ptr<EventLoop> make();
    virtual ~EventLoop() = default;

    /// Runs until stop(). Call it once.
    virtual void run() = 0;
    /// Any thread, and async-signal-unsafe: use watchSignals() for signals.
    virtual void stop() = 0;
    /// Runs \a call in a later turn. Any thread.
    virtual void post(std::function<void()> call) = 0;
    /// Calls \a ready, in turn after turn, while \a fd is ready (also at its end or error). Does not own \a fd; unwatch
    /// before closing it. At most one watch per descriptor and direction.
    virtual WatchId watch(int fd, Readiness readiness, std::function<void()> ready) = 0;
    /// Inside a call-back too; afterwards the call-back is never called again. Unknown ids are ignored.
    virtual void unwatch(WatchId id) = 0;
    /// Runs \a call once. Monotonic clock.
    virtual TimerId startTimer(std::chrono::milliseconds delay, std::function<void()> call) = 0;
    virtual void cancelTimer(TimerId id) = 0;
    /// Calls \a call for SIGTERM and SIGINT.
    virtual void watchTermination(std::function<void()> call) = 0;
};

} // namespace sandfish
