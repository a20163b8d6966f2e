#include "core/providers/context.h"

namespace sandfish {
namespace {

template <typename T> Request refuse(QObject *receiver, Done<T> done, const char *message)
{
    const Completion<T> completion(receiver, std::move(done));
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

Request Context::variables(const VariablesQuery &, QObject *receiver, Done<VariableList> done)
{
    return refuse(receiver, std::move(done), "This service cannot list variables.");
}

Request Context::value(const ValueQuery &, QObject *receiver, Done<ValuePage> done)
{
    return refuse(receiver, std::move(done), "This service cannot show the value of a variable.");
}

Request Context::complete(const CodePlace &, QObject *receiver, Done<CompletionList> done)
{
    return refuse(receiver, std::move(done), "This service cannot complete code.");
}

Request Context::inspect(const CodePlace &, QObject *receiver, Done<Inspection> done)
{
    return refuse(receiver, std::move(done), "This service has no documentation of what is in a context.");
}

void Context::setState(State state)
{
    if (m_state == state)
        return;
    m_state = state;
    emit stateChanged(state);
}

} // namespace sandfish
