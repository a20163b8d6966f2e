#include "app/cli/help.h"

#include "app/cli/commandtable.h"

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;

constexpr qsizetype kColumns = 79;
constexpr qsizetype kIndent = 2;

// \a text in lines of at most kColumns, all but the first indented; a first column of its own is in \a head.
QString wrapped(const QString &text, const QString &head, qsizetype indent)
{
    QString result;
    QString line = head.size() <= indent ? head.leftJustified(indent) : head + u'\n' + QString(indent, u' ');
    bool isLineEmpty = true;
    for (const QString &word : text.split(u' ', Qt::SkipEmptyParts)) {
        const qsizetype start = line.lastIndexOf(u'\n') + 1;
        if (!isLineEmpty && line.size() - start + 1 + word.size() > kColumns) {
            result += line + u'\n';
            line = QString(indent, u' ');
            isLineEmpty = true;
        }
        line += isLineEmpty ? word : u' ' + word;
        isLineEmpty = false;
    }
    return result + line + u'\n';
}

QString synopsis(const CommandSpec &spec)
{
    return spec.arguments.isEmpty() ? spec.name : spec.name + u' ' + spec.arguments;
}

QString optionHead(const OptionSpec &option)
{
    QStringList names;
    for (const QString &name : option.names)
        names.append((name.size() == 1 ? u"-"_s : u"--"_s) + name);
    QString head = names.join(u", "_s);
    if (!option.valueName.isEmpty())
        head += u' ' + option.valueName;
    return QString(kIndent, u' ') + head;
}

QString commandList(const QString &group)
{
    QString text;
    for (const CommandSpec &spec : commandTable()) {
        if (group.isEmpty() || spec.name.startsWith(group + u' '))
            text += wrapped(spec.summary, QString(kIndent, u' ') + synopsis(spec), 24);
    }
    return text;
}

QString exampleList(const QList<QStringList> &examples)
{
    QString text;
    for (const QStringList &example : examples)
        text += u"  # %1\n  sandfish-cli %2\n"_s.arg(example.value(1), example.value(0));
    return text;
}

} // namespace

QString overviewHelp()
{
    return u"sandfish-cli runs notebooks and code in sandboxes, from a terminal.\n\n"
           u"Usage: sandfish-cli COMMAND [OPTIONS]\n\nCommands:\n"_s
        + commandList({}) + u"\nExamples:\n"_s
        + exampleList({{u"run report.ipynb"_s, u"execute a notebook and save it with its outputs"_s},
            {u"run report.ipynb -o executed.ipynb --timeout 600"_s, u"leave it as it is, and end cells that hang"_s},
            {u"exec -l python -e 'print(6 * 7)'"_s, u"run a line of code; prints 42"_s},
            {u"sandbox create --name work && sandfish-cli exec --sandbox work -e 'x = 1'"_s,
                u"keep variables from one call to the next"_s}})
        + u"\nOptions:\n"
          u"  -h, --help            Show this text; after a command, that command's.\n"
          u"  -v, --version         Show the version.\n\n"
          u"Sandboxes are on this computer unless --service or --url says otherwise. The\n"
          u"engine that runs them, sandfishd, is started when it is needed and stays.\n\n"
          u"Exit status:\n"
          u"  0    all went well\n"
          u"  1    the code failed, crashed or ran out of time\n"
          u"  2    wrong options\n"
          u"  3    a file, the engine or a service could not do its part\n"
          u"  130  Ctrl+C; what was received is saved\n"_s;
}

QString groupHelp(const QString &group)
{
    return u"Usage: sandfish-cli %1 COMMAND [OPTIONS]\n\nCommands:\n%2\n"
           u"`sandfish-cli %1 COMMAND --help` tells more of each.\n"_s.arg(group, commandList(group));
}

QString commandHelp(const CommandSpec &spec)
{
    QString text = spec.summary + u"\n\nUsage: sandfish-cli "_s + synopsis(spec) + u" [OPTIONS]\n\n"_s;
    for (const QString &paragraph : spec.details.split(u"\n\n"_s))
        text += wrapped(paragraph, {}, 0) + u'\n';
    text += u"Options:\n"_s;
    for (const OptionSpec &option : spec.options)
        text += wrapped(option.text, optionHead(option), 26);
    return text + u"\nExamples:\n"_s + exampleList(spec.examples);
}

} // namespace sandfish
