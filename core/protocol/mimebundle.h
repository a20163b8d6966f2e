#pragma once

#include "core/base/json.h"

#include <string>
#include <string_view>
#include <vector>

namespace sandfish {

/// One representation of an output. Text types hold a JSON string (UTF-8), binary types a JSON string of base64,
/// JSON types any JSON value: exactly as on the Jupyter wire and in a notebook file.
struct MimeEntry
{
    std::string type; ///< such as "text/plain"
    Json value;

    bool operator==(const MimeEntry &) const = default;
};

/// The representations of one output, in the order in which they came. Small, so look-ups are linear.
class MimeBundle
{
public:
    MimeBundle() = default;
    /// From a JSON object of type to value; lists of strings are joined (nbformat multiline strings).
    static MimeBundle fromJson(const Json &data);
    Json toJson() const;

    void set(std::string_view type, Json value);
    const Json *find(std::string_view type) const;
    bool contains(std::string_view type) const { return find(type) != nullptr; }
    /// The string value of \a type; empty if absent or not a string.
    std::string_view text(std::string_view type) const;
    const std::vector<MimeEntry> &entries() const { return m_entries; }
    bool isEmpty() const { return m_entries.empty(); }

    bool operator==(const MimeBundle &) const = default;

private:
    std::vector<MimeEntry> m_entries;
};

/// True for types whose value is base64 text: image/* but SVG, audio/*, video/*, application/pdf and octet-stream.
bool isBase64MimeType(std::string_view type);
/// True for application/json, application/*+json and the like: the value is JSON itself.
bool isJsonMimeType(std::string_view type);

} // namespace sandfish
