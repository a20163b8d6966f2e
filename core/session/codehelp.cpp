#include "core/session/codehelp.h"

#include "core/document/notebookdocument.h"
#include "core/session/notebooksession.h"

#include <algorithm>

namespace sandfish {
namespace {

template <typename T> Request refuse(QObject *receiver, Done<T> done)
{
    const Completion<T> completion(receiver, std::move(done));
    completion.finish(Error{Error::Kind::Unsupported, "The context cannot be asked now.", {}});
    return completion.request();
}

} // namespace

CodeHelp::CodeHelp(NotebookSession *session, QObject *parent)
    : QObject(parent)
    , m_session(session)
{
}

std::shared_ptr<Context> CodeHelp::contextOf(const QString &language) const
{
    if (!m_session)
        return nullptr;
    const std::string wanted = normalisedLanguage(language.toStdString());
    const auto contexts = m_session->contexts();
    const auto found = std::find_if(
        contexts.begin(), contexts.end(), [&wanted](const auto &each) { return each->info().language == wanted; });
    return found == contexts.end() ? nullptr : *found;
}

CodeHelp::Source CodeHelp::source(const QString &language) const
{
    using State = NotebookSession::State;
    if (!m_session)
        return Source::NoKernel;
    const State state = m_session->state();
    if (state == State::Paused || state == State::Pausing || state == State::Resuming)
        return Source::Paused;
    const std::shared_ptr<Context> context = contextOf(language);
    if (!context || context->state() == Context::State::Dead)
        return Source::NoKernel;
    // Attribute access runs code of the notebook, which nobody has vouched for.
    if (!m_session->document()->isTrusted())
        return Source::Untrusted;
    if (!context->looks().testFlag(Context::Look::Complete))
        return Source::Unsupported;
    return state == State::Ready && context->state() == Context::State::Idle ? Source::Kernel : Source::Busy;
}

bool CodeHelp::canInspect(const QString &language) const
{
    const std::shared_ptr<Context> context = contextOf(language);
    return source(language) == Source::Kernel && context->looks().testFlag(Context::Look::Inspect);
}

Request CodeHelp::complete(
    const QString &language, const CodePlace &place, QObject *receiver, Done<CompletionList> done)
{
    if (source(language) != Source::Kernel)
        return refuse(receiver, std::move(done));
    return contextOf(language)->complete(place, receiver, std::move(done));
}

Request CodeHelp::inspect(const QString &language, const CodePlace &place, QObject *receiver, Done<Inspection> done)
{
    if (!canInspect(language))
        return refuse(receiver, std::move(done));
    return contextOf(language)->inspect(place, receiver, std::move(done));
}

} // namespace sandfish
