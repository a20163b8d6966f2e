#include "core/session/variablecount.h"

#include "core/providers/context.h"
#include "core/session/contextpool.h"
#include "core/session/executionqueue.h"

namespace sandfish {

VariableCount::VariableCount(ExecutionQueue *queue, const ContextPool *contexts, QObject *parent)
    : QObject(parent)
    , m_queue(queue)
    , m_pool(contexts)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kReadAfter);
    connect(&m_timer, &QTimer::timeout, this, qOverload<>(&VariableCount::read));
    connect(queue, &ExecutionQueue::idle, &m_timer, qOverload<>(&QTimer::start));
}

std::optional<std::int64_t> VariableCount::of(const ContextId &context) const
{
    const auto found = m_counts.find(context);
    return found == m_counts.end() ? std::nullopt : std::optional(found->second);
}

void VariableCount::read()
{
    if (!m_queue->isIdle() || m_queue->isHeld())
        return;
    std::map<ContextId, std::int64_t> known;
    for (const auto &[language, context] : m_pool->contexts()) {
        if (const auto before = of(context->info().id))
            known[context->info().id] = *before;
        if (context->looks().testFlag(Context::Look::Variables) && context->state() == Context::State::Idle)
            read(context);
    }
    m_counts = std::move(known);
}

// The total alone is wanted: no value is looked at for longer than it takes to name it.
void VariableCount::read(const std::shared_ptr<Context> &context)
{
    VariablesQuery query;
    query.limit = 1;
    query.budgetMs = 1;
    context->variables(query, this, [this, id = context->info().id](const Result<VariableList> &list) {
        if (!list)
            return;
        m_counts[id] = list->total;
        emit changed();
    });
}

} // namespace sandfish
