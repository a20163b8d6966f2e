#pragma once

#include "core/engine/daytonafiles.h"

namespace sandfish {

/// `GET /files/find`: the lines below \a path that hold \a pattern, as `[{file, line, content}]`. Files with NUL bytes
/// are left out. Runs in the sandbox, for 60 s at most (408).
void daytonaFindText(EventLoop &loop, const std::shared_ptr<LocalSandbox> &sandbox, const DaytonaCall &call);
/// `GET /files/search`: the paths below \a path whose last name matches the shell pattern, as `{files}`.
void daytonaSearchNames(EventLoop &loop, const std::shared_ptr<LocalSandbox> &sandbox, const DaytonaCall &call);

/// \a text with each \a pattern, which is not empty, replaced.
std::string replacedText(std::string_view text, std::string_view pattern, std::string_view replacement);

} // namespace sandfish
