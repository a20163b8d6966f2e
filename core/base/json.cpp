#include "core/base/json.h"

namespace sandfish {
namespace {

constexpr int kMaxDepth = 512;

std::string excerpt(std::string_view text)
{
    return std::string(text.substr(0, 200));
}

bool isTooDeep(std::string_view text)
{
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxDepth)
                return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

} // namespace

Result<Json> parseJson(std::string_view text)
{
    if (isTooDeep(text))
        return Error{Error::Kind::Protocol, "The JSON is nested too deeply to be read.", excerpt(text)};
    Json value = Json::parse(text, nullptr, false);
    if (value.is_discarded())
        return Error{Error::Kind::Protocol, "The text is not valid JSON.", excerpt(text)};
    return value;
}

Result<Json> parseJsonObject(std::string_view text)
{
    Result<Json> value = parseJson(text);
    if (value && !value->is_object())
        return Error{Error::Kind::Protocol, "A JSON object was expected.", excerpt(text)};
    return value;
}

std::string dumpJson(const Json &value)
{
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json &memberOrNull(const Json &object, std::string_view key)
{
    static const Json null;
    if (!object.is_object())
        return null;
    const auto it = object.find(key);
    return it == object.end() ? null : *it;
}

std::string stringOr(const Json &object, std::string_view key, std::string_view fallback)
{
    const Json &member = memberOrNull(object, key);
    return member.is_string() ? member.get<std::string>() : std::string(fallback);
}

std::int64_t integerOr(const Json &object, std::string_view key, std::int64_t fallback)
{
    const Json &member = memberOrNull(object, key);
    if (member.is_number_integer())
        return member.get<std::int64_t>();
    return member.is_number_float() ? static_cast<std::int64_t>(member.get<double>()) : fallback;
}

double numberOr(const Json &object, std::string_view key, double fallback)
{
    const Json &member = memberOrNull(object, key);
    return member.is_number() ? member.get<double>() : fallback;
}

bool boolOr(const Json &object, std::string_view key, bool fallback)
{
    const Json &member = memberOrNull(object, key);
    return member.is_boolean() ? member.get<bool>() : fallback;
}

} // namespace sandfish
