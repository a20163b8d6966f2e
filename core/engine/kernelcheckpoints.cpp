// How a context keeps its states, goes back to one, and begins at one of another context.
#include "core/engine/kernelcontext.h"
#include "core/engine/pythonzygote.h"
#include "core/engine/randomid.h"

#include <algorithm>
#include <utility>

namespace sandfish {
namespace {

// More than can be kept at a time.
constexpr int kStateFiles = 64;

Error busyError()
{
    return {Error::Kind::Conflict, "The context is busy. Wait until no cell runs, or interrupt the one that does."};
}

std::vector<std::string> texts(const Json &array)
{
    std::vector<std::string> found;
    for (const Json &text : array) {
        if (text.is_string())
            found.push_back(text.get<std::string>());
    }
    return found;
}

Error notKept(const Json &event)
{
    if (boolOr(event, "skipped", false))
        return {Error::Kind::Conflict,
            "The state has running child processes or uses the graphics processor, so it cannot be kept. End them "
            "first."};
    return {Error::Kind::Io, "The state could not be kept: " + stringOr(event, "error", "its process ended") + "."};
}

} // namespace

bool KernelContext::canKeepState(Language language)
{
    return language != Language::JavaScript;
}

std::string_view KernelContext::whyNoState(Language language)
{
    return language == Language::JavaScript
        ? "JavaScript contexts cannot be rewound or branched: Node.js does not survive a fork."
        : "";
}

// The message goes ahead of the cell's own, so nobody waits for an answer in between.
void KernelContext::keepStateBefore(const KernelExecution &execution)
{
    m_before.clear();
    m_hasRun = true;
    const ContextCheckpoints::CheckpointPtr ahead = std::exchange(m_ahead, nullptr);
    if (!execution.spec().keepsState || !canKeepState(m_language))
        return;
    if (ahead) {
        ahead->executionId = execution.id();
        m_before = ahead->id;
        m_checkpoints.add(ahead);
        return;
    }
    if (m_services.isUnderPressure()) {
        m_services.relieve();
        return;
    }
    if (m_forks.allows())
        askForCheckpoint(execution.id(), false, nullptr);
}

void KernelContext::keepState(bool isPinned, Kept kept)
{
    const Result<> pinnable = isPinned ? m_checkpoints.checkPinnable() : Result<>();
    if (!pinnable)
        kept(pinnable.error());
    else if (!m_process)
        kept(Error{Error::Kind::Conflict, "The context has no interpreter yet. Run a cell first."});
    else if (!m_isReady || isBusy() || m_pending.checkpoint)
        kept(busyError());
    else
        askForCheckpoint("", isPinned, std::move(kept));
}

// Writing the state of a shell down takes some 20 ms, which the next cell need not wait for.
void KernelContext::keepStateAhead(const KernelExecution &last)
{
    if (m_language != Language::Bash || !last.spec().keepsState)
        return;
    m_services.loop.post([this, alive = m_isAlive] {
        if (!*alive || !m_process || !m_isReady || isBusy() || m_ladder.isSettling() || m_pending.checkpoint || m_ahead
            || m_services.isUnderPressure())
            return;
        askForCheckpoint("", false, nullptr);
        m_pending.isAhead = true;
    });
}

void KernelContext::askForCheckpoint(const std::string &executionId, bool isPinned, Kept kept)
{
    const int id = m_nextRunnerId++;
    auto checkpoint = std::make_shared<Checkpoint>();
    if (m_language == Language::Bash) {
        checkpoint->file = unusedStateFile();
        m_process->send(keepMessage(id, checkpoint->file));
    } else {
        Result<std::shared_ptr<HolderLink>> holder = m_process->checkpoint(id);
        if (!holder) {
            if (kept)
                kept(holder.error());
            return;
        }
        checkpoint->holder = holder.take();
    }
    checkpoint->id = randomUuid();
    checkpoint->executionId = executionId;
    checkpoint->executionCount = m_executionCount;
    checkpoint->created = std::chrono::system_clock::now();
    checkpoint->isPinned = isPinned;
    m_pending = {id, std::move(checkpoint), std::move(kept), false};
}

// The files of states that are not kept any more are written over.
std::string KernelContext::unusedStateFile()
{
    const auto isUsed = [this](const std::string &file) {
        const auto &rows = m_checkpoints.rows();
        return (m_ahead && m_ahead->file == file)
            || std::any_of(rows.begin(), rows.end(), [&](const auto &row) { return row->file == file; });
    };
    std::string file;
    do {
        m_nextStateFile = (m_nextStateFile + 1) % kStateFiles;
        file = m_services.temporary + "/.sandfish-state-" + m_id.value + "-" + std::to_string(m_nextStateFile);
    } while (isUsed(file));
    return file;
}

void KernelContext::handleCheckpoint(const Json &event)
{
    if (!m_pending.checkpoint || integerOr(event, "id", 0) != m_pending.runnerId)
        return;
    const auto [id, checkpoint, kept, isAhead] = std::exchange(m_pending, {});
    // Of the processor, so that a busy computer does not make forks look slow.
    m_forks.add(numberOr(event, "cpu_ms", 0));
    const bool isKept =
        !event.contains("skipped") && !event.contains("error") && (!checkpoint->holder || checkpoint->holder->isOpen());
    if (isKept) {
        checkpoint->inexact = texts(memberOrNull(event, "inexact"));
        if (isAhead)
            m_ahead = checkpoint;
        else
            m_checkpoints.add(checkpoint);
        if (!checkpoint->executionId.empty())
            m_before = checkpoint->id;
    }
    if (kept)
        kept(isKept ? Result<ContextCheckpoints::CheckpointPtr>(checkpoint) : notKept(event));
    runNext();
}

void KernelContext::dropPending()
{
    const PendingCheckpoint pending = std::exchange(m_pending, {});
    if (pending.kept)
        pending.kept(Error{Error::Kind::Conflict, "The interpreter has ended."});
}

std::optional<CheckpointRef> KernelContext::beforeRunning() const
{
    const auto checkpoint = m_checkpoints.find(m_before);
    if (!checkpoint)
        return std::nullopt;
    return CheckpointRef{checkpoint->id, checkpoint->inexact};
}

void KernelContext::rewind(const Checkpoint &checkpoint, WhileBusy whileBusy, Done done)
{
    if (isBusy() && whileBusy == WhileBusy::Refuse) {
        done(busyError());
        return;
    }
    failRunning(Outcome::Aborted, "KernelRewound", "The context was rewound while the cell ran.");
    failQueue("The context was rewound before the cell ran.");
    retireKernel();
    m_notice.clear();
    m_resumed = std::move(done);
    resumeFrom(checkpoint);
}

void KernelContext::beginAt(const KernelContext &other, const Checkpoint &checkpoint, Done done)
{
    // Tasks of the state's own cells speak by the numbers that these had.
    m_nextRunnerId = other.m_nextRunnerId;
    m_resumed = std::move(done);
    resumeFrom(checkpoint);
}

void KernelContext::resumeFrom(const Checkpoint &checkpoint)
{
    if (checkpoint.holder) {
        beginProcess(Source::Checkpoint);
        m_process->resume(*checkpoint.holder, "", KernelProcess::Randomness::Kept, "Python");
    } else {
        m_stateFile = checkpoint.file;
        startProgram();
        m_source = Source::Checkpoint;
    }
    m_executionCount = checkpoint.executionCount;
    m_before = checkpoint.id;
    m_hasRun = false;
}

// No cell is sent before the answer.
void KernelContext::loadState(const std::string &file)
{
    const int id = m_nextRunnerId++;
    m_queries.add(id, [this](const Result<Json> &loaded) {
        if (loaded) {
            answerResumed({});
            return;
        }
        m_notice = "The saved state could not be read. Variables of earlier cells are gone.";
        m_executionCount = 0;
        answerResumed(Error{Error::Kind::NotFound, "The state is not kept any more."});
    });
    m_process->send(loadMessage(id, file));
}

void KernelContext::answerResumed(const Result<> &result)
{
    if (const Done done = std::exchange(m_resumed, nullptr))
        done(result);
}

void KernelContext::handleEnd(const KernelEnd &end)
{
    const bool wasReady = m_isReady;
    // A state that ends by itself, before it has run anything, would do so again.
    const auto before = wasReady && m_hasRun ? m_checkpoints.find(m_before) : nullptr;
    const bool wasRunning = m_running != nullptr;
    if (m_running)
        m_running->noteKernelEnd();
    if (m_running && m_hasTimedOut) {
        failRunning(Outcome::TimedOut, "TimeoutError",
            "The cell ran longer than " + secondsText(*m_running->spec().timeout)
                + " and did not react to an interrupt, so its interpreter was ended."
                + (before ? " Variables are as they were before the cell." : " Variables are gone."));
    } else {
        failRunning(Outcome::Crashed, "KernelDied",
            end.reason
                + (before ? " Variables are as they were before this cell."
                          : " Variables are gone; the next cell starts a new one."));
    }
    if (!wasReady)
        answerResumed(Error{Error::Kind::Io, end.reason});
    retireKernel();
    m_state = ContextState::Idle;
    if (before) {
        m_notice = wasRunning
            ? "The interpreter ended in the last cell. Variables are as they were before it."
            : "The interpreter ended after the last cell. Variables are as they were before that cell.";
        resumeFrom(*before);
        return;
    }
    if (!wasReady && m_source == Source::Zygote && !m_isShutDown) {
        m_services.zygote.renew();
        startProgram();
        return;
    }
    if (wasReady || m_source == Source::Checkpoint)
        m_notice = "The interpreter was started anew. Variables of earlier cells are gone.";
    // A runner that never came up would not come up for the next execution either.
    if (!wasReady && m_source == Source::Program) {
        for (const ExecutionPtr &execution : m_queue)
            execution->noteKernelEnd();
        failQueue(end.reason);
    } else {
        runNext();
    }
}

} // namespace sandfish
