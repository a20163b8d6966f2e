#pragma once

#include "core/engine/contextcheckpoints.h"
#include "core/engine/executionhistory.h"
#include "core/engine/forkbudget.h"
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
    using Kept = std::function<void(Result<ContextCheckpoints::CheckpointPtr>)>;
    using Done = std::function<void(Result<>)>;
    enum class WhileBusy
    {
        Refuse, ///< Kind::Conflict
        Stop    ///< ends the running cell and what waits
    };

    KernelContext(ContextServices services, ContextId id, Language language, std::string cwd, std::string realCwd);
    ~KernelContext();

    const ContextId &id() const { return m_id; }
    Language language() const { return m_language; }
    ContextInfo info() const;
    int executionCount() const { return m_executionCount; }
    SystemTime createdAt() const { return m_createdAt; }

    /// Starts the runner ahead of the first execution. One that is not used within a minute ends again.
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

    /// Whether contexts of a language have checkpoints, and else why not, for people.
    static bool canKeepState(Language language);
    static std::string_view whyNoState(Language language);
    const ContextCheckpoints &checkpoints() const { return m_checkpoints; }
    ContextCheckpoints &checkpoints() { return m_checkpoints; }
    /// Keeps the present state. Kind::Conflict while the context is busy, Kind::RateLimited beyond the pinned ones.
    void keepState(bool isPinned, Kept kept);
    /// Goes back to one of the context's own checkpoints; \a done once it is ready.
    void rewind(const Checkpoint &checkpoint, WhileBusy whileBusy, Done done);
    /// For a context that has run nothing: begins with a state of \a other, which goes on undisturbed.
    void beginAt(const KernelContext &other, const Checkpoint &checkpoint, Done done);

private:
    enum class Source
    {
        Program,
        Zygote,
        Checkpoint
    };
    struct PendingCheckpoint
    {
        int runnerId = 0;
        ContextCheckpoints::CheckpointPtr checkpoint;
        Kept kept;
        bool isAhead = false; ///< for the next execution, if nothing comes between
    };

    KernelProcess::Handlers handlers();
    bool isUnused() const { return m_process && m_nextRunnerId == 1 && m_queue.empty(); }
    bool isBusy() const { return m_running || !m_queue.empty(); }
    void beginProcess(Source source);
    void keepStateBefore(const KernelExecution &execution);
    void keepStateAhead(const KernelExecution &last);
    void askForCheckpoint(const std::string &executionId, bool isPinned, Kept kept);
    void handleCheckpoint(const Json &event);
    void dropPending();
    std::optional<CheckpointRef> beforeRunning() const;
    void resumeFrom(const Checkpoint &checkpoint);
    std::string unusedStateFile();
    void loadState(const std::string &file);
    void answerResumed(const Result<> &result);
    void coolDown();
    void startKernel();
    void startProgram();
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
    std::string m_notice; // for the next execution
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
    ContextCheckpoints m_checkpoints;
    PendingCheckpoint m_pending;
    ContextCheckpoints::CheckpointPtr m_ahead; // of the present state, for the next execution
    std::string m_before;                      // the checkpoint from before the running execution, else the last one
    bool m_hasRun = false;                     // anything since the state was begun
    ForkBudget m_forks;
    std::string m_stateFile; // of a state that the runner reads back once it is ready
    int m_nextStateFile = 0;
    Source m_source = Source::Program;
    Done m_resumed;
    PausableClock::TimerId m_startTimer = 0;
    PausableClock::TimerId m_timeoutTimer = 0;
    PausableClock::TimerId m_coolTimer = 0;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
};

} // namespace sandfish
