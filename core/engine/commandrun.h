#pragma once

#include "core/engine/localsandbox.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sandfish {

struct CommandSpec
{
    std::string command;                      ///< for `sh -c`
    std::vector<std::string> arguments;       ///< in place of the shell and its command, where there are any
    std::optional<std::string> standardInput; ///< what it reads; nothing: the end
    bool mergesOutput = false;                ///< standardOutput has both streams, in the order of writing
    std::map<std::string, std::string> environment;
    std::string workingDirectory;             ///< as the sandbox sees it
    std::chrono::milliseconds timeout{60000}; ///< of running time; then the whole process tree is killed
};

struct CommandResult
{
    std::string standardOutput; ///< valid UTF-8, at most 16 MiB, then cut with a remark
    std::string standardError;
    int exitCode = 0; ///< 128 + N for signal N
};

/// Runs one command in a sandbox. \a done comes once: Kind::Timeout when the time is over, Kind::NotFound when the
/// working directory is not there. Keeps itself and the sandbox alive until then.
void runCommand(EventLoop &loop, std::shared_ptr<LocalSandbox> sandbox, CommandSpec spec,
    std::function<void(Result<CommandResult>)> done);

} // namespace sandfish
