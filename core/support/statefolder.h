#pragma once

#include <QString>

namespace sandfish {

/// Where the programs of this user keep what is neither settings nor documents: $XDG_STATE_HOME/sandfish, or
/// ~/.local/state/sandfish. It may not exist yet.
QString userStateFolder();

} // namespace sandfish
