#pragma once

#include <QObject>
#include <QTimer>

#include <chrono>

namespace sandfish {

/// Merges requests into at most one tick() per frame: the first at once (in the next loop turn), the others 16 ms
/// after the tick before. Stops by itself when nothing is requested. Thread: the owner's.
class FrameClock : public QObject
{
    Q_OBJECT
public:
    static constexpr std::chrono::milliseconds kFrame{16};

    explicit FrameClock(QObject *parent = nullptr);
    void request();

signals:
    void tick();

private:
    void fire();

    QTimer m_timer;
    std::chrono::steady_clock::time_point m_lastTick{};
};

} // namespace sandfish
