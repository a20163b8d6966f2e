#pragma once

#include "core/base/error.h"
#include "core/document/cell.h"
#include "core/providers/context.h"
#include "core/session/runtree.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sandfish {

class ContextPool;
class ExecutionQueue;
class NotebookDocument;

/// A context was rewound.
struct RewindReport
{
    CellId cell; ///< the context is as it was before its last run; as it was left, if isUndo
    int executionCount = 0;
    int undoneCells = 0; ///< whose last run is no part of the state now
    bool canUndo = false;
    bool isUndo = false;
};

/// Where a second context begins: at the state from before the last run of a cell.
struct BranchPoint
{
    SandboxId sandbox;
    ContextInfo context; ///< the new one
    CellId cell;
    int executionCount = 0;
    std::vector<CellId> undoneCells; ///< whose last run is no part of that state
};

/// The interpreter ended while a cell ran.
struct CrashReport
{
    CellId cell;
    ExecutionSummary summary;
    bool isRewound = false;        ///< the engine has gone back to the state from before the run by itself
    std::optional<CellId> offered; ///< if not: the newest state that is kept is that from before this cell's last run
};

/// Which cell of a notebook has which kept state, and going back to one. Runs that are asked for during a rewind wait.
/// Thread: GUI.
class Rewinder : public QObject
{
    Q_OBJECT
public:
    /// Everything outlives the rewinder.
    Rewinder(NotebookDocument *document, ExecutionQueue *queue, const ContextPool *contexts, QObject *parent = nullptr);

    /// Why there is no way back to the state from before the last run of a cell, as a sentence; empty: there is one.
    QString whyNot(const CellId &id) const;
    /// The cells whose last run would be no part of the state any more, itself included.
    std::vector<CellId> undoneBy(const CellId &id) const;
    /// A cell runs in the context of \a id: a rewind would have to stop it.
    bool isBusy(const CellId &id) const;
    /// failed() or rewound() follows. Cells that wait are taken out of the queue. A rewind of an idle context keeps the
    /// state that it leaves, for undo().
    void rewind(const CellId &id, Context::WhileBusy whileBusy);
    bool isRewinding() const { return m_isRewinding; }
    /// Until the next run or rewind.
    bool canUndo() const { return m_undo.has_value() && !m_isRewinding; }
    void undo();
    /// failed() or branched() follows.
    void branch(const CellId &id);

    /// A context was restarted: all its states are given up.
    void forget(const ContextId &context);
    void forgetAll();

signals:
    void rewound(const sandfish::RewindReport &report);
    void branched(const sandfish::BranchPoint &point);
    void crashed(const sandfish::CrashReport &report);
    void failed(const sandfish::Error &error);
    /// isRewinding() or canUndo().
    void stateChanged();

private:
    struct Run
    {
        ContextId context;
        int node = 0;
        int parent = 0;
        int executionCount = 0;
        std::optional<CheckpointRef> before;
    };
    struct Target
    {
        ContextId context;
        std::string checkpoint;
        int node = 0;
        CellId cell;
        int executionCount = 0;
    };

    void take(const CellId &id, const std::vector<ExecutionEvent> &events);
    void runStarted(const CellId &id, const ExecutionStarted &started);
    void runFinished(const CellId &id, const ExecutionSummary &summary);
    void settleCrash(const CellId &id, const ExecutionSummary &summary);
    std::shared_ptr<Context> contextOf(const ContextId &id) const;
    std::shared_ptr<Context> contextOfCell(const CellId &id) const;
    const Run *runOf(const CellId &id) const;
    std::vector<CellId> outside(const ContextId &context, const std::set<int> &path) const;
    void keepAndGo(const Target &target, const std::shared_ptr<Context> &context);
    void goTo(const Target &target, Context::WhileBusy whileBusy, bool isUndo);
    void arrived(const Target &target, const Result<> &result, bool isUndo);
    void setRewinding(bool isRewinding);
    void dropUndo();
    void refresh();
    void refresh(const std::shared_ptr<Context> &context, std::function<void()> then = {});
    void takeKept(const ContextId &context, const std::vector<CheckpointInfo> &kept, int lastNode);
    void giveUpBefore(const CellId &id, Run &run);
    void compact();

    NotebookDocument *m_document;
    ExecutionQueue *m_queue;
    const ContextPool *m_pool;
    std::map<ContextId, RunTree> m_trees;
    std::unordered_map<CellId, Run> m_runs; ///< the last one of each cell
    std::optional<Target> m_undo;
    QTimer m_refreshTimer;
    bool m_isRewinding = false;
};

} // namespace sandfish
