#pragma once

#include "app/cli/commandline.h"

namespace sandfish {

/// All commands, in the order of --help.
const QList<CommandSpec> &commandTable();
/// The command that the first words of \a words name; nullptr if there is none.
const CommandSpec *findCommand(const QStringList &words);
/// True for the first word of commands of two, such as "sandbox".
bool isCommandGroup(const QString &word);

} // namespace sandfish
