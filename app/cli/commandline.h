#pragma once

#include "core/base/result.h"

#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>

#include <chrono>
#include <functional>
#include <memory>

namespace sandfish {

class Command;
class Console;

struct OptionSpec
{
    QStringList names; ///< such as {"o", "output"}; the last one is its name in Arguments
    QString valueName; ///< empty: a switch
    QString text;      ///< for --help
};

/// What was given to a command, in the terms of its table of options.
struct Arguments
{
    QString command; ///< its full name, such as "sandbox list"
    QStringList positional;
    QHash<QString, QString> options;

    bool isSet(const QString &name) const { return options.contains(name); }
    QString value(const QString &name) const { return options.value(name); }
};

/// One command: what is parsed, what its --help says, and what runs it.
struct CommandSpec
{
    QString name;      ///< such as "sandbox list"
    QString summary;   ///< one sentence
    QString arguments; ///< such as "FILE.ipynb"; empty: it takes none
    qsizetype minArguments = 0;
    qsizetype maxArguments = 0;
    QString details;             ///< paragraphs for --help
    QList<OptionSpec> options;   ///< \c json and \c help are added to each
    QList<QStringList> examples; ///< {command line, what it does}
    std::function<std::unique_ptr<Command>(Arguments arguments, Console &console)> make;
};

/// Error::Kind::BadRequest with a sentence that names what is wrong and where help is.
Result<Arguments> parseArguments(const CommandSpec &spec, const QStringList &given);
Error usageError(const QString &sentence, const QString &command);

/// A positive number of seconds, such as "30" or "0.5"; 0 if the option is not set.
Result<std::chrono::milliseconds> secondsOption(const Arguments &arguments, const QString &name);

} // namespace sandfish
