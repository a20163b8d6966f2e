#pragma once

#include "core/base/json.h"
#include "core/protocol/checkpoint.h"

#include <vector>

/// The JSON of the local engine's extension "checkpoints" (core/engine/PROTOCOL.md §3.4). Pure functions; members that
/// are missing stay empty, and a checkpoint without an id is left out.
namespace sandfish::Lizard {

CheckpointInfo parseCheckpoint(const Json &object);
std::vector<CheckpointInfo> parseCheckpoints(const Json &list);

} // namespace sandfish::Lizard
