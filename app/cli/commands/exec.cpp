#include "app/cli/commands/exec.h"

#include "app/cli/service.h"
#include "core/document/notebookdocument.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <cerrno>
#include <unistd.h>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;

constexpr qint64 kMaxCodeBytes = 32 << 20;

// Such as "python" of "#!/usr/bin/env -S python3.11 -u"; empty without a shebang.
QString interpreterOf(const QString &path)
{
    constexpr qint64 kLongestLine = 256;
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        return {};
    const QString line = QString::fromUtf8(file.readLine(kLongestLine)).trimmed();
    if (!line.startsWith("#!"_L1))
        return {};
    QStringList words = line.mid(2).split(u' ', Qt::SkipEmptyParts);
    words.removeIf([](const QString &word) { return word.startsWith(u'-'); });
    if (words.value(0).endsWith("/env"_L1))
        words.removeFirst();
    static const QRegularExpression version(u"[0-9.]+$"_s);
    return QFileInfo(words.value(0)).fileName().remove(version);
}

// By its suffix, without one by its shebang, else Python. Empty if what these say is no language of a sandbox.
QString languageOfFile(const QString &path)
{
    static const QHash<QString, QString> bySuffix{{u"py"_s, u"python"_s}, {u"js"_s, u"javascript"_s},
        {u"mjs"_s, u"javascript"_s}, {u"cjs"_s, u"javascript"_s}, {u"sh"_s, u"bash"_s}, {u"bash"_s, u"bash"_s}};
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (!suffix.isEmpty())
        return bySuffix.value(suffix);
    const QString interpreter = interpreterOf(path);
    return interpreter.isEmpty() ? u"python"_s : QString::fromStdString(normalisedLanguage(interpreter.toStdString()));
}

Error tooLarge()
{
    return usageError(u"The code has more than 32 MiB. Let it read its data from a file of --folder."_s, u"exec"_s);
}

// Ends at a signal too, which a QFile would read over.
Result<QString> standardInput()
{
    QByteArray all;
    char bytes[65536];
    for (ssize_t count = 1; count > 0;) {
        count = ::read(STDIN_FILENO, bytes, sizeof(bytes));
        if (count > 0)
            all.append(bytes, count);
        else if (count < 0)
            return Error{errno == EINTR ? Error::Kind::Cancelled : Error::Kind::Io,
                "Standard input cannot be read. Give the code with -e, or name a file.", {}};
        if (all.size() > kMaxCodeBytes)
            return tooLarge();
    }
    return QString::fromUtf8(all);
}

Result<QString> fileText(const QString &path)
{
    QFile file(path);
    if (QFileInfo(path).isDir() || !file.open(QIODevice::ReadOnly))
        return Error{Error::Kind::Io,
            u"“%1” cannot be read. Check its name and its permissions."_s.arg(path).toStdString(),
            file.errorString().toStdString()};
    const QByteArray all = file.read(kMaxCodeBytes + 1);
    if (all.size() > kMaxCodeBytes)
        return tooLarge();
    return QString::fromUtf8(all);
}

} // namespace

CommandSpec ExecCommand::spec()
{
    CommandSpec spec;
    spec.name = u"exec"_s;
    spec.summary = u"Run a piece of code in a sandbox."_s;
    spec.arguments = u"[FILE]"_s;
    spec.maxArguments = 1;
    spec.details = u"The code is CODE, the text of FILE, or what comes on standard input (FILE is - or missing). What "
                   u"it prints goes to standard output and standard error as it comes, and the value of its last "
                   u"expression to standard output. Code that asks for input reads from standard input. It may "
                   u"have up to 32 MiB.\n\n"
                   u"Each call has a new sandbox with an empty home; --folder lets it work in a folder of yours, "
                   u"and --sandbox keeps variables from one call to the next."_s;
    spec.options =
        QList<OptionSpec>{
            {{u"l"_s, u"language"_s}, u"LANG"_s,
                u"python, javascript or bash. Without it what the name of FILE says, or its first line if that begins "
                u"with #!, else python."_s},
            {{u"e"_s, u"code"_s}, u"CODE"_s, u"The code itself."_s},
            {{u"folder"_s}, u"DIR"_s, u"A folder that the code sees at the same path and works in."_s},
        }
        + commonOptions();
    spec.examples = {
        {u"exec -l python -e 'print(6 * 7)'"_s, u"prints 42"_s},
        {u"exec clean.py --folder data"_s, u"run a file in a folder"_s},
        {u"exec -l bash < steps.sh"_s, u"code from standard input"_s},
        {u"exec --sandbox work -e 'x = 1'"_s, u"x is still there in the next call"_s},
    };
    spec.make = [](Arguments arguments, Console &console) -> std::unique_ptr<Command> {
        return std::make_unique<ExecCommand>(std::move(arguments), console);
    };
    return spec;
}

Result<QString> ExecCommand::language() const
{
    const QString given = arguments().value(u"language"_s);
    if (!arguments().isSet(u"language"_s)) {
        const QString file = arguments().positional.value(0);
        const QString guessed = languageOfFile(file);
        if (guessed.isEmpty())
            return usageError(
                u"The language of “%1” is not known here; say with -l that it is python, javascript or bash."_s.arg(
                    file),
                arguments().command);
        return guessed;
    }
    const std::string known = normalisedLanguage(given.toStdString());
    if (known.empty())
        return usageError(
            u"There is no language “%1”; use python, javascript or bash."_s.arg(given), arguments().command);
    return QString::fromStdString(known);
}

Result<QString> ExecCommand::code() const
{
    const QString file = arguments().positional.value(0);
    if (arguments().isSet(u"code"_s)) {
        if (!file.isEmpty())
            return usageError(u"Give the code with -e or in a file, not both."_s, arguments().command);
        return arguments().value(u"code"_s);
    }
    if (!file.isEmpty() && file != "-"_L1)
        return fileText(file);
    if (file.isEmpty() && ::isatty(STDIN_FILENO) == 1)
        return usageError(
            u"There is no code. Give it with -e, in a file, or on standard input."_s, arguments().command);
    return standardInput();
}

void ExecCommand::start()
{
    Result<CellsRun::Options> options = runOptions();
    const Result<QString> named = language();
    Result<std::unique_ptr<Provider>> provider = makeService(arguments());
    if (!options || !named || !provider) {
        failUsage(!options ? options.error() : !named ? named.error() : provider.error());
        return;
    }
    const QString folder = arguments().value(u"folder"_s);
    if (arguments().isSet(u"folder"_s) && !QFileInfo(folder).isDir()) {
        fail({Error::Kind::NotFound, u"There is no folder “%1”."_s.arg(folder).toStdString(), {}});
        return;
    }
    const Result<QString> text = code();
    if (!text) {
        if (text.error().kind == Error::Kind::BadRequest)
            failUsage(text.error());
        else if (text.error().kind != Error::Kind::Cancelled)
            fail(text.error());
        return;
    }
    auto document = std::make_unique<NotebookDocument>();
    document->setLanguage(*named);
    document->setSource(document->cellAt(0).id, *text);
    document->setTrusted(true);
    options->folder = folder.isEmpty() ? QString() : QFileInfo(folder).absoluteFilePath();
    options->sandboxName = u"exec"_s;
    runCells(std::move(document), provider.take(), options.take(), OutputPrinter::Headings::None);
}

QString ExecCommand::failureSentence(const CellsRun::Report &report) const
{
    const CellsRun::FailedCell &failed = report.failedCells.back();
    // An error of its own tells of most outcomes.
    return failed.error.name.empty() ? QString::fromStdString(failed.summary.reason) : QString();
}

} // namespace sandfish
