#pragma once

#include "core/engine/engine.h"

#include <string>
#include <vector>

namespace sandfish {

/// What the command line asks for.
struct CommandLine
{
    enum class Action
    {
        Serve,
        ShowHelp,
        ShowVersion,
        PrintEnvironment,
        Supervise
    };
    Action action = Action::Serve;
    EngineOptions engine;
    int supervisorDescriptor = -1;
};

/// Kind::BadRequest with a sentence for people when an argument is wrong.
Result<CommandLine> parseCommandLine(const std::vector<std::string> &arguments);

std::string helpText();

} // namespace sandfish
