#pragma once

#include "core/providers/context.h"

#include <QPointer>

#include <deque>
#include <memory>

namespace sandfish {

class LizardExecution;
class LizardLink;

/// A context of a seed service or of the local engine. Runs are sent one at a time: over HTTP two posts could overtake
/// each other, and a seed service answers nobody while it runs (protocols.md §1.6-2).
class LizardContext : public Context
{
    Q_OBJECT
public:
    LizardContext(std::shared_ptr<LizardLink> link, SandboxId sandbox, ContextInfo info);
    ~LizardContext() override;

    ContextInfo info() const override { return m_info; }
    SandboxId sandboxId() const override { return m_sandbox; }
    Execution *execute(const ExecuteRequest &request) override;
    Request interrupt(QObject *receiver, Done<> done) override;
    Request restart(QObject *receiver, Done<> done) override;
    Looks looks() const override;
    Request variables(const VariablesQuery &query, QObject *receiver, Done<VariableList> done) override;
    Request value(const ValueQuery &query, QObject *receiver, Done<ValuePage> done) override;
    Request complete(const CodePlace &place, QObject *receiver, Done<CompletionList> done) override;
    Request inspect(const CodePlace &place, QObject *receiver, Done<Inspection> done) override;
    bool keepsCheckpoints() const override;
    std::string whyNoCheckpoints() const override;
    Request checkpoints(QObject *receiver, Done<std::vector<CheckpointInfo>> done) override;
    Request keepState(QObject *receiver, Done<CheckpointInfo> done) override;
    Request unpinCheckpoint(const std::string &id, QObject *receiver, Done<> done) override;
    Request rewind(const std::string &id, WhileBusy whileBusy, QObject *receiver, Done<> done) override;
    Request branch(const std::string &id, QObject *receiver, Done<ContextInfo> done) override;

private:
    friend class LizardExecution;

    void startNext();
    void readVersion();
    void executionEnded(const LizardExecution *execution, const ExecutionSummary &summary);
    void abortWaiting(const std::string &reason);
    void settleRestart(const Result<> &result);
    void settleRewind(const Result<> &result);
    void goOn();

    std::shared_ptr<LizardLink> m_link;
    SandboxId m_sandbox;
    ContextInfo m_info;
    std::deque<QPointer<LizardExecution>> m_waiting;
    QPointer<LizardExecution> m_running;
    bool m_isRestarting = false;
    bool m_isRewinding = false;
    std::string m_whyNoCheckpoints; ///< once the service has said so
    bool m_hasWarned = false;
};

} // namespace sandfish
