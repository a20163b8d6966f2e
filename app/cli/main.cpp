#include "app/cli/command.h"
#include "app/cli/commandtable.h"
#include "app/cli/help.h"
#include "app/cli/interruptwatch.h"

#include <QCoreApplication>
#include <QLoggingCategory>

using namespace Qt::StringLiterals;
using namespace sandfish;

namespace {

bool isHelpWord(const QString &word)
{
    return word == "help"_L1 || word == "--help"_L1 || word == "-h"_L1;
}

int show(Console &console, const QString &text)
{
    console.write(Console::Channel::Out, text.toStdString());
    return ExitStatus::kOk;
}

int refuse(Console &console, const Error &error)
{
    console.tell(QString::fromStdString(error.message));
    return ExitStatus::kUsage;
}

int refuseWithHelp(Console &console, const QString &sentence, const QString &help)
{
    console.tell(sentence + u'\n');
    console.write(Console::Channel::Error, help.toStdString());
    return ExitStatus::kUsage;
}

// \a words name no command.
int refuseWords(Console &console, const QStringList &words)
{
    const bool isOption = words.first().startsWith(u'-');
    const bool isGroup = isCommandGroup(words.first());
    if (isGroup && words.size() > 1 && isHelpWord(words[1]))
        return show(console, groupHelp(words.first()));
    if (isGroup && words.size() == 1)
        return refuseWithHelp(
            console, u"`%1` needs one of its commands."_s.arg(words.first()), groupHelp(words.first()));
    const QString sentence = isOption ? u"There is no option “%1”."_s : u"There is no command “%1”."_s;
    return refuse(console,
        usageError(sentence.arg(words.mid(0, isGroup ? 2 : 1).join(u' ')), isGroup ? words.first() : QString()));
}

int run(QCoreApplication &application, Console &console, const CommandSpec &spec, Arguments arguments)
{
    const std::unique_ptr<Command> command = spec.make(std::move(arguments), console);
    InterruptWatch watch;
    QObject::connect(&watch, &InterruptWatch::interrupted, command.get(), &Command::interrupt);
    QObject::connect(&watch, &InterruptWatch::leaveAsked, command.get(), &Command::leave);
    QObject::connect(command.get(), &Command::finished, &application, &QCoreApplication::exit);
    QMetaObject::invokeMethod(command.get(), &Command::start, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

int dispatch(QCoreApplication &application, Console &console, QStringList words)
{
    if (words.isEmpty())
        return refuseWithHelp(console, u"A command is missing."_s, overviewHelp());
    if (words.first() == "--version"_L1 || words.first() == "-v"_L1)
        return show(console, u"sandfish-cli %1\n"_s.arg(QStringLiteral(SANDFISH_VERSION)));
    if (isHelpWord(words.first()) && words.size() == 1)
        return show(console, overviewHelp());
    // "help run" is "run --help".
    if (isHelpWord(words.first()))
        words = words.mid(1) + QStringList{u"--help"_s};
    const CommandSpec *spec = findCommand(words);
    if (!spec)
        return refuseWords(console, words);
    const Result<Arguments> arguments = parseArguments(*spec, words.mid(spec->name.count(u' ') + 1));
    if (!arguments)
        return refuse(console, arguments.error());
    if (arguments->isSet(u"help"_s))
        return show(console, commandHelp(*spec));
    return run(application, console, *spec, *arguments);
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(u"sandfish-cli"_s);
    // What the log would say is said once, as a sentence. QT_LOGGING_RULES shows it all the same.
    QLoggingCategory::setFilterRules(u"sandfish.*=false"_s);
    Console console;
    return dispatch(application, console, QCoreApplication::arguments().mid(1));
}
