#pragma once

#include "core/protocol/lookinside.h"
#include "core/providers/context.h"
#include "core/support/request.h"

#include <QDateTime>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <list>
#include <memory>
#include <string>
#include <utility>

namespace sandfish {

class NotebookSession;

/// The variables of one context of the notebook in front, as they were when they were last read.
///
/// They are read when a run has ended, many runs in a row once, and only while active and while nothing runs in the
/// notebook: a question to a busy interpreter would hold up the next cell (P40 of notebooks.md). Thread: GUI.
class VariableWatch : public QObject
{
    Q_OBJECT
public:
    enum class State
    {
        NoNotebook,
        NoContext,   ///< no sandbox, or no cell of the language has run in it
        Unsupported, ///< the service cannot list variables
        Reading,     ///< for the first time
        Current,
        Busy,   ///< something runs: what is shown is from before
        Paused, ///< the same, and the sandbox sleeps
        Failed  ///< the last reading failed; errorText()
    };
    Q_ENUM(State)

    explicit VariableWatch(QObject *parent = nullptr);
    ~VariableWatch() override;

    /// Null: none. The session may die first.
    void setSession(NotebookSession *session);
    NotebookSession *session() const; ///< null: none
    /// Of the cell at hand: its context if there is one, else the notebook's own.
    void setLanguage(const QString &language);
    /// False: nobody looks, so nothing is read.
    void setActive(bool isActive);
    void refresh();

    State state() const { return m_state; }
    /// Of the last reading of this context; empty if there was none.
    const VariableList &variables() const;
    QDateTime readAt() const; ///< invalid: never
    QString errorText() const { return m_errorText; }
    std::shared_ptr<Context> context() const { return m_context.lock(); }

signals:
    void changed();
    /// Another reading of the same context: what is shown of one of its variables is old.
    void readAgain();

private:
    struct Reading
    {
        std::pair<SandboxId, ContextId> of;
        VariableList list;
        QDateTime at;
    };

    void update();
    void follow(const std::shared_ptr<Context> &context);
    std::shared_ptr<Context> pick() const;
    State stateNow(const Context *context) const;
    void schedule();
    void read();
    void take(const Context &context, const Result<VariableList> &answer);
    void store(const Context &context, const VariableList &list);
    const Reading *reading() const;

    QPointer<NotebookSession> m_session;
    std::string m_language;
    std::weak_ptr<Context> m_context;
    std::list<Reading> m_readings; ///< the latest first; bounded
    State m_state = State::NoNotebook;
    QString m_errorText;
    Request m_request;
    QTimer m_timer;
    int m_refusals = 0; ///< in a row, by an interpreter that was busy
    bool m_isActive = false;
    bool m_isOld = true; ///< something may have changed since the last reading
};

} // namespace sandfish
