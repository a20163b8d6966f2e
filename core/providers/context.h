#pragma once

#include "core/protocol/checkpoint.h"
#include "core/protocol/lookinside.h"
#include "core/protocol/sandboxinfo.h"
#include "core/providers/execution.h"
#include "core/support/request.h"

#include <QFlags>
#include <QObject>

#include <string>
#include <vector>

namespace sandfish {

/// One interpreter in one sandbox. Thread: GUI.
class Context : public QObject
{
    Q_OBJECT
public:
    enum class State
    {
        Starting,
        Idle,
        Busy,
        Reconnecting,
        Dead
    };
    Q_ENUM(State)
    /// The questions about what is inside that a context answers.
    enum class Look
    {
        Variables = 0x1,
        Value = 0x2,
        Complete = 0x4,
        Inspect = 0x8,
    };
    Q_DECLARE_FLAGS(Looks, Look)
    /// What a rewind does with code that runs.
    enum class WhileBusy
    {
        Refuse, ///< Kind::Conflict
        Stop    ///< ends it at once, also a call that no interrupt ends
    };

    using QObject::QObject;

    virtual ContextInfo info() const = 0;
    virtual SandboxId sandboxId() const = 0;
    State state() const { return m_state; }

    /// Whether runs carry the state from before them, ExecutionStarted::checkpoint, which the calls below go back to.
    /// They end with Kind::Unsupported otherwise, and with Kind::NotFound for a state that is not kept any more.
    virtual bool keepsCheckpoints() const { return false; }
    /// A sentence for people; empty while keepsCheckpoints().
    virtual std::string whyNoCheckpoints() const;
    virtual Request checkpoints(QObject *receiver, Done<std::vector<CheckpointInfo>> done);
    /// Keeps the present state, pinned: it stays until it is unpinned and has become old.
    virtual Request keepState(QObject *receiver, Done<CheckpointInfo> done);
    virtual Request unpinCheckpoint(const std::string &id, QObject *receiver, Done<> done);
    /// A run that it stops ends with Outcome::Interrupted. Runs that are asked for meanwhile wait.
    virtual Request rewind(const std::string &id, WhileBusy whileBusy, QObject *receiver, Done<> done);
    /// Makes a second context of the same sandbox, which begins at that state. This one may be busy.
    virtual Request branch(const std::string &id, QObject *receiver, Done<ContextInfo> done);

    /// Runs code. The Execution is owned by the context and deleted after finished(), in a later loop turn.
    [[nodiscard]] virtual Execution *execute(const ExecuteRequest &request) = 0;
    /// done = the request was accepted; the outcome comes by Execution::finished().
    virtual Request interrupt(QObject *receiver, Done<> done);
    /// Forgets all variables. A running execution ends with Outcome::Interrupted. Where the service has no restart the
    /// context is made anew, and infoChanged() tells of its new id.
    virtual Request restart(QObject *receiver, Done<> done);

    /// What can be asked for below; what is missing ends with Kind::Unsupported. Nothing before the service is known.
    virtual Looks looks() const { return {}; }
    /// These four never run while a cell runs: they end with Kind::Conflict then, and do not wait.
    virtual Request variables(const VariablesQuery &query, QObject *receiver, Done<VariableList> done);
    virtual Request value(const ValueQuery &query, QObject *receiver, Done<ValuePage> done);
    virtual Request complete(const CodePlace &place, QObject *receiver, Done<CompletionList> done);
    virtual Request inspect(const CodePlace &place, QObject *receiver, Done<Inspection> done);

signals:
    void stateChanged(sandfish::Context::State state);
    /// info() has become fuller, such as by the version of an interpreter that was still starting, or has another id.
    void infoChanged();
    void connectionLost(const sandfish::Error &error);

protected:
    void setState(State state);

private:
    State m_state = State::Idle;
};

Q_DECLARE_OPERATORS_FOR_FLAGS(Context::Looks)

} // namespace sandfish
