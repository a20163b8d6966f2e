#pragma once

#include "app/cli/cellsrun.h"
#include "app/cli/command.h"
#include "app/cli/outputprinter.h"

namespace sandfish {

/// What `run` and `exec` have in common: a document whose cells run, outputs that go on as they come, and an end that
/// keeps what was received whatever happened.
class CellsCommand : public Command
{
    Q_OBJECT
public:
    using Command::Command;
    ~CellsCommand() override;

    void interrupt() override;
    void leave(int exitStatus) override;

    /// --sandbox, --keep, --no-network, --timeout, --access and those of the service.
    static QList<OptionSpec> commonOptions();

protected:
    /// From commonOptions(); errors are wrong options.
    Result<CellsRun::Options> runOptions() const;
    void runCells(std::unique_ptr<NotebookDocument> document, std::unique_ptr<Provider> provider,
        CellsRun::Options options, OutputPrinter::Headings headings);
    NotebookDocument &document() const { return *m_document; }
    bool canBindFolders() const;

    /// The document has what was received. The path that was written; empty if nothing is to be.
    virtual Result<QString> save() { return QString(); }
    /// What to tell of a run that failed; empty if the outputs say it all.
    virtual QString failureSentence(const CellsRun::Report &report) const = 0;
    virtual QString successSentence(const CellsRun::Report &, const QString &) const { return {}; }
    /// After Ctrl+C or SIGTERM.
    virtual QString interruptedSentence(const QString &) const { return {}; }
    virtual bool allowsErrors() const { return false; }

private:
    void takeReport(const CellsRun::Report &report);
    void conclude();
    void handleLoss();
    int exitStatus() const;
    int runStatus() const;
    bool isAllowed(const CellsRun::FailedCell &cell) const;
    QString sentence(int status) const;
    void writeEnd(int status) const;

    std::unique_ptr<Provider> m_provider;
    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<RunPrinter> m_printer;
    std::unique_ptr<CellsRun> m_run;
    std::optional<CellsRun::Report> m_report;
    Result<QString> m_saved;
    int m_leaveStatus = 0; ///< 0: nobody asked to leave
};

} // namespace sandfish
