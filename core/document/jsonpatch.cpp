#include "core/document/jsonlayout.h"
#include "core/document/jsontext.h"

#include <algorithm>

namespace sandfish {
namespace {

struct Part
{
    std::string key;   ///< without quotes
    std::string lead;  ///< before the key, comma and blanks
    std::string start; ///< key and colon, as they stand
    std::string value;
};

struct ObjectParts
{
    std::vector<Part> parts;
    std::string tail; ///< between the last value and the brace
};

ObjectParts partsOf(std::string_view object)
{
    ObjectParts result;
    const auto offset = [&](std::string_view part) { return static_cast<std::size_t>(part.data() - object.data()); };
    std::size_t end = 1;
    for (const JsonMember &member : jsonMembers(object)) {
        const std::size_t key = offset(member.key);
        const std::size_t value = offset(member.value);
        result.parts.push_back({std::string(member.name()), std::string(object.substr(end, key - end)),
            std::string(object.substr(key, value - key)), std::string(member.value)});
        end = value + member.value.size();
    }
    result.tail = std::string(object.substr(end, object.size() - 1 - end));
    return result;
}

void insertPart(ObjectParts &object, const JsonEdit &edit, const JsonLayout &layout)
{
    Part part{edit.key, {}, {}, *edit.value};
    layout.appendString(edit.key, part.start);
    part.start += layout.colon;
    const auto less = [](const Part &a, const Part &b) { return a.key < b.key; };
    const bool isSorted = std::is_sorted(object.parts.begin(), object.parts.end(), less);
    const auto at =
        isSorted ? std::upper_bound(object.parts.begin(), object.parts.end(), part, less) : object.parts.end();
    object.parts.insert(at, std::move(part));
}

} // namespace

std::string patchedObject(
    std::string_view object, const std::vector<JsonEdit> &edits, const JsonLayout &layout, int depth)
{
    ObjectParts parsed = partsOf(object);
    const bool wasEmpty = parsed.parts.empty();
    const std::string first = wasEmpty ? layout.lineStart(depth + 1) : parsed.parts.front().lead;
    const std::string next = parsed.parts.size() > 1 ? parsed.parts[1].lead
        : first.find('\n') == std::string::npos      ? layout.comma
                                                     : "," + first;
    for (const JsonEdit &edit : edits) {
        const auto same = [&](const Part &part) { return part.key == edit.key; };
        // Of two members of one name readers take the last.
        const auto it = std::find_if(parsed.parts.rbegin(), parsed.parts.rend(), same);
        if (!edit.value)
            std::erase_if(parsed.parts, same);
        else if (it != parsed.parts.rend())
            it->value = *edit.value;
        else
            insertPart(parsed, edit, layout);
    }
    if (parsed.parts.empty())
        return "{}";
    std::string text = "{";
    for (std::size_t i = 0; i < parsed.parts.size(); ++i) {
        const Part &part = parsed.parts[i];
        const bool keepsLead = i != 0 && part.lead.find(',') != std::string::npos;
        text += i == 0 ? first : keepsLead ? part.lead : next;
        text += part.start;
        text += part.value;
    }
    return text + (wasEmpty ? layout.lineStart(depth) : parsed.tail) + "}";
}

} // namespace sandfish
