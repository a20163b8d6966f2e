#pragma once

#include "core/protocol/executionevent.h"

#include <string>

namespace sandfish {

inline bool operator==(const CheckpointRef &left, const CheckpointRef &right)
{
    return left.id == right.id && left.inexact == right.inexact;
}

/// A kept state of a context (core/engine/PROTOCOL.md §3.4).
struct CheckpointInfo
{
    CheckpointRef ref;
    std::string executionId; ///< of the execution that it precedes; empty: taken by request
    int executionCount = 0;  ///< of the state
    bool isPinned = false;

    bool operator==(const CheckpointInfo &) const = default;
};

} // namespace sandfish
