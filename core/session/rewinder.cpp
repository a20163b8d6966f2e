#include "core/session/rewinder.h"

#include "core/document/notebookdocument.h"
#include "core/session/contextpool.h"
#include "core/session/executionqueue.h"

#include <algorithm>

namespace sandfish {
namespace {

using Hold = ExecutionQueue::Hold;

// Longer than the pause between two cells of a queue.
constexpr std::chrono::milliseconds kRefreshAfter{200};
// A run takes some bytes of the tree; those of cells that were run again are let go of in one go.
constexpr std::size_t kMaxTreeSize = 4096;

} // namespace

Rewinder::Rewinder(NotebookDocument *document, ExecutionQueue *queue, const ContextPool *contexts, QObject *parent)
    : QObject(parent)
    , m_document(document)
    , m_queue(queue)
    , m_pool(contexts)
{
    connect(queue, &ExecutionQueue::received, this, &Rewinder::take);
    connect(queue, &ExecutionQueue::cellFinished, this, &Rewinder::runFinished);
    connect(queue, &ExecutionQueue::idle, &m_refreshTimer, qOverload<>(&QTimer::start));
    m_refreshTimer.setSingleShot(true);
    m_refreshTimer.setInterval(kRefreshAfter);
    connect(&m_refreshTimer, &QTimer::timeout, this, qOverload<>(&Rewinder::refresh));
}

std::shared_ptr<Context> Rewinder::contextOf(const ContextId &id) const
{
    for (const auto &[language, context] : m_pool->contexts()) {
        if (context->info().id == id && context->state() != Context::State::Dead)
            return context;
    }
    return nullptr;
}

std::shared_ptr<Context> Rewinder::contextOfCell(const CellId &id) const
{
    if (const Run *run = runOf(id))
        return contextOf(run->context);
    const auto found = m_pool->contexts().find(m_document->effectiveLanguage(id).toStdString());
    return found == m_pool->contexts().end() ? nullptr : found->second;
}

const Rewinder::Run *Rewinder::runOf(const CellId &id) const
{
    const auto found = m_runs.find(id);
    return found == m_runs.end() ? nullptr : &found->second;
}

QString Rewinder::whyNot(const CellId &id) const
{
    const qsizetype index = m_document->indexOf(id);
    if (index < 0 || m_document->peekAt(index).type != Cell::Type::Code)
        return tr("This is no code cell.");
    const Run *run = runOf(id);
    const std::shared_ptr<Context> context = contextOfCell(id);
    if (context && !context->keepsCheckpoints())
        return QString::fromStdString(context->whyNoCheckpoints());
    if (m_queue->isHeld(Hold::Pause))
        return tr("The sandbox is paused. Resume it first.");
    if (m_isRewinding)
        return tr("A rewind is under way.");
    if (!run)
        return m_document->peekAt(index).executionCount > 0 ? tr("This cell has not run since its context began.")
                                                            : tr("This cell has not run.");
    if (!context)
        return tr("The context in which this cell ran is gone.");
    return run->before ? QString() : tr("The state from before this cell is not kept.");
}

std::vector<CellId> Rewinder::outside(const ContextId &context, const std::set<int> &path) const
{
    std::vector<CellId> cells;
    for (const auto &[cell, run] : m_runs) {
        if (run.context == context && !path.contains(run.node))
            cells.push_back(cell);
    }
    return cells;
}

std::vector<CellId> Rewinder::undoneBy(const CellId &id) const
{
    const Run *run = runOf(id);
    const auto tree = run ? m_trees.find(run->context) : m_trees.end();
    if (tree == m_trees.end())
        return {};
    std::vector<CellId> cells = outside(run->context, tree->second.path(run->parent));
    // What an earlier rewind has undone already is no loss of this one.
    std::erase_if(cells, [&](const CellId &cell) {
        const qsizetype index = m_document->indexOf(cell);
        return index < 0 || (m_document->peekAt(index).run.isUndone && cell != id);
    });
    return cells;
}

void Rewinder::take(const CellId &id, const std::vector<ExecutionEvent> &events)
{
    for (const ExecutionEvent &event : events) {
        if (const auto *started = std::get_if<ExecutionStarted>(&event))
            runStarted(id, *started);
    }
}

void Rewinder::runStarted(const CellId &id, const ExecutionStarted &started)
{
    const std::shared_ptr<Context> context = m_queue->runningContext();
    if (!context)
        return;
    const ContextId contextId = context->info().id;
    RunTree &tree = m_trees[contextId];
    const int parent = tree.current();
    const int node = tree.add();
    m_runs[id] = {contextId, node, parent, started.executionCount, started.checkpoint};
    if (m_undo && m_undo->context == contextId)
        dropUndo();
    if (tree.size() > kMaxTreeSize)
        compact();
}

void Rewinder::runFinished(const CellId &id, const ExecutionSummary &summary)
{
    if (summary.outcome == Outcome::Crashed)
        settleCrash(id, summary);
}

// Where the state from before the run is kept, the engine has gone back to it at once (core/engine/PROTOCOL.md §3.3).
void Rewinder::settleCrash(const CellId &id, const ExecutionSummary &summary)
{
    const std::shared_ptr<Context> context = contextOfCell(id);
    if (!context || !runOf(id)) {
        emit crashed({id, summary, false, {}});
        return;
    }
    const ContextId contextId = context->info().id;
    refresh(context, [this, id, summary, contextId] {
        const Run *run = runOf(id);
        if (!run || run->context != contextId)
            return;
        RunTree &tree = m_trees[contextId];
        CrashReport report{id, summary, run->before.has_value(), {}};
        // A new run since has its own place in the tree.
        if (tree.current() == run->node)
            tree.goTo(report.isRewound ? run->parent : 0);
        int newest = 0;
        for (const auto &[cell, other] : m_runs) {
            const bool isOffer = !report.isRewound && other.context == contextId && other.before;
            if (isOffer && other.node > newest && m_document->indexOf(cell) >= 0) {
                newest = other.node;
                report.offered = cell;
            }
        }
        emit crashed(report);
    });
}

bool Rewinder::isBusy(const CellId &id) const
{
    const std::shared_ptr<Context> running = m_queue->runningContext();
    return running && running == contextOfCell(id);
}

void Rewinder::rewind(const CellId &id, Context::WhileBusy whileBusy)
{
    if (const QString reason = whyNot(id); !reason.isEmpty()) {
        emit failed({Error::Kind::Unsupported, reason.toStdString(), {}});
        return;
    }
    const Run &run = *runOf(id);
    const Target target{run.context, run.before->id, run.parent, id, run.executionCount};
    const std::shared_ptr<Context> context = contextOf(run.context);
    const bool isRunning = isBusy(id);
    if (isRunning && whileBusy == Context::WhileBusy::Refuse) {
        emit failed({Error::Kind::Conflict, tr("A cell is running. Stop it first.").toStdString(), {}});
        return;
    }
    m_queue->cancelPending();
    m_undo.reset();
    setRewinding(true);
    if (isRunning)
        goTo(target, whileBusy, false);
    else
        keepAndGo(target, context);
}

// Pinned until the rewind is done: one more unpinned state could push out the very one that is gone back to.
void Rewinder::keepAndGo(const Target &target, const std::shared_ptr<Context> &context)
{
    context->keepState(this, [this, target, context](const Result<CheckpointInfo> &kept) {
        // Without it there is no undo, which is told, and the rewind goes on.
        if (kept)
            m_undo = Target{
                target.context, kept->ref.id, m_trees[target.context].current(), target.cell, target.executionCount};
        goTo(target, Context::WhileBusy::Refuse, false);
    });
}

void Rewinder::goTo(const Target &target, Context::WhileBusy whileBusy, bool isUndo)
{
    const std::shared_ptr<Context> context = contextOf(target.context);
    if (!context) {
        arrived(target, Error{Error::Kind::Gone, tr("The context is gone.").toStdString(), {}}, isUndo);
        return;
    }
    context->rewind(target.checkpoint, whileBusy, this,
        [this, target, isUndo, context](const Result<> &result) { arrived(target, result, isUndo); });
}

void Rewinder::arrived(const Target &target, const Result<> &result, bool isUndo)
{
    if (m_undo) {
        if (const std::shared_ptr<Context> context = contextOf(m_undo->context))
            context->unpinCheckpoint(m_undo->checkpoint, this, [](const Result<> &) {});
    }
    if (!result || isUndo)
        m_undo.reset();
    if (result) {
        RunTree &tree = m_trees[target.context];
        tree.goTo(target.node);
        const std::set<int> path = tree.path(target.node);
        for (const auto &[cell, run] : m_runs) {
            if (run.context == target.context)
                m_document->setRunUndone(cell, !path.contains(run.node));
        }
    }
    setRewinding(false);
    m_refreshTimer.start();
    if (!result) {
        emit failed(result.error());
        return;
    }
    const auto undone = int(outside(target.context, m_trees[target.context].path(target.node)).size());
    emit rewound({target.cell, target.executionCount, undone, canUndo(), isUndo});
}

void Rewinder::undo()
{
    if (!canUndo())
        return;
    const Target target = *m_undo;
    m_undo.reset();
    setRewinding(true);
    goTo(target, Context::WhileBusy::Refuse, true);
}

void Rewinder::branch(const CellId &id)
{
    if (const QString reason = whyNot(id); !reason.isEmpty()) {
        emit failed({Error::Kind::Unsupported, reason.toStdString(), {}});
        return;
    }
    const Run run = *runOf(id);
    const std::shared_ptr<Context> context = contextOf(run.context);
    const std::vector<CellId> undone = outside(run.context, m_trees[run.context].path(run.parent));
    context->branch(run.before->id, this, [this, id, run, context, undone](const Result<ContextInfo> &made) {
        m_refreshTimer.start();
        if (made)
            emit branched({context->sandboxId(), *made, id, run.executionCount, undone});
        else
            emit failed(made.error());
    });
}

void Rewinder::setRewinding(bool isRewinding)
{
    m_isRewinding = isRewinding;
    m_queue->setHeld(Hold::Rewind, isRewinding);
    emit stateChanged();
}

void Rewinder::dropUndo()
{
    m_undo.reset();
    emit stateChanged();
}

void Rewinder::refresh()
{
    for (const auto &[language, context] : m_pool->contexts()) {
        if (m_trees.contains(context->info().id) && context->state() != Context::State::Dead)
            refresh(context);
    }
}

void Rewinder::refresh(const std::shared_ptr<Context> &context, std::function<void()> then)
{
    const ContextId id = context->info().id;
    const int lastNode = m_trees[id].last();
    context->checkpoints(
        this, [this, id, lastNode, context, then = std::move(then)](const Result<std::vector<CheckpointInfo>> &kept) {
            if (kept || kept.error().kind == Error::Kind::Unsupported || kept.error().kind == Error::Kind::NotFound)
                takeKept(id, kept ? *kept : std::vector<CheckpointInfo>(), lastNode);
            if (then)
                then();
        });
}

// Of runs that began after the question the answer knows nothing.
void Rewinder::takeKept(const ContextId &context, const std::vector<CheckpointInfo> &kept, int lastNode)
{
    const auto isKept = [&kept](const std::string &id) {
        return std::any_of(kept.begin(), kept.end(), [&id](const CheckpointInfo &each) { return each.ref.id == id; });
    };
    for (auto &[cell, run] : m_runs) {
        if (run.context == context && run.node <= lastNode && run.before && !isKept(run.before->id))
            giveUpBefore(cell, run);
    }
    if (m_undo && m_undo->context == context && !m_isRewinding && !isKept(m_undo->checkpoint))
        dropUndo();
}

void Rewinder::giveUpBefore(const CellId &id, Run &run)
{
    run.before.reset();
    m_document->setRunBefore(id, std::nullopt);
}

void Rewinder::forget(const ContextId &context)
{
    for (auto it = m_runs.begin(); it != m_runs.end();) {
        if (it->second.context != context) {
            ++it;
            continue;
        }
        m_document->setRunBefore(it->first, std::nullopt);
        m_document->setRunUndone(it->first, false);
        it = m_runs.erase(it);
    }
    m_trees.erase(context);
    if (m_undo && m_undo->context == context)
        dropUndo();
}

void Rewinder::forgetAll()
{
    for (const auto &[context, tree] : std::map(m_trees))
        forget(context);
}

// Of a cell that was removed the run goes too: it comes back without a way to the state before it.
void Rewinder::compact()
{
    std::erase_if(m_runs, [this](const auto &entry) { return m_document->indexOf(entry.first) < 0; });
    std::map<ContextId, std::set<int>> wanted;
    for (const auto &[cell, run] : m_runs)
        wanted[run.context].insert({run.node, run.parent});
    if (m_undo)
        wanted[m_undo->context].insert(m_undo->node);
    for (auto &[context, tree] : m_trees)
        tree.keepOnly(wanted[context]);
}

} // namespace sandfish
