#pragma once

#include "core/providers/context.h"
#include "core/providers/daytona/daytonaoutcome.h"
#include "core/providers/daytona/daytonaworker.h"

#include <QPointer>
#include <QTimer>

#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace sandfish {

class DaytonaExecution;
class DaytonaLink;

/// A Python context of a Daytona sandbox. Runs are sent one at a time, after a short look into the interpreter (see
/// Daytona::workerCode) that makes it possible to interrupt them.
///
/// A restart is a new context under a new id, told by infoChanged(). While a cell runs the service hears now and then
/// that the sandbox is in use, so that its idle time does not end the run.
class DaytonaContext : public Context
{
    Q_OBJECT
public:
    DaytonaContext(std::shared_ptr<DaytonaLink> link, SandboxId sandbox, ContextInfo info);
    ~DaytonaContext() override;

    ContextInfo info() const override { return m_info; }
    SandboxId sandboxId() const override { return m_sandbox; }
    Execution *execute(const ExecuteRequest &request) override;
    Request interrupt(QObject *receiver, Done<> done) override;
    Request restart(QObject *receiver, Done<> done) override;

private:
    friend class DaytonaExecution;

    void startNext();
    void lookInside();
    void takeWorker(const std::string &printed);
    void executionEnded(const DaytonaExecution *execution);
    void noteFate(Daytona::ContextFate fate);
    void endWaiting(Outcome outcome, const QString &reason);
    void openAnew(const Completion<> &completion);
    void settleRestart(const Result<> &result);
    void keepAwake();
    Error noInterrupt() const;

    std::shared_ptr<DaytonaLink> m_link;
    SandboxId m_sandbox;
    ContextInfo m_info;
    std::optional<Daytona::Worker> m_worker;
    std::deque<QPointer<DaytonaExecution>> m_waiting;
    QPointer<DaytonaExecution> m_running;
    QTimer m_rest;
    QTimer m_awake;
    bool m_hasLooked = false;
    bool m_isRestarting = false;
    bool m_mayEndEarly = false; ///< the end of the run before may still be on its way
};

} // namespace sandfish
