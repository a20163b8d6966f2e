#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>

namespace sandfish {

struct EngineOptions
{
    std::uint16_t port = 0;     ///< 0: any free one
    std::string stateDirectory; ///< empty: defaultStateDirectory()
    std::string program;        ///< the daemon's own executable, absolute
    std::string version;
    bool staysInForeground = false; ///< false: goes into the background once it serves
};

/// Runs the engine until it is told to stop. Once it serves it prints one line of JSON `{url, apiKey, version,
/// isolation, caFile}` and writes the same, with the pid, to engine.json in the state directory (mode 0600).
/// Kind::Conflict when another daemon has the state directory.
Result<> runEngine(EngineOptions options);

/// The entry of a supervisor (supervisor.h): serves the daemon at the other end of \a descriptor. Never returns.
[[noreturn]] void runSupervisor(int descriptor);

} // namespace sandfish
