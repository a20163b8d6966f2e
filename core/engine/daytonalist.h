#pragma once

#include "core/engine/daytonatimers.h"
#include "core/engine/httpserver.h"

#include <vector>

namespace sandfish {

/// One page of `GET /sandbox` (protocols.md §3.2).
struct DaytonaPage
{
    std::vector<SandboxRegistry::SandboxPtr> sandboxes;
    std::string nextCursor; ///< empty: the last page
};

/// Picks, sorts and cuts by the query of \a request: id, name (beginnings), labels, states, snapshots, isPublic, sort,
/// order, limit, cursor. A cursor stays good when sandboxes come and go. Kind::BadRequest for odd values.
Result<DaytonaPage> daytonaPage(
    const SandboxRegistry &registry, const DaytonaTimers &timers, const HttpRequest &request);

} // namespace sandfish
