#pragma once

#include "core/engine/executionlog.h"
#include "core/engine/kernellanguage.h"
#include "core/engine/kernelprocess.h"
#include "core/engine/pausableclock.h"

#include <functional>
#include <string>
#include <vector>

namespace sandfish {

class PythonZygote;

/// What every context of a sandbox shares. The references outlive the contexts.
struct ContextServices
{
    EventLoop &loop;
    PausableClock &clock;
    SupervisorLink &link;
    const Interpreters &interpreters;
    std::string runners;                  ///< as the sandbox sees them
    std::string temporary;                ///< folder for files that nobody keeps, as the sandbox sees it
    std::vector<std::string> environment; ///< of every runner, NAME=value
    LogLimits logLimits;
    std::function<bool()> isUnderPressure; ///< true when the sandbox is short of memory or processes
    std::function<void()> relieve;         ///< gives up kept states of the sandbox
    PythonZygote &zygote;
};

/// How the runner of a language is started in a folder. Kind::NotFound when the interpreter is not installed.
Result<KernelProcess::Launch> kernelLaunch(
    Language language, const ContextServices &services, const std::string &workingDirectory);

} // namespace sandfish
