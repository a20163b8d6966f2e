#pragma once

#include "core/engine/eventloop.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>

namespace sandfish {

/// The time of one sandbox: monotonic, and standing still while the sandbox is paused. Thread: the loop's.
class PausableClock
{
public:
    using TimerId = std::uint64_t;

    explicit PausableClock(EventLoop &loop);
    ~PausableClock();

    /// Calls \a call once, after \a delay of running time.
    TimerId start(std::chrono::milliseconds delay, std::function<void()> call);
    /// Ids that have fired, and 0, are ignored.
    void cancel(TimerId id);
    /// What is left of a timer; 0 for one that has fired.
    std::chrono::milliseconds remaining(TimerId id) const;

    void pause();
    void resume();
    bool isPaused() const { return m_isPaused; }

private:
    using Clock = std::chrono::steady_clock;
    struct Timer
    {
        std::chrono::milliseconds remaining;
        Clock::time_point startedAt;
        std::function<void()> call;
        EventLoop::TimerId loopTimer = 0;
    };

    void arm(TimerId id, Timer &timer);
    void fire(TimerId id);

    EventLoop &m_loop;
    TimerId m_nextId = 1;
    std::map<TimerId, Timer> m_timers;
    bool m_isPaused = false;
};

} // namespace sandfish
