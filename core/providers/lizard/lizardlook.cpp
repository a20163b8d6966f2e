#include "core/providers/lizard/lizardlook.h"

#include "core/providers/lizard/lizardcontext.h"
#include "core/providers/lizard/lizardlink.h"

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;

/// \a done for a Json answer that \a parse turns into a T.
template <typename T> Done<Json> parsedBy(Result<T> (*parse)(const Json &), Done<T> done)
{
    return [parse, done = std::move(done)](
               const Result<Json> &answer) { done(answer ? parse(*answer) : Result<T>(answer.error())); };
}

} // namespace

Context::Looks LizardContext::looks() const
{
    if (!m_link->engine() || !m_link->engine()->has("queries"))
        return {};
    Looks looks = Look::Variables | Look::Value | Look::Complete;
    looks.setFlag(Look::Inspect, m_info.language != "bash"); // resources/runners/README.md §7
    return looks;
}

Request LizardContext::variables(const VariablesQuery &query, QObject *receiver, Done<VariableList> done)
{
    if (!looks().testFlag(Look::Variables))
        return Context::variables(query, receiver, std::move(done));
    return m_link->code(m_sandbox, HttpCall::Verb::Post, Lizard::contextPath(m_info.id, u"/vars"_s),
        Lizard::variablesBody(query), receiver, parsedBy(&Lizard::parseVariables, std::move(done)));
}

Request LizardContext::value(const ValueQuery &query, QObject *receiver, Done<ValuePage> done)
{
    if (!looks().testFlag(Look::Value))
        return Context::value(query, receiver, std::move(done));
    return m_link->code(m_sandbox, HttpCall::Verb::Post, Lizard::contextPath(m_info.id, u"/get"_s),
        Lizard::valueBody(query), receiver, parsedBy(&Lizard::parseValue, std::move(done)));
}

Request LizardContext::complete(const CodePlace &place, QObject *receiver, Done<CompletionList> done)
{
    if (!looks().testFlag(Look::Complete))
        return Context::complete(place, receiver, std::move(done));
    return m_link->code(m_sandbox, HttpCall::Verb::Post, Lizard::contextPath(m_info.id, u"/complete"_s),
        Lizard::placeBody(place), receiver, parsedBy(&Lizard::parseCompletions, std::move(done)));
}

Request LizardContext::inspect(const CodePlace &place, QObject *receiver, Done<Inspection> done)
{
    if (!looks().testFlag(Look::Inspect))
        return Context::inspect(place, receiver, std::move(done));
    return m_link->code(m_sandbox, HttpCall::Verb::Post, Lizard::contextPath(m_info.id, u"/inspect"_s),
        Lizard::placeBody(place), receiver, parsedBy(&Lizard::parseInspection, std::move(done)));
}

} // namespace sandfish
