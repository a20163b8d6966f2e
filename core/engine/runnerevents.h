#pragma once

#include "core/base/json.h"
#include "core/engine/kernellanguage.h"

#include <optional>

namespace sandfish {

/// The output event of `result`, `display`, `clear` and `input_request`; nothing for every other runner event.
std::optional<ExecutionEvent> outputEventFrom(const Json &event);

/// What the `done` of a runner says.
struct RunnerDone
{
    std::optional<ErrorOutput> error;
    WireDone done;
    std::vector<std::string> modules; ///< large packages that the runner has loaded since the last one
};

RunnerDone runnerDoneFrom(const Json &event, Language language);

} // namespace sandfish
