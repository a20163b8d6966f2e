#include "core/protocol/mimebundle.h"

#include <algorithm>

namespace sandfish {
namespace {

Json joinedIfStrings(const Json &value, std::string_view type)
{
    if (!value.is_array() || isJsonMimeType(type))
        return value;
    std::string joined;
    for (const Json &part : value) {
        if (!part.is_string())
            return value;
        joined += part.get_ref<const std::string &>();
    }
    return joined;
}

} // namespace

MimeBundle MimeBundle::fromJson(const Json &data)
{
    MimeBundle bundle;
    if (!data.is_object())
        return bundle;
    for (const auto &[type, value] : data.items())
        bundle.set(type, joinedIfStrings(value, type));
    return bundle;
}

Json MimeBundle::toJson() const
{
    Json object = Json::object();
    for (const MimeEntry &entry : m_entries)
        object[entry.type] = entry.value;
    return object;
}

void MimeBundle::set(std::string_view type, Json value)
{
    const auto it =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const MimeEntry &e) { return e.type == type; });
    if (it != m_entries.end())
        it->value = std::move(value);
    else
        m_entries.push_back({std::string(type), std::move(value)});
}

const Json *MimeBundle::find(std::string_view type) const
{
    const auto it =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const MimeEntry &e) { return e.type == type; });
    return it == m_entries.end() ? nullptr : &it->value;
}

std::string_view MimeBundle::text(std::string_view type) const
{
    const Json *value = find(type);
    return value && value->is_string() ? std::string_view(value->get_ref<const std::string &>()) : std::string_view();
}

bool isBase64MimeType(std::string_view type)
{
    if (type == "image/svg+xml")
        return false;
    return type.starts_with("image/") || type.starts_with("audio/") || type.starts_with("video/")
        || type == "application/pdf" || type == "application/octet-stream";
}

bool isJsonMimeType(std::string_view type)
{
    return type == "application/json" || (type.starts_with("application/") && type.ends_with("+json"));
}

} // namespace sandfish
