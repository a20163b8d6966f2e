#pragma once

#include "core/base/error.h"
#include "core/document/cell.h"
#include "core/providers/context.h"

#include <QObject>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace sandfish {

class NotebookDocument;

/// Gives the queue the context of a language: opens it at the first call. Implemented by NotebookSession.
class ContextSource
{
public:
    virtual ~ContextSource() = default;
    virtual Request contextFor(const std::string &language, QObject *receiver, Done<std::shared_ptr<Context>> done) = 0;
};

/// Runs the cells of one notebook one after the other, each on the context of its language, and writes what comes
/// into the document. Thread: GUI.
class ExecutionQueue : public QObject
{
    Q_OBJECT
public:
    /// What becomes of the cells behind one that fails. An error of a cell with Cell::mayFail never stops them.
    enum class OnError
    {
        Stop,
        Continue
    };

    explicit ExecutionQueue(NotebookDocument *document, QObject *parent = nullptr);
    ~ExecutionQueue() override;

    /// Null: cells wait in the queue until there is one. A running cell goes on with the context it has.
    void setContextSource(ContextSource *source);

    /// A cell that waits already is not queued twice; one that runs is queued again. Non-code cells are skipped.
    void enqueue(const std::vector<CellId> &ids, OnError onError = OnError::Stop);
    void cancelPending();
    void cancel(const CellId &id); ///< takes one waiting cell out
    /// Interrupts the running cell and clears the queue; every call sends another interrupt. The next cell starts only
    /// once it is answered, so that a late one cannot hit it (P32 of notebooks.md).
    void interrupt();
    /// Of every cell that starts from now on; 0: none.
    void setCellTimeout(std::chrono::milliseconds timeout);
    /// While held for any reason nothing new is sent; the running cell goes on.
    enum class Hold
    {
        Pause = 1,
        Rewind = 2
    };
    void setHeld(Hold reason, bool isHeld);
    bool isHeld(Hold reason) const;
    bool isHeld() const;
    void sendInput(const std::string &line);
    void endInput();
    /// Ends the running cell without waiting for its context, such as after its sandbox was shut down.
    void abandonRunning(const ExecutionSummary &summary);
    /// How the running cell ends if its connection is lost from now on; nothing: as the provider tells it.
    void expectLoss(const std::optional<ExecutionSummary> &summary);
    /// Since the running cell was sent; 0 if there is none.
    std::chrono::milliseconds runningFor() const;

    std::optional<CellId> running() const;
    std::shared_ptr<Context> runningContext() const; ///< null: nothing runs
    std::vector<CellId> pending() const;             ///< the one that waits for its context first
    bool isIdle() const;

signals:
    void queueChanged();
    /// The raw stream of the running cell, after the document took it; for those who pass it on, not for views.
    void received(const sandfish::CellId &id, const std::vector<sandfish::ExecutionEvent> &events);
    void cellFinished(const sandfish::CellId &id, const sandfish::ExecutionSummary &summary);
    void idle();
    void failed(const sandfish::Error &error);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace sandfish
