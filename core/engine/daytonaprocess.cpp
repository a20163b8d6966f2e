#include "core/engine/daytonaprocess.h"

#include "core/engine/commandrun.h"
#include "core/engine/mountplan.h"
#include "core/engine/sandboxlimits.h"

#include <algorithm>
#include <cmath>

namespace sandfish {
namespace {

constexpr std::chrono::hours kLongestCommand(24);

Error badProcess(std::string message)
{
    return {Error::Kind::BadRequest, std::move(message)};
}

bool holdsNul(const std::string &text)
{
    return text.find('\0') != std::string::npos;
}

/// What both calls have: environment, folder, limit of time.
Result<CommandSpec> commonSpec(const Json &body)
{
    CommandSpec spec;
    spec.mergesOutput = true;
    spec.environment = stringMap(memberOrNull(body, "envs"));
    if (const Result<> checked = checkEnvironment(spec.environment); !checked)
        return checked.error();
    spec.workingDirectory = stringOr(body, "cwd", "");
    if (spec.workingDirectory.empty())
        spec.workingDirectory = kSandboxHome;
    if (holdsNul(spec.workingDirectory))
        return badProcess("cwd must not hold NUL");
    const Json &timeout = memberOrNull(body, "timeout");
    const double seconds = timeout.is_number() ? timeout.get<double>() : 0;
    if (!(seconds >= 0) || !(timeout.is_null() || timeout.is_number()))
        return badProcess("timeout must be a number of seconds that is not negative");
    spec.timeout = kLongestCommand;
    if (seconds > 0 && seconds < std::chrono::seconds(kLongestCommand).count())
        spec.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000)));
    return spec;
}

Result<CommandSpec> commandFrom(const Json &body, const Interpreters &interpreters)
{
    Result<CommandSpec> spec = commonSpec(body);
    const std::string command = stringOr(body, "command", "");
    if (spec && command.empty())
        return badProcess("command is required");
    if (spec && holdsNul(command))
        return badProcess("command must not hold NUL");
    if (spec)
        spec->arguments = {interpreters.bash.empty() ? "/bin/sh" : interpreters.bash, "-c", command};
    return spec;
}

Result<std::vector<std::string>> programFor(const std::string &language, const Interpreters &interpreters)
{
    const std::string normalised = language == "typescript" ? language : normalisedLanguage(language);
    if (normalised == "python" && !interpreters.python.empty())
        return std::vector<std::string>{interpreters.python, "-u", "-X", "utf8", "-"};
    if (normalised == "javascript" && !interpreters.node.empty())
        return std::vector<std::string>{interpreters.node, "-"};
    if (normalised == "typescript" && !interpreters.node.empty())
        return std::vector<std::string>{
            interpreters.node, "--no-warnings", "--experimental-strip-types", "--input-type=module-typescript", "-"};
    if (normalised == "python" || normalised == "javascript" || normalised == "typescript")
        return badProcess("The interpreter for " + normalised + " is not installed on this computer");
    return badProcess("language must be python, javascript or typescript");
}

Result<CommandSpec> programFrom(const Json &body, const Interpreters &interpreters)
{
    Result<CommandSpec> spec = commonSpec(body);
    if (!spec)
        return spec;
    const std::string code = stringOr(body, "code", "");
    if (code.empty())
        return badProcess("code is required");
    Result<std::vector<std::string>> program = programFor(stringOr(body, "language", ""), interpreters);
    if (!program)
        return program.error();
    spec->arguments = program.take();
    spec->standardInput = code;
    const Json &words = memberOrNull(body, "argv");
    for (const Json &word : words.is_array() ? words : Json::array()) {
        if (!word.is_string() || holdsNul(word.get_ref<const std::string &>()))
            return badProcess("argv must be a list of strings without NUL");
        spec->arguments.push_back(word.get<std::string>());
    }
    return spec;
}

void answerCommand(const DaytonaCall &call, const Result<CommandResult> &result)
{
    if (result)
        sendJson(call.reply, 200, {{"exitCode", result->exitCode}, {"result", result->standardOutput}});
    else if (result.error().kind == Error::Kind::Timeout)
        sendDaytonaError(call, 408, result.error().message, "PROCESS_EXECUTION_TIMEOUT");
    else if (result.error().kind == Error::Kind::NotFound)
        sendJson(call.reply, 200, {{"exitCode", -1}, {"result", result.error().message}});
    else
        sendDaytonaError(call, result.error());
}

using Reader = Result<CommandSpec> (*)(const Json &, const Interpreters &);

void runFrom(Reader read, EventLoop &loop, const Interpreters &interpreters,
    const std::shared_ptr<LocalSandbox> &sandbox, const DaytonaCall &call)
{
    const Result<Json> body = bodyObject(*call.request);
    Result<CommandSpec> spec = body ? read(*body, interpreters) : Result<CommandSpec>(body.error());
    if (!spec) {
        sendDaytonaError(call, spec.error());
        return;
    }
    runCommand(
        loop, sandbox, spec.take(), [call](const Result<CommandResult> &result) { answerCommand(call, result); });
}

} // namespace

void daytonaExecuteCommand(EventLoop &loop, const Interpreters &interpreters,
    const std::shared_ptr<LocalSandbox> &sandbox, const DaytonaCall &call)
{
    runFrom(commandFrom, loop, interpreters, sandbox, call);
}

void daytonaRunCode(EventLoop &loop, const Interpreters &interpreters, const std::shared_ptr<LocalSandbox> &sandbox,
    const DaytonaCall &call)
{
    runFrom(programFrom, loop, interpreters, sandbox, call);
}

} // namespace sandfish
