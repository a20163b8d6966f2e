#include "core/providers/execution.h"

namespace sandfish {

void Execution::setState(State state)
{
    if (m_state == state || m_state == State::Finished)
        return;
    m_state = state;
    emit stateChanged(state);
}

void Execution::finish(const ExecutionSummary &summary)
{
    if (m_state == State::Finished)
        return;
    setState(State::Finished);
    emit finished(summary);
}

} // namespace sandfish
