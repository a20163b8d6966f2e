#pragma once

#include "core/base/result.h"

#include <functional>

namespace sandfish {

/// Runs \a serve in a child that outlives this process and has no terminal. This process stays until the child has
/// closed its standard output, that is until it serves or has failed, and returns the child's exit status, 0 if it
/// goes on.
int runInBackground(const std::function<int()> &serve);

} // namespace sandfish
