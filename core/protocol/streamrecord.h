#pragma once

#include "core/protocol/wirerecord.h"

#include <optional>
#include <string_view>

namespace sandfish {

/// Reads the record that makes up nearly all of a long output: one of stdout or stderr, compact, of plain members.
/// Nothing for any other line, also for one that is not valid: the general reader says what it is.
/// Cost: about 1 ns a byte, a tenth of the general reader.
std::optional<WireRecord> decodeStreamRecord(std::string_view line);

} // namespace sandfish
