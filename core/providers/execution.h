#pragma once

#include "core/protocol/executionevent.h"

#include <QObject>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace sandfish {

struct ExecuteRequest
{
    std::string code;                               ///< UTF-8
    std::string label;                              ///< how tracebacks name the cell, such as the execution count
    std::map<std::string, std::string> environment; ///< for this run only
    std::chrono::milliseconds timeout{0};           ///< 0: none
};

/// One run of one piece of code: the stream of its events. Thread: GUI.
class Execution : public QObject
{
    Q_OBJECT
public:
    enum class State
    {
        Queued,
        Running,
        AwaitingInput,
        Finished
    };
    Q_ENUM(State)

    using QObject::QObject;

    State state() const { return m_state; }
    /// Answers an InputRequest with a line without LF, or ends the input. Ignored in other states.
    virtual void sendInput(const std::string &line) = 0;
    virtual void endInput() = 0;

signals:
    /// One emission per drain turn, in wire order.
    void received(const std::vector<sandfish::ExecutionEvent> &events);
    void stateChanged(sandfish::Execution::State state);
    /// Exactly once, after the last received(), also after the loss of the connection.
    void finished(const sandfish::ExecutionSummary &summary);

protected:
    void setState(State state);
    /// Sets Finished and emits finished(); later calls are ignored.
    void finish(const ExecutionSummary &summary);

private:
    State m_state = State::Queued;
};

} // namespace sandfish
