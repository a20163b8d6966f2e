#include "core/engine/kernellaunch.h"

namespace sandfish {
namespace {

std::string interpreterName(Language language)
{
    switch (language) {
    case Language::Python:
        return "Python";
    case Language::JavaScript:
        return "Node.js";
    case Language::Bash:
        break;
    }
    return "Bash";
}

} // namespace

Result<KernelProcess::Launch> kernelLaunch(
    Language language, const ContextServices &services, const std::string &workingDirectory)
{
    Result<std::vector<std::string>> arguments = runnerArguments(language, services.interpreters, services.runners);
    if (!arguments)
        return arguments.error();
    KernelProcess::Launch launch;
    launch.arguments = arguments.take();
    launch.environment = services.environment;
    launch.workingDirectory = workingDirectory;
    launch.interpreterName = interpreterName(language);
    launch.readsCommandsFromStdin = language == Language::Bash;
    if (language == Language::Bash)
        launch.firstCommand = ". " + shellQuoted(services.runners + "/bash/runner.sh") + "\n";
    return launch;
}

} // namespace sandfish
