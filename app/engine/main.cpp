#include "app/engine/background.h"
#include "app/engine/options.h"
#include "core/engine/engine.h"
#include "core/engine/enginerecord.h"
#include "core/engine/statefiles.h"

#include <cstdio>
#include <filesystem>

using namespace sandfish;

namespace {

constexpr int kCannotServe = 1;
constexpr int kWrongOptions = 2;
constexpr int kAnotherDaemon = 3;

int fail(const Error &error, int status)
{
    std::fprintf(stderr, "sandfishd: %s\n", error.message.c_str());
    return status;
}

int serve(EngineOptions options)
{
    std::error_code failure;
    options.program = std::filesystem::read_symlink("/proc/self/exe", failure).string();
    options.version = SANDFISH_VERSION;
    if (options.stateDirectory.empty())
        options.stateDirectory = defaultStateDirectory();
    const Result<> served = runEngine(std::move(options));
    if (served)
        return 0;
    return fail(served.error(), served.error().kind == Error::Kind::Conflict ? kAnotherDaemon : kCannotServe);
}

int printEnvironment(const std::string &stateDirectory)
{
    const Result<std::string> lines = shellExports(stateDirectory.empty() ? defaultStateDirectory() : stateDirectory);
    if (!lines)
        return fail(lines.error(), kCannotServe);
    std::fputs(lines->c_str(), stdout);
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    const Result<CommandLine> line = parseCommandLine({argv + 1, argv + argc});
    if (!line)
        return fail(line.error(), kWrongOptions);
    switch (line->action) {
    case CommandLine::Action::ShowHelp:
        std::fputs(helpText().c_str(), stdout);
        return 0;
    case CommandLine::Action::ShowVersion:
        std::puts("sandfishd " SANDFISH_VERSION);
        return 0;
    case CommandLine::Action::PrintEnvironment:
        return printEnvironment(line->engine.stateDirectory);
    case CommandLine::Action::Supervise:
        runSupervisor(line->supervisorDescriptor);
    case CommandLine::Action::Serve:
        break;
    }
    if (line->engine.staysInForeground)
        return serve(line->engine);
    return runInBackground([&line] { return serve(line->engine); });
}
