#pragma once

#include "core/protocol/lookinside.h"
#include "core/support/request.h"

#include <QObject>
#include <QPointer>

#include <memory>
#include <string>

namespace sandfish {

class Context;
class NotebookSession;

/// Questions about code that is being written, to the context of its language. Starts nothing: without a context, while
/// anything runs, and in a notebook that is not trusted, there is no answer but the reason. Thread: GUI.
class CodeHelp : public QObject
{
    Q_OBJECT
public:
    enum class Source
    {
        Kernel, ///< can be asked now
        Busy,
        Paused,
        Untrusted,
        NoKernel, ///< no cell of the language has run
        Unsupported
    };
    Q_ENUM(Source)

    /// The session may die first.
    explicit CodeHelp(NotebookSession *session, QObject *parent = nullptr);

    /// \a language as notebooks name it.
    Source source(const QString &language) const;
    /// False where completions come without documentation.
    bool canInspect(const QString &language) const;
    /// Ends with Kind::Unsupported where source() is not Kernel, with Kind::Conflict where a cell came in between.
    Request complete(const QString &language, const CodePlace &place, QObject *receiver, Done<CompletionList> done);
    Request inspect(const QString &language, const CodePlace &place, QObject *receiver, Done<Inspection> done);

private:
    std::shared_ptr<Context> contextOf(const QString &language) const;

    QPointer<NotebookSession> m_session;
};

} // namespace sandfish
