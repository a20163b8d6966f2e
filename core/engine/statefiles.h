#pragma once

#include "core/base/result.h"
#include "core/engine/uniquefd.h"

#include <string>
#include <string_view>

namespace sandfish {

/// $XDG_STATE_HOME/sandfish/engine or its default; empty when neither variable nor HOME is set.
std::string defaultStateDirectory();

/// Makes the folder and its parents, mode 0700. The message of an error names the folder.
Result<> makeFolder(const std::string &path);

/// Replaces a file, mode 0600, through a temporary name, so that a reader sees the old or the new text. Errors name the
/// file and say when the disk is full.
Result<> writeFileAtomically(const std::string &path, std::string_view text);

/// The contents of a file of at most 64 MiB.
Result<std::string> readSmallFile(const std::string &path);

/// Removes a folder and what is in it, however deep that is, without following links; what cannot be removed stays.
/// Costs the time of the disk.
void removeFolder(const std::string &path);

/// Takes the lock of a state directory for the life of the descriptor. Kind::Conflict when another daemon has it.
Result<UniqueFd> lockStateDirectory(const std::string &path);

} // namespace sandfish
