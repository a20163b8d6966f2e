#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <QString>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sandfish {

/// JSON as text: a notebook is indexed and patched in its own bytes, and parsed only where it is needed.
///
/// Everything but scanJsonValue() wants text that has passed it. Nothing here recurses deeper than 512 levels.

/// Checks the value that starts at \a from, blanks before it allowed; returns the position after it. NaN and Infinity
/// are accepted, as Python writes them. The error names the place. Cost: strings at memory speed, else about 4 ns a
/// byte.
Result<std::size_t> scanJsonValue(std::string_view text, std::size_t from);
std::size_t skipJsonBlanks(std::string_view text, std::size_t from);

struct JsonMember
{
    std::string_view key; ///< with its quotes
    std::string_view value;

    /// The key without quotes; escapes stay as they are.
    std::string_view name() const { return key.substr(1, key.size() - 2); }
};

/// A value of an outline, with its key if it is a member of an object.
struct JsonNode : JsonMember
{
    std::size_t depth = 0; ///< how many containers it is in
};
using JsonNodes = std::span<const JsonNode>;
/// Whether the inside of this container is wanted too; only its key and depth are known yet.
using JsonOpens = bool (*)(const JsonNode &container);

/// The upper levels of a value, found in the pass that checks it. A container's inside follows it.
struct JsonOutline
{
    std::vector<JsonNode> nodes; ///< the first is the value itself
    std::size_t end = 0;         ///< the position after the value

    /// Everything in the container \a node, at all depths that were wanted.
    JsonNodes inside(std::size_t node) const;
};

/// As scanJsonValue(), and notes the value and whatever is in a container that \a opens wants. The same cost, and 40
/// bytes a node.
Result<JsonOutline> scanJsonOutline(std::string_view text, std::size_t from, JsonOpens opens);

/// In file order; empty for a value that is no object.
std::vector<JsonMember> jsonMembers(std::string_view object);
/// Empty for a value that is no array.
std::vector<std::string_view> jsonElements(std::string_view array);
/// The last member of that name, as Python reads it; empty if there is none.
std::string_view jsonMember(std::string_view object, std::string_view name);
std::string_view jsonMember(const std::vector<JsonMember> &members, std::string_view name);

bool isJsonString(std::string_view value);
bool isJsonObject(std::string_view value);
bool isJsonArray(std::string_view value);
/// Whole numbers; \a fallback for anything else.
std::int64_t jsonInteger(std::string_view value, std::int64_t fallback);

/// The characters of a string value; escapes of lone surrogates stay lone surrogates.
QString jsonQString(std::string_view value);
/// The same as UTF-8; lone surrogates and bytes that are no UTF-8 become U+FFFD.
std::string jsonUtf8(std::string_view value);
/// A string, or a list of strings joined (nbformat multiline string); other values give their text, null nothing.
QString jsonMultiline(std::string_view value);
std::string jsonMultilineUtf8(std::string_view value);

/// The value as a tree; NaN, Infinity and what lies deeper than 512 levels become null.
Json jsonTree(std::string_view value);

/// Such as "line 12, column 5".
std::string jsonPlace(std::string_view text, std::size_t position);

} // namespace sandfish
