#pragma once

#include "ui/text/ansiparser.h"

#include <string_view>

namespace sandfish {

/// Applies the parameters of one SGR sequence ("1;38;5;208") to \a style; both ';' and ':' part them, as terminals
/// accept. Parameters that are unknown or out of range change nothing; those with a private prefix are no SGR.
void applySgr(std::string_view parameters, AnsiStyle &style);

} // namespace sandfish
