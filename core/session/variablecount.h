#pragma once

#include "core/protocol/sandboxinfo.h"
#include "core/support/request.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

namespace sandfish {

class Context;
class ContextPool;
class ExecutionQueue;

/// How many variables the contexts of a notebook have, so that a restart can name its loss: while a cell hangs nobody
/// can ask. Read once, some time after the last run, and never while a cell runs. Thread: GUI.
class VariableCount : public QObject
{
    Q_OBJECT
public:
    static constexpr std::chrono::milliseconds kReadAfter{2000};

    /// Both outlive the object.
    VariableCount(ExecutionQueue *queue, const ContextPool *contexts, QObject *parent = nullptr);

    /// As it was last read; nothing: it never was.
    std::optional<std::int64_t> of(const ContextId &context) const;
    void setReadAfter(std::chrono::milliseconds time) { m_timer.setInterval(time); }

signals:
    void changed();

private:
    void read();
    void read(const std::shared_ptr<Context> &context);

    const ExecutionQueue *m_queue;
    const ContextPool *m_pool;
    std::map<ContextId, std::int64_t> m_counts;
    QTimer m_timer;
};

} // namespace sandfish
