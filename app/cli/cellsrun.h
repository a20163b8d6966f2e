#pragma once

#include "app/cli/inputreader.h"
#include "app/cli/runprinter.h"
#include "core/session/notebooksession.h"

#include <QTimer>

#include <memory>
#include <optional>

namespace sandfish {

class NotebookDocument;
class Provider;

/// Runs the code cells of a document in a sandbox, from the search for the sandbox to its end. Thread: the main one.
class CellsRun : public QObject
{
    Q_OBJECT
public:
    struct Options
    {
        QString sandbox; ///< one that exists, as findSandbox() takes it; empty: a new one
        QString sandboxName;
        QString folder; ///< absolute; empty: the sandbox's own home
        NotebookSession::FolderAccess access = NotebookSession::FolderAccess::ReadWrite;
        bool hasNetwork = true;
        bool keepsSandbox = false; ///< a new one goes on after the run
        bool stopsAtError = true;
        std::chrono::milliseconds cellTimeout{0}; ///< 0: none
    };
    struct FailedCell
    {
        CellPlace place;
        ExecutionSummary summary;
        ErrorOutput error;       ///< of Outcome::CodeError
        bool isExpected = false; ///< Outcome::CodeError of a cell that is tagged raises-exception
    };
    /// What the run came to.
    struct Report
    {
        int cellCount = 0; ///< of code cells that are not empty
        int runCount = 0;  ///< of those that ended, in whatever way
        std::vector<FailedCell> failedCells;
        bool wasInterrupted = false;
        std::optional<Error> error; ///< the sandbox could not do its part
        SandboxInfo sandbox;        ///< empty id if there was none
    };

    CellsRun(NotebookDocument *document, Provider *provider, RunPrinter *printer, Options options);
    ~CellsRun() override;

    void start();
    /// Interrupts the cell that runs and drops those behind it.
    void interrupt();
    /// Ends without waiting for the cell.
    void abandon();
    /// Ends the sandbox if it was made for this run; \a done comes after some seconds at most.
    void cleanUp(std::function<void()> done);

signals:
    /// Once; the document has all that was received.
    void finished(const sandfish::CellsRun::Report &report);
    /// Something to tell that is no failure.
    void noticed(const QString &text);

private:
    void takeSandbox(const Result<std::vector<SandboxInfo>> &sandboxes);
    void enqueue();
    void followRun(const CellId &id);
    void endCell(const CellId &id, const ExecutionSummary &summary);
    void take(const CellId &id, const std::vector<ExecutionEvent> &events);
    void noteFailure(const Error &error);
    void end();
    void killSandbox();
    void endCleanUp();
    CellPlace placeOf(const CellId &id) const;

    NotebookDocument *m_document;
    Provider *m_provider;
    RunPrinter *m_printer;
    Options m_options;
    std::unique_ptr<NotebookSession> m_session;
    InputReader m_input;
    Request m_request;
    QHash<CellId, int> m_numbers; ///< of those that run, from 1
    CellId m_current;
    CellPlace m_place;
    ErrorOutput m_lastError;
    Report m_report;
    std::function<void()> m_cleanedUp;
    QTimer m_cleanUpLimit;
    bool m_isFinished = false;
};

} // namespace sandfish
