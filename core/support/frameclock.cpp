#include "core/support/frameclock.h"

#include <algorithm>

namespace sandfish {

FrameClock::FrameClock(QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &FrameClock::fire);
}

void FrameClock::request()
{
    if (m_timer.isActive())
        return;
    const auto sinceTick = std::chrono::steady_clock::now() - m_lastTick;
    const auto rest = kFrame - std::chrono::duration_cast<std::chrono::milliseconds>(sinceTick);
    m_timer.start(std::clamp(rest, std::chrono::milliseconds(0), kFrame));
}

void FrameClock::fire()
{
    m_lastTick = std::chrono::steady_clock::now();
    emit tick();
}

} // namespace sandfish
