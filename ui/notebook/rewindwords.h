#pragma once

#include <QString>

#include <string>
#include <vector>

namespace sandfish {

/// What a rewound context would not have again, in words: "2 threads and 1 open file". The reasons are those of
/// core/engine/PROTOCOL.md §3.4; one that is not known is told as it is. Empty: nothing.
QString inexactText(const std::vector<std::string> &reasons);

} // namespace sandfish
