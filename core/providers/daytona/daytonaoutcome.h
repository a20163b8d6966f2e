#pragma once

#include "core/base/result.h"
#include "core/net/messagesocket.h"
#include "core/protocol/executionevent.h"

namespace sandfish::Daytona {

/// What was seen of a run until its socket ended.
struct RunTrace
{
    bool hasFrames = false;
    bool hasError = false;
    bool hasCompleted = false;   ///< `control/completed`
    bool hasInterrupted = false; ///< `control/interrupted`
    bool isInterruptAsked = false;
};

/// What the end of a run means for its context.
enum class ContextFate
{
    Alive,
    Reset, ///< its interpreter ended; the next run gets a new one under the same id
    Gone   ///< the service does not know it any more
};

struct RunEnd
{
    ExecutionSummary summary;
    ContextFate fate = ContextFate::Alive;
};

/// The end of a run by the rules of protocols.md §3.6 and §6.4: complete only with `control/completed`, or with an
/// error and the close code 1000. Pure.
RunEnd runEnd(const RunTrace &trace, const Result<SocketClose> &close);

} // namespace sandfish::Daytona
