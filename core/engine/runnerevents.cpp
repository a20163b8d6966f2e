#include "core/engine/runnerevents.h"

namespace sandfish {
namespace {

ErrorOutput errorFrom(const Json &event)
{
    ErrorOutput error{stringOr(event, "ename", "Error"), stringOr(event, "evalue", ""), {}};
    std::string traceback = stringOr(event, "traceback", "");
    if (!traceback.empty())
        error.traceback.push_back(std::move(traceback));
    return error;
}

// A cell that asked its process to end is an error to the reader only if the code says so.
std::optional<ErrorOutput> exitError(const Json &event, Language language)
{
    const std::int64_t code = integerOr(event, "code", 0);
    if (code == 0)
        return std::nullopt;
    const std::string number = std::to_string(code);
    switch (language) {
    case Language::Python:
        return ErrorOutput{"SystemExit", number, {}};
    case Language::JavaScript:
    case Language::Bash:
        break;
    }
    return ErrorOutput{"ExitError", "Process exited with code " + number, {}};
}

} // namespace

std::optional<ExecutionEvent> outputEventFrom(const Json &event)
{
    const std::string name = stringOr(event, "ev", "");
    const Json &metadata = memberOrNull(event, "metadata");
    const Json shown = metadata.is_object() ? metadata : Json::object();
    if (name == "result")
        return ExecuteResult{MimeBundle::fromJson(memberOrNull(event, "data")), shown};
    if (name == "display")
        return DisplayData{MimeBundle::fromJson(memberOrNull(event, "data")), shown, stringOr(event, "display_id", ""),
            boolOr(event, "update", false)};
    if (name == "clear")
        return ClearOutput{boolOr(event, "wait", false)};
    if (name == "input_request")
        return InputRequest{stringOr(event, "prompt", ""), boolOr(event, "password", false)};
    return std::nullopt;
}

RunnerDone runnerDoneFrom(const Json &event, Language language)
{
    RunnerDone result;
    result.done.executionCount = static_cast<int>(integerOr(event, "n", 0));
    result.done.duration = std::chrono::milliseconds(static_cast<std::int64_t>(numberOr(event, "ms", 0)));
    for (const Json &name : memberOrNull(event, "modules")) {
        if (name.is_string())
            result.modules.push_back(name.get<std::string>());
    }
    const std::string status = stringOr(event, "status", "ok");
    if (status == "error" || status == "interrupted")
        result.error = errorFrom(event);
    else if (status == "exit")
        result.error = exitError(event, language);
    if (status == "interrupted")
        result.done.outcome = Outcome::Interrupted;
    else if (result.error)
        result.done.outcome = Outcome::CodeError;
    return result;
}

} // namespace sandfish
