#include "core/engine/executerequest.h"

#include <algorithm>

namespace sandfish {
namespace {

constexpr std::chrono::seconds kSeedTimeout(60);

Error invalid(std::string member, std::string message)
{
    return {Error::Kind::BadRequest, std::move(message), std::move(member)};
}

Result<> checkMembers(const Json &object)
{
    if (!memberOrNull(object, "code").is_string())
        return invalid("code", object.contains("code") ? "Input should be a valid string" : "Field required");
    for (const char *member : {"context_id", "language"}) {
        const Json &value = memberOrNull(object, member);
        if (!value.is_null() && !value.is_string())
            return invalid(member, "Input should be a valid string");
    }
    const Json &environment = memberOrNull(object, "env_vars");
    const auto isText = [](const Json &value) { return value.is_string(); };
    if (!environment.is_null()
        && (!environment.is_object() || !std::all_of(environment.begin(), environment.end(), isText)))
        return invalid("env_vars", "Input should be a valid dictionary of strings");
    if (const Result<> checked = checkEnvironment(stringMap(environment)); !checked)
        return invalid("env_vars", checked.error().message);
    return {};
}

std::string lowerCase(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
        [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

} // namespace

Result<ExecuteRequest> parseExecuteRequest(const std::string &body)
{
    const Result<Json> object = parseJsonObject(body);
    if (!object)
        return invalid("", "JSON decode error");
    if (Result<> checked = checkMembers(*object); !checked)
        return checked.error();
    ExecuteRequest request;
    request.contextId = stringOr(*object, "context_id", "");
    request.language = stringOr(*object, "language", "");
    request.spec.code = stringOr(*object, "code", "");
    request.spec.environment = stringMap(memberOrNull(*object, "env_vars"));
    request.spec.timeout = kSeedTimeout;
    const Json &extension = memberOrNull(*object, "sandfish");
    if (!extension.is_object())
        return request;
    if (stringOr(extension, "dialect", "") == "full") {
        request.dialect = WireDialect::Full;
        request.spec.timeout.reset();
        request.spec.keepsState = stringOr(extension, "checkpoint", "auto") != "off";
    }
    request.spec.label = stringOr(extension, "label", "");
    request.spec.allowsInput = boolOr(extension, "stdin", false);
    if (lowerCase(stringOr(extension, "lang", "")) == "typescript")
        request.spec.runnerLanguage = "typescript";
    if (const std::int64_t limit = integerOr(extension, "timeout_ms", 0); limit > 0)
        request.spec.timeout = boundedTimeout(limit);
    return request;
}

void sendInvalidBody(const ReplyPtr &reply, const Error &error)
{
    const bool isMissing = error.message == "Field required";
    sendInvalid(reply, error.detail, error.message,
        error.detail.empty() ? "json_invalid"
            : isMissing      ? "missing"
                             : "type_error");
}

Result<LocalSandbox::ContextPtr> selectContext(LocalSandbox &sandbox, const ExecuteRequest &request)
{
    if (!request.contextId.empty() && !request.language.empty())
        return Error{Error::Kind::BadRequest, "Provide context_id or language, not both"};
    if (!request.contextId.empty()) {
        if (LocalSandbox::ContextPtr context = sandbox.findContext(request.contextId))
            return context;
        return Error{Error::Kind::NotFound, "Context " + request.contextId + " not found"};
    }
    if (request.language.empty())
        return sandbox.defaultContext(Language::Python);
    const std::optional<Language> language = languageFromName(request.language);
    if (!language)
        return Error{Error::Kind::BadRequest, "Unsupported language: " + request.language};
    return sandbox.defaultContext(*language);
}

} // namespace sandfish
