#include "app/engine/options.h"

#include <charconv>

namespace sandfish {
namespace {

Result<int> numberFrom(const std::string &name, const std::string &text, int low, int high)
{
    int value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || value < low || value > high)
        return Error{Error::Kind::BadRequest,
            name + " needs a number from " + std::to_string(low) + " to " + std::to_string(high) + ", not \"" + text
                + "\"."};
    return value;
}

Result<> applyOption(const std::string &name, const std::string &value, CommandLine &line)
{
    if (name == "--state-dir") {
        line.engine.stateDirectory = value;
        return {};
    }
    const bool isPort = name == "--port";
    const Result<int> number = numberFrom(name, value, 0, 65535);
    if (!number)
        return number.error();
    if (isPort) {
        line.engine.port = static_cast<std::uint16_t>(*number);
    } else {
        line.action = CommandLine::Action::Supervise;
        line.supervisorDescriptor = *number;
    }
    return {};
}

} // namespace

Result<CommandLine> parseCommandLine(const std::vector<std::string> &arguments)
{
    CommandLine line;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string &name = arguments[i];
        if (name == "--help" || name == "-h") {
            line.action = CommandLine::Action::ShowHelp;
        } else if (name == "--version") {
            line.action = CommandLine::Action::ShowVersion;
        } else if (name == "--print-env") {
            line.action = CommandLine::Action::PrintEnvironment;
        } else if (name == "--foreground") {
            line.engine.staysInForeground = true;
        } else if (name == "--port" || name == "--state-dir" || name == "--supervisor") {
            if (i + 1 == arguments.size())
                return Error{Error::Kind::BadRequest, name + " needs a value. See sandfishd --help."};
            if (Result<> applied = applyOption(name, arguments[++i], line); !applied)
                return applied.error();
        } else {
            return Error{Error::Kind::BadRequest, "There is no option \"" + name + "\". See sandfishd --help."};
        }
    }
    return line;
}

std::string helpText()
{
    return R"help(sandfishd runs code in sandboxes of this computer for Sandfish.

Usage: sandfishd [--foreground] [--port N] [--state-dir DIR]
       eval "$(sandfishd --print-env [--state-dir DIR])"

Once it serves it prints one line of JSON: its address, the API key, its version, how
far sandboxes are isolated, and the certificate file for clients that insist on https.
It listens on this computer only.

  --foreground     Do not go into the background.
  --port N         Listen on port N. Without it, on any free port.
  --state-dir DIR  Where sandboxes keep their files. Without it,
                   $XDG_STATE_HOME/sandfish/engine or ~/.local/state/sandfish/engine.
                   One daemon per folder.
  --print-env      Print what a shell must export so that the SDKs of Lizard and of
                   Daytona use the daemon that serves the folder.
  --version        Print the version.
  --help           Print this text.

Environment:
  SANDFISH_PYTHON, SANDFISH_NODE   The interpreters to use for cells.
  SANDFISH_ISOLATION               full, shared-net, landlock or none: the best level to try.

Exit status: 0 after an orderly stop, 1 when it cannot serve or no daemon does,
2 for wrong options, 3 when another daemon uses the folder.
)help";
}

} // namespace sandfish
