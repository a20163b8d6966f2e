#include "core/engine/kernellanguage.h"

#include "core/protocol/sandboxinfo.h"

#include <algorithm>
#include <array>

namespace sandfish {
namespace {

std::string label(const ExecutionSpec &spec, int id)
{
    return spec.label.empty() ? "cell [" + std::to_string(id) + "]" : spec.label;
}

bool isVariableName(std::string_view name)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto isFollower = [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); };
    return !name.empty() && isLetter(name.front()) && std::all_of(name.begin(), name.end(), isFollower);
}

std::string bashExecute(int id, const ExecutionSpec &spec)
{
    std::string line =
        "__sf_begin " + std::to_string(id) + " " + shellQuoted(label(spec, id)) + " " + shellQuoted(spec.code);
    for (const auto &[name, value] : spec.environment) {
        if (isVariableName(name))
            line += " " + shellQuoted(name + "=" + value);
    }
    return line + "; . \"$__sf_cell\" <&\"$__sf_in\"; __sf_end $?\n";
}

Result<std::string> bashQuery(int id, const std::string &operation, const Json &parameters)
{
    const std::string number = " " + std::to_string(id) + " ";
    if (operation == "vars")
        return "__sf_vars" + number + std::to_string(integerOr(parameters, "limit", 200)) + "\n";
    if (operation == "get")
        return "__sf_get" + number + shellQuoted(stringOr(parameters, "name", "")) + " "
            + std::to_string(integerOr(parameters, "offset", 0)) + " "
            + std::to_string(integerOr(parameters, "limit", 100)) + "\n";
    if (operation == "complete")
        return "__sf_complete" + number + shellQuoted(stringOr(parameters, "code", "")) + " "
            + std::to_string(integerOr(parameters, "pos", 0)) + "\n";
    return Error{Error::Kind::Unsupported, "Bash cannot answer \"" + operation + "\"."};
}

Error missing(std::string_view program, std::string_view package)
{
    return {Error::Kind::Unsupported,
        std::string(program) + " was not found on this computer. Install the package " + std::string(package)
            + " and start sandfishd again."};
}

} // namespace

std::optional<Language> languageFromName(std::string_view name)
{
    const std::string normalised = normalisedLanguage(name);
    if (normalised == "python")
        return Language::Python;
    if (normalised == "javascript")
        return Language::JavaScript;
    if (normalised == "bash")
        return Language::Bash;
    return std::nullopt;
}

std::string_view languageName(Language language)
{
    switch (language) {
    case Language::Python:
        return "python";
    case Language::JavaScript:
        return "javascript";
    case Language::Bash:
        break;
    }
    return "bash";
}

Result<std::vector<std::string>> runnerArguments(
    Language language, const Interpreters &interpreters, const std::string &runners)
{
    switch (language) {
    case Language::Python:
        if (interpreters.python.empty())
            return missing("Python 3", "python3");
        return std::vector<std::string>{interpreters.python, "-X", "utf8", runners + "/python/main.py"};
    case Language::JavaScript:
        if (interpreters.node.empty())
            return missing("Node.js", "nodejs");
        // The last flag: Node 24 aborts where a loop in a timer is interrupted.
        return std::vector<std::string>{
            interpreters.node, "--no-warnings", "--no-force-async-hooks-checks", runners + "/javascript/main.cjs"};
    case Language::Bash:
        break;
    }
    if (interpreters.bash.empty())
        return missing("Bash", "bash");
    return std::vector<std::string>{interpreters.bash, "--noprofile", "--norc", "--noediting", "-i"};
}

std::string executeMessage(Language language, int id, const ExecutionSpec &spec)
{
    if (language == Language::Bash)
        return bashExecute(id, spec);
    Json message{{"op", "execute"}, {"id", id}, {"code", spec.code}, {"label", label(spec, id)}};
    if (!spec.environment.empty())
        message["env"] = spec.environment;
    if (!spec.runnerLanguage.empty())
        message["lang"] = spec.runnerLanguage;
    return dumpJson(message) + "\n";
}

std::string interruptMessage(Language language, int id)
{
    if (language == Language::Bash)
        return "__sf_interrupted " + std::to_string(id) + "\n";
    if (language == Language::JavaScript)
        return dumpJson({{"op", "interrupt"}, {"id", id}}) + "\n";
    return {};
}

Result<std::string> queryMessage(Language language, int id, const std::string &operation, const Json &parameters)
{
    static constexpr std::array kOperations{"vars", "get", "complete", "inspect"};
    if (std::find(kOperations.begin(), kOperations.end(), operation) == kOperations.end())
        return Error{Error::Kind::NotFound, "There is no question \"" + operation + "\"."};
    if (language == Language::Bash)
        return bashQuery(id, operation, parameters);
    Json message = parameters.is_object() ? parameters : Json::object();
    message["op"] = operation;
    message["id"] = id;
    return dumpJson(message) + "\n";
}

std::string keepMessage(int id, const std::string &file)
{
    return "__sf_checkpoint " + std::to_string(id) + " " + shellQuoted(file) + "\n";
}

std::string loadMessage(int id, const std::string &file)
{
    return "__sf_load " + std::to_string(id) + " " + shellQuoted(file) + "\n";
}

std::string folderMessage(const std::string &path)
{
    return dumpJson({{"op", "chdir"}, {"path", path}}) + "\n";
}

std::string shellQuoted(std::string_view word)
{
    std::string quoted = "'";
    for (char c : word) {
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    }
    return quoted + "'";
}

} // namespace sandfish
