#pragma once

#include "app/cli/commandline.h"

namespace sandfish {

/// What the program is for, its commands, examples and exit statuses.
QString overviewHelp();
/// The same for the commands of a group, such as "sandbox".
QString groupHelp(const QString &group);
QString commandHelp(const CommandSpec &spec);

} // namespace sandfish
