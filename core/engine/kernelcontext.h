#pragma once

#include "core/engine/executionhistory.h"
#include "core/engine/interruptladder.h"
#include "core/engine/kernellaunch.h"
#include "core/engine/kernelqueries.h"
#include "core/engine/runnerevents.h"
#include "core/protocol/sandboxinfo.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace sandfish {

/// One interpreter of a sandbox: a queue of executions, the runner that takes them one by one, and their logs.
///
/// The runner is started when it is first needed, and anew after it has died. Thread: the loop's.
class KernelContext
{
public:
    using ExecutionPtr = std::shared_ptr<KernelExecution>;
    using Answer = KernelQueries::Answer;

    KernelContext(ContextServices services, ContextId id, Language language, std::string cwd, std::string realCwd);
    ~KernelContext();

    const ContextId &id() const { return m_id; }
    Language language() const { return m_language; }
    ContextInfo info() const;
    int executionCount() const { return m_executionCount; }
    SystemTime createdAt() const { return m_createdAt; }

    /// Starts the runner ahead of the first execution.
    void warmUp();
    /// Takes over the runner that \a other, of the same sandbox, has started and never used; false if there is none, or
    /// if the language cannot change the folder of a runner. \a other starts a new one when it is needed.
    bool takeRunner(KernelContext &other);
    /// Kind::RateLimited when too many executions wait.
    Result<ExecutionPtr> enqueue(ExecutionSpec spec);
    /// A queued, running or kept execution; null if there is none.
    ExecutionPtr find(const std::string &executionId) const;
    /// Interrupts the running execution, if there is one.
    void interrupt();
    /// Takes a waiting execution out of the queue, or interrupts the running one.
    void cancel(const ExecutionPtr &execution);
    Result<> sendInput(std::string_view text);
    Result<> endInput();
    /// A new runner with the same id; what runs is ended, what waits stays.
    void restart();
    /// Ends the runner and everything that runs or waits. The context takes nothing more.
    void shutDown(const std::string &reason);
    /// A question of resources/runners/README.md §3 while nothing runs, else Kind::Conflict.
    void query(const std::string &operation, const Json &parameters, Answer answer);

private:
    KernelProcess::Handlers handlers();
    void startKernel();
    void becomeReady();
    void retireKernel();
    void runNext();
    void handleText(StreamText::Channel channel, std::string_view bytes);
    void handleEvent(const Json &event);
    void handleStarted(const Json &event);
    void handleDone(const Json &event);
    void setOwner(ExecutionPtr execution);
    void handleTimeout();
    void handleEnd(const KernelEnd &end);
    void finishRunning(std::optional<ErrorOutput> error, WireDone done);
    void failRunning(Outcome outcome, const std::string &name, const std::string &reason);
    void failQueue(const std::string &reason);
    ExecutionPtr byRunnerId(const Json &event) const;

    ContextServices m_services;
    ContextId m_id;
    Language m_language;
    std::string m_cwd;
    std::string m_realCwd;
    std::string m_version;
    std::string m_folderMessage; // for a runner that was started in another folder, once it is ready
    ContextState m_state = ContextState::Idle;
    InterruptLadder m_ladder;
    std::shared_ptr<KernelProcess> m_process;
    bool m_isReady = false;
    bool m_isShutDown = false;
    bool m_hasLostState = false;
    bool m_hasTimedOut = false;
    int m_executionCount = 0;
    SystemTime m_createdAt = std::chrono::system_clock::now();
    int m_nextRunnerId = 1;
    std::deque<ExecutionPtr> m_queue;
    ExecutionPtr m_running;
    int m_runningId = 0;
    ExecutionPtr m_owner;
    ExecutionHistory m_history;
    KernelQueries m_queries;
    PausableClock::TimerId m_startTimer = 0;
    PausableClock::TimerId m_timeoutTimer = 0;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
};

} // namespace sandfish
