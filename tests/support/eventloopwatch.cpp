#include "tests/support/eventloopwatch.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace sandfish::test {
namespace {

constexpr std::chrono::milliseconds kBeat{5};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kScale = 5;
#else
constexpr int kScale = 1;
#endif

std::chrono::nanoseconds clockTime(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::chrono::milliseconds inMs(std::chrono::nanoseconds time)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(time);
}

} // namespace

EventLoopWatch::EventLoopWatch(std::chrono::milliseconds limit, QObject *parent)
    : QObject(parent)
    , m_schedstat(::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC))
    , m_limit(limit * kScale)
    , m_last(read())
{
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &EventLoopWatch::beat);
    m_timer.start(kBeat);
}

EventLoopWatch::~EventLoopWatch()
{
    if (m_schedstat >= 0)
        ::close(m_schedstat);
}

bool EventLoopWatch::wasBlocked()
{
    beat();
    return m_longestCpu > m_limit || m_longestAsleep > 4 * m_limit;
}

std::chrono::milliseconds EventLoopWatch::longestGap() const
{
    return inMs(m_longestWall);
}

std::chrono::milliseconds EventLoopWatch::longestBusyGap() const
{
    return inMs(m_longestCpu);
}

const char *EventLoopWatch::report()
{
    m_report = "longest gap of the event loop: " + QByteArray::number(inMs(m_longestWall).count()) + " ms, computing "
        + QByteArray::number(inMs(m_longestCpu).count()) + " ms, asleep "
        + QByteArray::number(inMs(m_longestAsleep).count()) + " ms, limit " + QByteArray::number(inMs(m_limit).count())
        + " ms";
    return m_report.constData();
}

EventLoopWatch::Reading EventLoopWatch::read() const
{
    Reading reading{clockTime(CLOCK_MONOTONIC), clockTime(CLOCK_THREAD_CPUTIME_ID), Nanoseconds(0)};
    char text[96] = {};
    unsigned long long queued = 0;
    if (m_schedstat >= 0 && ::pread(m_schedstat, text, sizeof text - 1, 0) > 0
        && std::sscanf(text, "%*u %llu", &queued) == 1)
        reading.queued = Nanoseconds(queued);
    return reading;
}

void EventLoopWatch::beat()
{
    const Reading now = read();
    const Nanoseconds wall = now.wall - m_last.wall;
    const Nanoseconds cpu = now.cpu - m_last.cpu;
    m_longestWall = std::max(m_longestWall, wall);
    m_longestCpu = std::max(m_longestCpu, cpu);
    m_longestAsleep = std::max(m_longestAsleep, wall - cpu - (now.queued - m_last.queued));
    m_last = now;
}

} // namespace sandfish::test
