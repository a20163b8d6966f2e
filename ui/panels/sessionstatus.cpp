#include "ui/panels/sessionstatus.h"

#include "core/document/notebookdocument.h"
#include "core/providers/provider.h"
#include "core/session/executionqueue.h"

namespace sandfish {

SessionStatus SessionStatus::of(const NotebookSession &session)
{
    SessionStatus status;
    status.hasSession = true;
    status.state = session.state();
    status.timeInState = session.timeInState();
    status.sandboxName = QString::fromStdString(session.sandbox().name);
    status.language = session.document()->language();
    status.pauseKeeps = session.sandbox().pauseKeeps;
    status.memoryBytes = session.sandbox().memoryBytes.value_or(-1);
    status.memoryLimitBytes = session.sandbox().memoryLimitBytes.value_or(-1);
    status.queuedRuns = int(session.queue()->pending().size());
    if (const Provider *provider = session.provider()) {
        status.providerName = provider->displayName();
        status.canPause = provider->capabilities().testFlag(Provider::Capability::Pause);
        status.isThisComputer = provider->capabilities().testFlag(Provider::Capability::FolderBinds);
    }
    const auto contexts = session.contexts();
    if (!contexts.empty())
        status.version = QString::fromStdString(contexts.front()->info().version).section(u'.', 0, 1);
    return status;
}

bool SessionStatus::counts() const
{
    using State = NotebookSession::State;
    return state == State::Pausing || state == State::Resuming || state == State::Starting
        || state == State::Reconnecting || state == State::Busy;
}

} // namespace sandfish
