#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace sandfish {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// Parses one JSON text without exceptions; nesting beyond 512 levels is refused, since a recursive reader of the
/// tree would overflow its stack. The error's detail is the place and the first 200 bytes.
Result<Json> parseJson(std::string_view text);
Result<Json> parseJsonObject(std::string_view text);

/// Writes compact UTF-8 JSON; bytes that are not UTF-8 become U+FFFD, so this never fails.
std::string dumpJson(const Json &value);

/// Getters for members that a peer may leave out or send with another type (protocols.md §0-3).
std::string stringOr(const Json &object, std::string_view key, std::string_view fallback);
std::int64_t integerOr(const Json &object, std::string_view key, std::int64_t fallback);
double numberOr(const Json &object, std::string_view key, double fallback);
bool boolOr(const Json &object, std::string_view key, bool fallback);
/// The member, or a null value that lives for ever.
const Json &memberOrNull(const Json &object, std::string_view key);

} // namespace sandfish
