#pragma once

#include "core/document/cell.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <optional>

namespace sandfish {

class ExecutionQueue;

/// Sees when an interrupt does not end the running cell. The engine signals it, and again after 2 s; when that has not
/// helped for as long again, something stronger is to be offered. The time stands still while the sandbox is paused.
/// Thread: GUI.
class StuckCellWatch : public QObject
{
    Q_OBJECT
public:
    static constexpr std::chrono::milliseconds kPatience{4000};

    /// \a queue outlives the object.
    explicit StuckCellWatch(ExecutionQueue *queue, QObject *parent = nullptr);

    /// The running cell was interrupted. A further press for the same cell does not begin the time anew.
    void interrupted();
    std::optional<CellId> stuck() const { return m_isStuck ? std::optional(m_cell) : std::nullopt; }
    void setPatience(std::chrono::milliseconds patience) { m_patience = patience; }

signals:
    /// stuck() has become another one.
    void changed();

private:
    void follow();
    void expire();

    ExecutionQueue *m_queue;
    CellId m_cell; ///< empty: nothing was interrupted
    QTimer m_timer;
    std::chrono::milliseconds m_patience = kPatience;
    bool m_isStuck = false;
};

} // namespace sandfish
