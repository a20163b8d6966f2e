#pragma once

#include <QObject>
#include <QTimer>

#include <chrono>

namespace sandfish::test {

/// Fails a test whose event loop was blocked: `EventLoopWatch watch; …; QVERIFY2(!watch.wasBlocked(), watch.report());`
///
/// A heartbeat runs every 5 ms. For each gap between two beats three clocks are read: wall time, CPU time of this
/// thread, and the time this thread waited for a core. A gap counts as a block if the thread computed longer than the
/// limit in it, or if it neither ran nor waited for a core for four times the limit (a sleep or a blocking call). A gap
/// that other programs of the machine caused does not count. Sanitizer builds get five times the limit.
class EventLoopWatch : public QObject
{
    Q_OBJECT
public:
    explicit EventLoopWatch(std::chrono::milliseconds limit = std::chrono::milliseconds(50), QObject *parent = nullptr);
    ~EventLoopWatch() override;

    /// Looks at the gap that is open now, too.
    bool wasBlocked();
    std::chrono::milliseconds longestGap() const;     ///< wall time
    std::chrono::milliseconds longestBusyGap() const; ///< CPU time of this thread
    /// For QVERIFY2; valid until the next call.
    const char *report();

private:
    using Nanoseconds = std::chrono::nanoseconds;
    struct Reading
    {
        Nanoseconds wall{0};
        Nanoseconds cpu{0};
        Nanoseconds queued{0}; ///< waiting for a core
    };

    Reading read() const;
    void beat();

    QTimer m_timer;
    int m_schedstat = -1;
    Nanoseconds m_limit;
    Reading m_last;
    Nanoseconds m_longestWall{0};
    Nanoseconds m_longestCpu{0};
    Nanoseconds m_longestAsleep{0};
    QByteArray m_report;
};

} // namespace sandfish::test
