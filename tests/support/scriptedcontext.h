#pragma once

#include "tests/support/scriptedcheckpoints.h"
#include "tests/support/scriptedlook.h"

#include <QPointer>

#include <map>
#include <string>
#include <vector>

namespace sandfish::test {

/// What one run does.
struct Script
{
    /// One received() per entry, one entry per loop turn. After an entry whose last event is an InputRequest the run
    /// waits for sendInput() or endInput().
    std::vector<std::vector<ExecutionEvent>> turns;
    ExecutionSummary summary;
    /// The run stays open after the last turn until interrupt(), restart() or ScriptedContext::finishNow().
    bool staysOpen = false;

    /// Prints \a text and ends with Ok.
    static Script printing(std::string text);
    /// Raises an exception and ends with CodeError.
    static Script raising(std::string name, std::string message);
    /// Prints nothing and stays open.
    static Script hanging();
};

/// A Context without an interpreter: plays a script for each execute(), one run at a time, in order.
class ScriptedContext : public Context
{
    Q_OBJECT
public:
    explicit ScriptedContext(std::string language = "python", QObject *parent = nullptr);
    ~ScriptedContext() override;

    /// What runs that have no script of their own do; an empty Ok at first.
    void setDefaultScript(Script script) { m_defaultScript = std::move(script); }
    void setScript(const std::string &code, Script script) { m_scripts[code] = std::move(script); }

    ContextInfo info() const override { return m_info; }
    SandboxId sandboxId() const override { return m_sandbox; }
    void setInfo(ContextInfo info, SandboxId sandbox);
    Execution *execute(const ExecuteRequest &request) override;
    Request interrupt(QObject *receiver, Done<> done) override;
    Request restart(QObject *receiver, Done<> done) override;

    /// Nothing at first: the context shows nothing of its inside.
    ScriptedLook &look() { return m_look; }
    Looks looks() const override { return m_look.looks; }
    Request variables(const VariablesQuery &query, QObject *receiver, Done<VariableList> done) override;
    Request value(const ValueQuery &query, QObject *receiver, Done<ValuePage> done) override;
    Request complete(const CodePlace &place, QObject *receiver, Done<CompletionList> done) override;
    Request inspect(const CodePlace &place, QObject *receiver, Done<Inspection> done) override;

    /// None are kept at first.
    ScriptedCheckpoints &states() { return m_checkpoints; }
    bool keepsCheckpoints() const override { return m_checkpoints.areKept; }
    std::string whyNoCheckpoints() const override { return m_checkpoints.areKept ? "" : m_checkpoints.whyNot; }
    Request checkpoints(QObject *receiver, Done<std::vector<CheckpointInfo>> done) override;
    Request keepState(QObject *receiver, Done<CheckpointInfo> done) override;
    Request unpinCheckpoint(const std::string &id, QObject *receiver, Done<> done) override;
    Request rewind(const std::string &id, WhileBusy whileBusy, QObject *receiver, Done<> done) override;
    Request branch(const std::string &id, QObject *receiver, Done<ContextInfo> done) override;
    void setExecutionCount(int count) { m_executionCount = count; }

    /// Ends the open run.
    void finishNow(const ExecutionSummary &summary);
    /// Ends the open run with ConnectionLost, sets Dead and emits connectionLost().
    void loseConnection();
    void changeState(State state) { setState(state); }

    const std::vector<ExecuteRequest> &requests() const { return m_requests; }
    const std::vector<std::string> &inputs() const { return m_inputs; } ///< "\4" for endInput()
    int interruptCount() const { return m_interruptCount; }
    int restartCount() const { return m_restartCount; }
    /// False: interrupt() is accepted but the run goes on, as code that catches it does.
    void setObeysInterrupt(bool obeys) { m_obeysInterrupt = obeys; }

signals:
    void executed(const std::string &code);

private:
    friend class ScriptedExecution;
    void startNext();

    ScriptedLook m_look;
    ScriptedCheckpoints m_checkpoints;
    ContextInfo m_info;
    SandboxId m_sandbox{"scripted"};
    Script m_defaultScript;
    std::map<std::string, Script> m_scripts;
    std::vector<ExecuteRequest> m_requests;
    std::vector<std::string> m_inputs;
    std::vector<QPointer<Execution>> m_waiting;
    QPointer<Execution> m_running;
    int m_executionCount = 0;
    int m_interruptCount = 0;
    int m_restartCount = 0;
    bool m_obeysInterrupt = true;
};

} // namespace sandfish::test
