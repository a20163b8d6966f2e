#include "core/engine/pausableclock.h"

#include <algorithm>
#include <utility>

namespace sandfish {

using std::chrono::milliseconds;

PausableClock::PausableClock(EventLoop &loop)
    : m_loop(loop)
{
}

PausableClock::~PausableClock()
{
    // What a call holds may cancel timers of this clock when it goes.
    const std::map<TimerId, Timer> timers = std::exchange(m_timers, {});
    for (const auto &[id, timer] : timers)
        m_loop.cancelTimer(timer.loopTimer);
}

PausableClock::TimerId PausableClock::start(milliseconds delay, std::function<void()> call)
{
    const TimerId id = m_nextId++;
    Timer &timer = m_timers[id] = Timer{delay, Clock::now(), std::move(call), 0};
    if (!m_isPaused)
        arm(id, timer);
    return id;
}

void PausableClock::cancel(TimerId id)
{
    const auto found = m_timers.extract(id);
    if (!found.empty())
        m_loop.cancelTimer(found.mapped().loopTimer);
}

milliseconds PausableClock::remaining(TimerId id) const
{
    const auto found = m_timers.find(id);
    if (found == m_timers.end())
        return milliseconds(0);
    if (m_isPaused)
        return found->second.remaining;
    const auto passed = std::chrono::duration_cast<milliseconds>(Clock::now() - found->second.startedAt);
    return std::max(milliseconds(0), found->second.remaining - passed);
}

void PausableClock::pause()
{
    if (std::exchange(m_isPaused, true))
        return;
    for (auto &[id, timer] : m_timers) {
        m_loop.cancelTimer(std::exchange(timer.loopTimer, 0));
        const auto passed = std::chrono::duration_cast<milliseconds>(Clock::now() - timer.startedAt);
        timer.remaining = std::max(milliseconds(0), timer.remaining - passed);
    }
}

void PausableClock::resume()
{
    if (!std::exchange(m_isPaused, false))
        return;
    for (auto &[id, timer] : m_timers) {
        timer.startedAt = Clock::now();
        arm(id, timer);
    }
}

void PausableClock::arm(TimerId id, Timer &timer)
{
    timer.loopTimer = m_loop.startTimer(timer.remaining, [this, id] { fire(id); });
}

void PausableClock::fire(TimerId id)
{
    const auto found = m_timers.extract(id);
    if (!found.empty())
        found.mapped().call();
}

} // namespace sandfish
