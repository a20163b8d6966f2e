#include "app/cli/commands/run.h"

#include "app/cli/service.h"
#include "core/document/notebookdocument.h"
#include "core/document/truststore.h"

#include <QFileInfo>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;

// A name beside \a path that is not taken, for outputs that must not replace what another program wrote.
QString freeNameBeside(const QString &path)
{
    const QFileInfo info(path);
    const QString stem = info.absolutePath() + u'/' + info.completeBaseName() + u"-executed"_s;
    QString name = stem + u".ipynb"_s;
    for (int i = 2; QFileInfo::exists(name); ++i)
        name = stem + u'-' + QString::number(i) + u".ipynb"_s;
    return name;
}

Error notANotebook(const QString &path, const QString &reason)
{
    return {
        Error::Kind::BadRequest, u"“%1” is no notebook%2"_s.arg(QFileInfo(path).fileName(), reason).toStdString(), {}};
}

QString countOfCells(int count)
{
    return count == 1 ? u"1 cell"_s : u"%1 cells"_s.arg(count);
}

} // namespace

CommandSpec RunCommand::spec()
{
    CommandSpec spec;
    spec.name = u"run"_s;
    spec.summary = u"Execute a notebook and write its outputs back."_s;
    spec.arguments = u"FILE.ipynb"_s;
    spec.minArguments = spec.maxArguments = 1;
    spec.details =
        u"Runs the code cells from top to bottom in a new sandbox, each on the interpreter of its language, "
        u"and shows their outputs as they come, each after a line on standard error that says which cell it is. "
        u"The sandbox works in the folder of the notebook and sees "
        u"nothing else of your home. As in the window, a notebook that you have not marked as trusted may "
        u"read its folder but not write to it.\n\n"
        u"At the end, also after an error or Ctrl+C, the notebook is saved with the outputs it has. Press "
        u"Ctrl+C once to interrupt the cell, twice to leave without waiting for it.\n\n"
        u"A cell that fails ends the run, unless it has the Jupyter tag raises-exception: its error is wanted, "
        u"so the run goes on and counts as success.\n\n"
        u"With --json each line is an object: those of type cell, then the items of the cell (stdout, "
        u"stderr, bundle, error, …, done), and end as the last one."_s;
    spec.options =
        QList<OptionSpec>{
            {{u"o"_s, u"output"_s}, u"FILE"_s, u"Write the executed notebook here; FILE.ipynb stays as it is."_s},
            {{u"no-save"_s}, {}, u"Write no notebook; only show the outputs."_s},
            {{u"allow-errors"_s}, {}, u"Go on after a cell that fails or runs out of time, and count it as success."_s},
            {{u"q"_s, u"quiet"_s}, {}, u"Do not say which cell runs; show its outputs and what went wrong."_s},
            {{u"trust"_s}, {},
                u"Trust this notebook from now on: it may write to its folder, and the window shows its "
                u"outputs in full."_s},
        }
        + commonOptions();
    spec.examples = {
        {u"run report.ipynb"_s, u"execute it in place"_s},
        {u"run report.ipynb -o out/report.ipynb --timeout 600"_s, u"keep the original, ten minutes a cell"_s},
        {u"run report.ipynb --json --no-save | jq -r 'select(.type==\"error\").name'"_s, u"read it with a program"_s},
    };
    spec.make = [](Arguments arguments, Console &console) -> std::unique_ptr<Command> {
        return std::make_unique<RunCommand>(std::move(arguments), console);
    };
    return spec;
}

void RunCommand::start()
{
    m_age.start();
    m_path = QFileInfo(arguments().positional.first()).absoluteFilePath();
    if (arguments().isSet(u"output"_s) && arguments().isSet(u"no-save"_s)) {
        failUsage(usageError(u"--output and --no-save exclude each other."_s, arguments().command));
        return;
    }
    Result<CellsRun::Options> options = runOptions();
    Result<std::unique_ptr<Provider>> provider = makeService(arguments());
    if (!options || !provider) {
        failUsage(options ? provider.error() : options.error());
        return;
    }
    Result<std::unique_ptr<NotebookDocument>> notebook = open();
    if (!notebook) {
        fail(notebook.error());
        return;
    }
    for (const QString &problem : (*notebook)->problems())
        console().tell(problem);
    options->folder = QFileInfo(m_path).absolutePath();
    options->sandboxName = QFileInfo(m_path).completeBaseName();
    m_mayWriteToFolder = (*notebook)->isTrusted() || options->access != NotebookSession::FolderAccess::ReadWrite
        || !options->sandbox.isEmpty();
    runCells(notebook.take(), provider.take(), options.take(),
        isQuiet() ? OutputPrinter::Headings::Hidden : OutputPrinter::Headings::Shown);
}

Result<std::unique_ptr<NotebookDocument>> RunCommand::open()
{
    const Result<NotebookFile> file = readNotebookFile(m_path);
    const bool isOtherFile = QFileInfo(m_path).suffix().compare("ipynb"_L1, Qt::CaseInsensitive) != 0;
    if (!file && file.error().kind == Error::Kind::Protocol && isOtherFile)
        return notANotebook(
            m_path, u". `sandfish-cli exec %1` runs a file of code."_s.arg(arguments().positional.first()));
    if (!file)
        return file.error();
    // Saving would put an empty notebook in the place of what somebody named by mistake.
    if (file->notebook->lacksCells)
        return notANotebook(m_path, u": it has no list of cells. It was left as it is."_s);
    const Result<> canWrite = arguments().isSet(u"no-save"_s) ? Result<>() : checkNotebookTarget(targetPath());
    if (!canWrite)
        return canWrite.error();
    m_stamp = file->stamp;
    std::unique_ptr<NotebookDocument> notebook = NotebookDocument::fromParsed(file->notebook);
    TrustStore trust(TrustStore::userFilePath());
    if (arguments().isSet(u"trust"_s))
        trust.add(m_stamp.hash.toHex());
    notebook->setTrusted(trust.contains(m_stamp.hash.toHex()));
    return notebook;
}

QString RunCommand::targetPath() const
{
    const QString output = arguments().value(u"output"_s);
    return output.isEmpty() ? m_path : QFileInfo(output).absoluteFilePath();
}

Result<QString> RunCommand::save()
{
    if (arguments().isSet(u"no-save"_s))
        return QString();
    QString path = targetPath();
    const bool isInPlace = QFileInfo(path) == QFileInfo(m_path);
    if (isInPlace && fileChange(path, m_stamp) == FileChange::Changed) {
        path = freeNameBeside(m_path);
        console().tell(
            u"“%1” was changed by another program meanwhile, so the outputs go to “%2”."_s.arg(m_path, path));
    }
    const Result<FileStamp> written = writeNotebookFile(path, document().image());
    if (!written)
        return written.error();
    if (document().isTrusted())
        TrustStore(TrustStore::userFilePath()).add(written->hash.toHex());
    return path;
}

QString RunCommand::failureSentence(const CellsRun::Report &report) const
{
    const CellsRun::FailedCell &failed = report.failedCells.back();
    const bool isOfTheCode = failed.summary.outcome == Outcome::CodeError;
    QString text = isOfTheCode ? u"Code cell %1 failed with %2."_s : u"Code cell %1: %2"_s;
    text = text.arg(QString::number(failed.place.number),
        QString::fromStdString(isOfTheCode ? failed.error.name : failed.summary.reason));
    const int notRun = report.cellCount - report.runCount;
    if (notRun > 0)
        text += u" %1 behind it %2 not run."_s.arg(countOfCells(notRun), notRun == 1 ? u"was"_s : u"were"_s);
    if (isOfTheCode && !m_mayWriteToFolder && canBindFolders())
        text += u" The notebook is not trusted, so it could not write to its folder; --trust lets it."_s;
    return text;
}

QString RunCommand::successSentence(const CellsRun::Report &report, const QString &path) const
{
    if (isQuiet() || !console().isTerminal(Console::Channel::Error))
        return {};
    const QString written = path.isEmpty() ? u"Nothing was written."_s : u"Wrote %1."_s.arg(path);
    return u"Ran %1 in %2 s. %3"_s.arg(countOfCells(report.runCount))
        .arg(static_cast<double>(m_age.elapsed()) / 1000, 0, 'f', 1)
        .arg(written);
}

QString RunCommand::interruptedSentence(const QString &path) const
{
    return path.isEmpty() ? u"Interrupted. Nothing was written."_s
                          : u"Interrupted. What was received is saved in %1."_s.arg(path);
}

} // namespace sandfish
