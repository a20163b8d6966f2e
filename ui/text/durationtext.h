#pragma once

#include <QString>

#include <chrono>

namespace sandfish {

/// "0.4 s", "1:05", "2:03:04": how long a run took.
QString durationText(std::chrono::milliseconds duration);
/// "0:14", "12:05", "1:02:03": time that counts up.
QString clockText(std::chrono::seconds elapsed);

} // namespace sandfish
