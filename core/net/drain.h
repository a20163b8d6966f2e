#pragma once

#include <QObject>
#include <QTimer>

#include <chrono>
#include <functional>

namespace sandfish {

/// Works a queue off in small portions: at most 4 ms in each turn of the event loop, so that painting, keys and other
/// sockets always get their turn. Thread: the owner's.
class Drain : public QObject
{
    Q_OBJECT
public:
    static constexpr std::chrono::milliseconds kBudget{4};
    enum class Step
    {
        More, ///< there is, or may be, more to do
        Idle  ///< nothing to do until the next request()
    };

    /// \a step does one small piece of work. It must not delete the Drain.
    explicit Drain(std::function<Step()> step, QObject *parent = nullptr);

    /// Starts a turn from the event loop. Cheap to call while one is due.
    void request();
    void stop() { m_timer.stop(); }

signals:
    /// After the steps of each turn.
    void turnEnded();

private:
    void runTurn();

    std::function<Step()> m_step;
    // A timer, not a posted call: calls posted by calls run in the same turn, and starve sockets and timers.
    QTimer m_timer;
};

} // namespace sandfish
