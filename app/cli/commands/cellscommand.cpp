#include "app/cli/commands/cellscommand.h"

#include "app/cli/jsonprinter.h"
#include "app/cli/service.h"
#include "core/base/json.h"
#include "core/document/notebookdocument.h"
#include "core/protocol/wirerecord.h"
#include "core/support/settings.h"

#include <algorithm>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;
using Access = NotebookSession::FolderAccess;

std::optional<Access> accessFromName(const QString &name)
{
    if (name == "read-write"_L1)
        return Access::ReadWrite;
    if (name == "read-only"_L1)
        return Access::ReadOnly;
    return name == "none"_L1 ? std::optional(Access::None) : std::nullopt;
}

std::string statusName(int status)
{
    if (status == ExitStatus::kOk)
        return "ok";
    if (status == ExitStatus::kCodeFailed)
        return "error";
    return status >= 128 ? "interrupted" : "failed";
}

Json failedCell(const CellsRun::FailedCell &cell)
{
    Json object{{"cell", cell.place.number}, {"outcome", outcomeName(cell.summary.outcome)}};
    if (cell.summary.outcome == Outcome::CodeError) {
        object["name"] = cell.error.name;
        object["message"] = cell.error.message;
        object["expected"] = cell.isExpected;
    } else {
        object["reason"] = cell.summary.reason;
    }
    return object;
}

} // namespace

CellsCommand::~CellsCommand() = default;

QList<OptionSpec> CellsCommand::commonOptions()
{
    return QList<OptionSpec>{
               {{u"timeout"_s}, u"SECONDS"_s, u"The longest that one cell may run. Without it there is no limit."_s},
               {{u"sandbox"_s}, u"ID"_s,
                   u"Run in this sandbox, with the variables it has; it goes on afterwards. Without it a new one is "
                   u"made and ended."_s},
               {{u"keep"_s}, {}, u"Let the new sandbox go on, and tell its id."_s},
               {{u"access"_s}, u"ACCESS"_s,
                   u"What the code may do in its folder: read-write, read-only, or none. Without it what is set in "
                   u"the window, which is read-write at first."_s},
               {{u"no-network"_s}, {}, u"A new sandbox gets no network."_s},
           }
    + serviceOptions();
}

Result<CellsRun::Options> CellsCommand::runOptions() const
{
    CellsRun::Options options;
    const Result<std::chrono::milliseconds> timeout = secondsOption(arguments(), u"timeout"_s);
    if (!timeout)
        return timeout.error();
    const QString access = arguments().isSet(u"access"_s) ? arguments().value(u"access"_s)
                                                          : Settings().get<QString>(Settings::Key::FolderAccess);
    const std::optional<Access> known = accessFromName(access);
    if (!known && arguments().isSet(u"access"_s))
        return usageError(u"--access is read-write, read-only or none, not “%1”."_s.arg(access), arguments().command);
    for (const QString &name : {u"keep"_s, u"no-network"_s, u"access"_s, u"folder"_s}) {
        if (arguments().isSet(name) && arguments().isSet(u"sandbox"_s))
            return usageError(
                u"--%1 is for a new sandbox, not for one named by --sandbox."_s.arg(name), arguments().command);
    }
    options.cellTimeout = *timeout;
    options.access = known.value_or(Access::ReadWrite);
    options.sandbox = arguments().value(u"sandbox"_s);
    options.keepsSandbox = arguments().isSet(u"keep"_s);
    options.hasNetwork = !arguments().isSet(u"no-network"_s);
    return options;
}

void CellsCommand::runCells(std::unique_ptr<NotebookDocument> document, std::unique_ptr<Provider> provider,
    CellsRun::Options options, OutputPrinter::Headings headings)
{
    m_document = std::move(document);
    m_provider = std::move(provider);
    if (writesJson())
        m_printer = std::make_unique<JsonPrinter>(console());
    else
        m_printer = std::make_unique<OutputPrinter>(console(), headings);
    options.stopsAtError = !allowsErrors();
    m_run = std::make_unique<CellsRun>(m_document.get(), m_provider.get(), m_printer.get(), std::move(options));
    connect(m_run.get(), &CellsRun::finished, this, &CellsCommand::takeReport);
    connect(m_run.get(), &CellsRun::noticed, this, [this](const QString &text) { console().tell(text); });
    connect(&console(), &Console::lost, this, &CellsCommand::handleLoss);
    m_run->start();
}

bool CellsCommand::canBindFolders() const
{
    return m_provider->capabilities().testFlag(Provider::Capability::FolderBinds);
}

void CellsCommand::interrupt()
{
    if (!m_run) {
        finish(ExitStatus::kInterrupted);
        return;
    }
    if (m_report)
        return;
    m_leaveStatus = ExitStatus::kInterrupted;
    if (console().isTerminal(Console::Channel::Error))
        console().tell(u"Interrupting. Press Ctrl+C again to leave without waiting."_s);
    m_run->interrupt();
}

void CellsCommand::leave(int exitStatus)
{
    m_leaveStatus = exitStatus;
    if (!m_run)
        finish(exitStatus);
    else if (m_report)
        conclude();
    else
        m_run->abandon();
}

void CellsCommand::handleLoss()
{
    if (m_report)
        return;
    if (console().loss() == Console::Loss::Failed)
        console().tell(u"The output could not be written: %1. The run ends here."_s.arg(console().lossReason()));
    leave(console().loss() == Console::Loss::Failed ? ExitStatus::kFailed : ExitStatus::kReaderLeft);
}

void CellsCommand::takeReport(const CellsRun::Report &report)
{
    m_report = report;
    m_saved = save();
    m_run->cleanUp([this] { conclude(); });
}

bool CellsCommand::isAllowed(const CellsRun::FailedCell &cell) const
{
    const Outcome outcome = cell.summary.outcome;
    return cell.isExpected || (allowsErrors() && (outcome == Outcome::CodeError || outcome == Outcome::TimedOut));
}

int CellsCommand::runStatus() const
{
    if (m_report->error)
        return ExitStatus::kFailed;
    int status = ExitStatus::kOk;
    for (const CellsRun::FailedCell &cell : m_report->failedCells) {
        const Outcome outcome = cell.summary.outcome;
        const bool isOfTheService =
            outcome == Outcome::ConnectionLost || outcome == Outcome::Rejected || outcome == Outcome::Aborted;
        if (isOfTheService)
            return ExitStatus::kFailed;
        if (!isAllowed(cell))
            status = ExitStatus::kCodeFailed;
    }
    return status;
}

int CellsCommand::exitStatus() const
{
    if (!m_saved)
        return ExitStatus::kFailed;
    return m_leaveStatus != 0 ? m_leaveStatus : runStatus();
}

QString CellsCommand::sentence(int status) const
{
    if (!m_saved)
        return QString::fromStdString(m_saved.error().message);
    if (console().loss() != Console::Loss::None)
        return {};
    if (status >= 128)
        return interruptedSentence(*m_saved);
    const bool hasFailed =
        status != ExitStatus::kOk && !m_report->failedCells.empty() && !isAllowed(m_report->failedCells.back());
    // How the cell ended also tells what became of its outputs.
    if (hasFailed)
        return failureSentence(*m_report);
    return m_report->error ? QString::fromStdString(m_report->error->message) : successSentence(*m_report, *m_saved);
}

void CellsCommand::writeEnd(int status) const
{
    Json object{{"type", "end"}, {"status", statusName(status)}, {"exitStatus", status}, {"cells", m_report->cellCount},
        {"ran", m_report->runCount}, {"failed", Json::array()}};
    for (const CellsRun::FailedCell &cell : m_report->failedCells)
        object["failed"].push_back(failedCell(cell));
    if (m_saved && !m_saved->isEmpty())
        object["file"] = m_saved->toStdString();
    if (arguments().isSet(u"keep"_s))
        object["sandbox"] = m_report->sandbox.id.value;
    const std::optional<Error> error = m_saved ? m_report->error : std::optional(m_saved.error());
    if (error)
        object["error"] = {{"kind", errorKindName(error->kind)}, {"message", error->message}};
    console().write(Console::Channel::Out, dumpJson(object) + '\n');
}

void CellsCommand::conclude()
{
    const int status = exitStatus();
    const QString text = sentence(status);
    if (!text.isEmpty())
        console().tell(text);
    if (arguments().isSet(u"keep"_s) && !m_report->sandbox.id.isEmpty())
        console().tell(u"The sandbox goes on: %1"_s.arg(QString::fromStdString(m_report->sandbox.id.value)));
    if (writesJson())
        writeEnd(status);
    finish(status);
}

} // namespace sandfish
