#pragma once

#include "core/protocol/sandboxinfo.h"
#include "core/providers/execution.h"
#include "core/support/request.h"

#include <QObject>

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

    using QObject::QObject;

    virtual ContextInfo info() const = 0;
    virtual SandboxId sandboxId() const = 0;
    State state() const { return m_state; }

    /// Runs code. The Execution is owned by the context and deleted after finished(), in a later loop turn.
    [[nodiscard]] virtual Execution *execute(const ExecuteRequest &request) = 0;
    /// done = the request was accepted; the outcome comes by Execution::finished().
    virtual Request interrupt(QObject *receiver, Done<> done);
    /// Forgets all variables; the id stays. A running execution ends with Outcome::Interrupted.
    virtual Request restart(QObject *receiver, Done<> done);

signals:
    void stateChanged(sandfish::Context::State state);
    /// info() has become fuller, such as by the version of an interpreter that was still starting.
    void infoChanged();
    void connectionLost(const sandfish::Error &error);

protected:
    void setState(State state);

private:
    State m_state = State::Idle;
};

} // namespace sandfish
