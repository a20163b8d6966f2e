#include "core/base/json.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace sandfish {
namespace {

constexpr int kMaxDepth = 512;
constexpr std::size_t kLongBytes = 256;
constexpr int kLevelsByHand = 3;

std::string excerpt(std::string_view text)
{
    return std::string(text.substr(0, 200));
}

// The first place from `at` on that is no ASCII character which stands for itself in a JSON string.
std::size_t endOfPlainRun(std::string_view text, std::size_t at)
{
    constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
    const auto hasLess = [](std::uint64_t word, std::uint64_t bound) { return (word - kOnes * bound) & ~word; };
    for (std::uint64_t word; at + sizeof word <= text.size(); at += sizeof word) {
        std::memcpy(&word, text.data() + at, sizeof word);
        const std::uint64_t quotes = hasLess(word ^ kOnes * '"', 1), slashes = hasLess(word ^ kOnes * '\\', 1);
        if (((word | hasLess(word, 0x20) | quotes | slashes) & kHighs) != 0)
            break;
    }
    const auto isPlain = [](unsigned char c) { return c >= 0x20 && c < 0x80 && c != '"' && c != '\\'; };
    while (at < text.size() && isPlain(static_cast<unsigned char>(text[at])))
        ++at;
    return at;
}

bool isPlain(std::string_view text)
{
    return endOfPlainRun(text, 0) == text.size();
}

/// Looks over a JSON text before it is parsed: how deep it is, and which long strings need no decoding. These are
/// left out of what the parser sees, since it takes some nanoseconds a byte: most of the time of a picture in base64.
class Survey
{
public:
    explicit Survey(std::string_view text)
        : m_text(text)
    {
        int depth = 0;
        for (std::size_t i = 0; i < text.size() && !m_isTooDeep; ++i) {
            const char c = text[i];
            if (c == '"')
                i = passString(i);
            else if (c == '[' || c == '{')
                m_isTooDeep = ++depth > kMaxDepth;
            else if (c == ']' || c == '}')
                --depth;
        }
    }

    bool isTooDeep() const { return m_isTooDeep; }

    Json parse()
    {
        if (m_long.empty())
            return Json::parse(m_text, nullptr, false);
        m_short += m_text.substr(m_copied);
        std::size_t number = 0;
        auto next = m_long.begin();
        const auto fill = [&](int, Json::parse_event_t event, Json &value) {
            const bool isString =
                event == Json::parse_event_t::key || (event == Json::parse_event_t::value && value.is_string());
            if (isString && number++ == (next == m_long.end() ? std::string::npos : next->number))
                value = std::string((next++)->text);
            return true;
        };
        return Json::parse(m_short, fill, false);
    }

private:
    struct LongString
    {
        std::size_t number; // among all strings, keys included
        std::string_view text;
    };

    // The place of the closing quote.
    std::size_t passString(std::size_t open)
    {
        std::size_t end = endOfPlainRun(m_text, open + 1);
        if (end < m_text.size() && m_text[end] == '"') {
            if (end - open > kLongBytes && !isKeyBefore(end + 1))
                leaveOut(open + 1, end);
        } else {
            while (end < m_text.size() && m_text[end] != '"')
                end = m_text[end] & 0x80 ? end + 1 : endOfPlainRun(m_text, end + (m_text[end] == '\\' ? 2 : 1));
        }
        ++m_strings;
        return end;
    }

    bool isKeyBefore(std::size_t at) const
    {
        const std::size_t next = m_text.find_first_not_of(" \t\r\n", at);
        return next != std::string_view::npos && m_text[next] == ':';
    }

    void leaveOut(std::size_t begin, std::size_t end)
    {
        m_short += m_text.substr(m_copied, begin - m_copied);
        m_copied = end;
        m_long.push_back({m_strings, m_text.substr(begin, end - begin)});
    }

    std::string_view m_text;
    bool m_isTooDeep = false;
    std::size_t m_strings = 0;
    std::size_t m_copied = 0;
    std::string m_short;
    std::vector<LongString> m_long;
};

std::string dumped(const Json &value)
{
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append(const Json &value, int levels, std::string &out);

void appendString(std::string_view text, std::string &out)
{
    if (isPlain(text))
        ((out += '"') += text) += '"';
    else
        out += dumped(text);
}

void appendObject(const Json::object_t &object, int levels, std::string &out)
{
    char before = '{';
    for (const auto &[key, value] : object) {
        out += std::exchange(before, ',');
        appendString(key, out);
        out += ':';
        append(value, levels, out);
    }
    out += '}';
}

// Long plain strings are copied whole, as deep as records have them; the rest is the library's.
void append(const Json &value, int levels, std::string &out)
{
    if (const auto *text = value.get_ptr<const Json::string_t *>())
        appendString(*text, out);
    else if (const auto *object = value.get_ptr<const Json::object_t *>(); object && levels > 0 && !object->empty())
        appendObject(*object, levels - 1, out);
    else if (value.is_number_unsigned())
        out += std::to_string(value.get<std::uint64_t>());
    else if (value.is_number_integer())
        out += std::to_string(value.get<std::int64_t>());
    else
        out += dumped(value);
}

} // namespace

Result<Json> parseJson(std::string_view text)
{
    Survey survey(text);
    if (survey.isTooDeep())
        return Error{Error::Kind::Protocol, "The JSON is nested too deeply to be read.", excerpt(text)};
    Json value = survey.parse();
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
    std::string out;
    append(value, kLevelsByHand, out);
    return out;
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
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (member.is_number_unsigned())
        return static_cast<std::int64_t>(std::min<std::uint64_t>(member.get<std::uint64_t>(), kMost));
    if (member.is_number_integer())
        return member.get<std::int64_t>();
    if (!member.is_number_float())
        return fallback;
    const double number = member.get<double>();
    // The bounds themselves are doubles, the largest integer is not.
    if (!(std::abs(number) < 0x1p63))
        return std::isnan(number) ? fallback : number > 0 ? kMost : std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(number);
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
