#pragma once

#include "core/document/cell.h"
#include "core/providers/context.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <chrono>
#include <memory>
#include <optional>

namespace sandfish {

class NotebookDocument;

/// One run of one cell: takes what an Execution sends into the document and keeps the cell's run state.
/// Keeps its Context alive until the end. Thread: GUI.
class CellRunner : public QObject
{
    Q_OBJECT
public:
    CellRunner(NotebookDocument *document, const CellId &cell, QObject *parent = nullptr);
    ~CellRunner() override;

    /// Sends the cell's source. Old outputs go when the first new one comes, or after a moment.
    void start(std::shared_ptr<Context> context);
    std::shared_ptr<Context> context() const { return m_context; } ///< null before start()
    void sendInput(const std::string &line);
    void endInput();
    /// Ends the run without the Execution, whose later events are ignored.
    void abandon(const ExecutionSummary &summary);
    /// How a ConnectionLost of this run is told from now on; nothing: as the provider tells it.
    void expectLoss(const std::optional<ExecutionSummary> &summary) { m_expectedLoss = summary; }
    /// Before start(): the time after which the run ends with Outcome::TimedOut; 0: none.
    void setTimeout(std::chrono::milliseconds timeout) { m_timeout = timeout; }

    const CellId &cell() const { return m_cell; }
    std::chrono::milliseconds elapsed() const;

signals:
    /// What the document has just got.
    void received(const std::vector<sandfish::ExecutionEvent> &events);
    /// Exactly once.
    void finished(const sandfish::ExecutionSummary &summary);

private:
    void take(const std::vector<ExecutionEvent> &events);
    void follow(Execution::State state);
    void end(ExecutionSummary summary);
    void dropOldOutputs();
    void echo(const std::string &answer);

    NotebookDocument *m_document;
    CellId m_cell;
    std::shared_ptr<Context> m_context;
    QPointer<Execution> m_execution;
    CellRun m_run;
    std::optional<ExecutionSummary> m_expectedLoss;
    std::chrono::steady_clock::time_point m_startedAt;
    QTimer m_clearTimer;
    std::chrono::milliseconds m_timeout{0};
    bool m_hasOutput = false;
    bool m_isFinished = false;
};

} // namespace sandfish
