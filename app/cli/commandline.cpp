#include "app/cli/commandline.h"

#include <QCommandLineParser>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;

constexpr double kLongestSeconds = 1e7;

QCommandLineOption parserOption(const OptionSpec &option)
{
    return option.valueName.isEmpty() ? QCommandLineOption(option.names)
                                      : QCommandLineOption(option.names, {}, option.valueName);
}

Result<> checkCount(const CommandSpec &spec, qsizetype count)
{
    if (count < spec.minArguments)
        return usageError(u"%1 is missing."_s.arg(spec.arguments), spec.name);
    if (count > spec.maxArguments)
        return usageError(spec.maxArguments == 0
                ? u"`%1` takes no further words."_s.arg(spec.name)
                : u"`%1` takes %2 and nothing more. Quote names that hold spaces."_s.arg(spec.name, spec.arguments),
            spec.name);
    return {};
}

// What QCommandLineParser found wrong, in the words and quotes of the rest.
QString parserProblem(const QCommandLineParser &parser, const QStringList &given)
{
    if (const QStringList unknown = parser.unknownOptionNames(); !unknown.isEmpty()) {
        const QString name = unknown.first();
        const QString longName = u"--"_s + name;
        const bool isLong = name.size() > 1 || given.contains(longName)
            || std::any_of(
                given.begin(), given.end(), [&](const QString &word) { return word.startsWith(longName + u'='); });
        return u"There is no option “%1”."_s.arg(isLong ? longName : u'-' + name);
    }
    static const QRegularExpression quoted(u"'([^']*)'"_s);
    QString text = parser.errorText();
    text.replace(quoted, u"“\\1”"_s);
    while (text.endsWith(u'.'))
        text.chop(1);
    return text + u'.';
}

} // namespace

Error usageError(const QString &sentence, const QString &command)
{
    const QString help = command.isEmpty() ? u"`sandfish-cli --help` lists the commands."_s
                                           : u"`sandfish-cli %1 --help` shows how it is used."_s.arg(command);
    return {Error::Kind::BadRequest, QString(sentence + u' ' + help).toStdString(), {}};
}

Result<Arguments> parseArguments(const CommandSpec &spec, const QStringList &given)
{
    QCommandLineParser parser;
    for (const OptionSpec &option : spec.options)
        parser.addOption(parserOption(option));
    if (!parser.parse(QStringList{u"sandfish-cli"_s} + given))
        return usageError(parserProblem(parser, given), spec.name);
    Arguments arguments{spec.name, parser.positionalArguments(), {}};
    for (const OptionSpec &option : spec.options) {
        if (parser.isSet(option.names.last()))
            arguments.options.insert(option.names.last(), parser.value(option.names.last()));
    }
    if (arguments.isSet(u"help"_s))
        return arguments;
    const Result<> count = checkCount(spec, arguments.positional.size());
    return count ? Result<Arguments>(std::move(arguments)) : Result<Arguments>(count.error());
}

Result<std::chrono::milliseconds> secondsOption(const Arguments &arguments, const QString &name)
{
    if (!arguments.isSet(name))
        return std::chrono::milliseconds(0);
    bool isNumber = false;
    const double seconds = arguments.value(name).toDouble(&isNumber);
    if (!isNumber || !(seconds >= 0.001 && seconds <= kLongestSeconds))
        return usageError(u"--%1 wants a number of seconds such as 30, not “%2”."_s.arg(name, arguments.value(name)),
            arguments.command);
    return std::chrono::milliseconds(std::llround(seconds * 1000));
}

} // namespace sandfish
