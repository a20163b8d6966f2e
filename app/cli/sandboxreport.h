#pragma once

#include "core/base/json.h"
#include "core/protocol/sandboxinfo.h"

#include <QString>

#include <vector>

namespace sandfish {

/// A sandbox as --json shows it. Members that the service does not report are left out.
Json sandboxJson(const SandboxInfo &sandbox);
/// A table with a line of headings; each line ends with LF.
QString sandboxTable(const std::vector<SandboxInfo> &sandboxes);

} // namespace sandfish
