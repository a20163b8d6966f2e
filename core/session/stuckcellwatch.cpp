#include "core/session/stuckcellwatch.h"

#include "core/session/executionqueue.h"

#include <utility>

namespace sandfish {

StuckCellWatch::StuckCellWatch(ExecutionQueue *queue, QObject *parent)
    : QObject(parent)
    , m_queue(queue)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &StuckCellWatch::expire);
    // Not queueChanged(): of two runs of one cell in a row it would tell the second alone.
    connect(queue, &ExecutionQueue::cellFinished, this, &StuckCellWatch::follow);
}

void StuckCellWatch::interrupted()
{
    const std::optional<CellId> running = m_queue->running();
    if (!running || !m_cell.isEmpty())
        return;
    m_cell = *running;
    m_timer.start(m_patience);
}

void StuckCellWatch::follow()
{
    m_timer.stop();
    m_cell = {};
    if (std::exchange(m_isStuck, false))
        emit changed();
}

void StuckCellWatch::expire()
{
    if (m_queue->isHeld()) {
        m_timer.start(m_patience);
        return;
    }
    m_isStuck = true;
    emit changed();
}

} // namespace sandfish
