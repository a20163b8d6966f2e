#include "core/providers/context.h"

namespace sandfish {
namespace {

Request refuse(QObject *receiver, Done<> done, const char *message)
{
    const Completion<> completion(receiver, std::move(done));
    completion.finish(Error{Error::Kind::Unsupported, message, {}});
    return completion.request();
}

} // namespace

Request Context::interrupt(QObject *receiver, Done<> done)
{
    return refuse(receiver, std::move(done), "This service cannot interrupt a run. Restart the context instead.");
}

Request Context::restart(QObject *receiver, Done<> done)
{
    return refuse(receiver, std::move(done), "This service cannot restart a context.");
}

void Context::setState(State state)
{
    if (m_state == state)
        return;
    m_state = state;
    emit stateChanged(state);
}

} // namespace sandfish
