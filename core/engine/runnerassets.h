#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace sandfish {

/// One file of resources/runners, compiled into the daemon.
struct RunnerAsset
{
    std::string_view path; ///< such as "python/main.py"
    const unsigned char *bytes;
    std::size_t size;
};

extern const RunnerAsset kRunnerAssets[];
extern const std::size_t kRunnerAssetCount;

/// Writes the runners below \a stateDirectory, in a folder named after their contents, and returns that folder.
Result<std::string> installRunners(const std::string &stateDirectory);

} // namespace sandfish
