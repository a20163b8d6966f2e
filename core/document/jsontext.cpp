#include "core/document/jsontext.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace sandfish {
namespace {

constexpr std::size_t kMaxScanDepth = 5000;

Error fault(std::string_view text, std::size_t position, const char *what)
{
    return Error{Error::Kind::Protocol,
        std::string("The file is not valid JSON: ") + what + " in " + jsonPlace(text, position)
            + ". Mend it in a text editor, or open an older copy.",
        std::string(text.substr(std::min(position, text.size()), 200))};
}

bool isBlank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// The position after the closing quote; npos if there is none.
std::size_t afterString(std::string_view text, std::size_t open)
{
    std::size_t from = open + 1;
    while (true) {
        const std::size_t quote = text.find('"', from);
        if (quote == std::string_view::npos)
            return quote;
        std::size_t backslashes = 0;
        while (quote - backslashes > from && text[quote - backslashes - 1] == '\\')
            ++backslashes;
        if (backslashes % 2 == 0)
            return quote + 1;
        from = quote + 1;
    }
}

// The position after a number or word; npos if it is none.
std::size_t afterScalar(std::string_view text, std::size_t from)
{
    for (const std::string_view word : {"null", "true", "false", "NaN", "Infinity", "-Infinity"})
        if (text.compare(from, word.size(), word) == 0)
            return from + word.size();
    std::size_t i = from + (text[from] == '-' ? 1 : 0);
    const auto digits = [&] {
        const std::size_t before = i;
        while (i < text.size() && text[i] >= '0' && text[i] <= '9')
            ++i;
        return i > before;
    };
    if (!digits())
        return std::string_view::npos;
    if (i < text.size() && text[i] == '.' && (++i, !digits()))
        return std::string_view::npos;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        ++i;
        i += i < text.size() && (text[i] == '+' || text[i] == '-') ? 1 : 0;
        if (!digits())
            return std::string_view::npos;
    }
    return i;
}

class Scanner
{
public:
    Scanner(std::string_view text, std::size_t from)
        : m_text(text)
        , m_at(from)
    {
    }

    Result<std::size_t> run()
    {
        while (!(m_expected == Expected::CommaOrEnd && m_open.empty())) {
            m_at = skipJsonBlanks(m_text, m_at);
            if (m_at >= m_text.size())
                return fault(m_text, m_at, "it ends too early,");
            const char *problem = step(m_text[m_at]);
            if (problem != nullptr)
                return fault(m_text, m_at, problem);
        }
        return m_at;
    }

private:
    enum class Expected
    {
        Value,
        ValueOrEnd,
        Key,
        KeyOrEnd,
        CommaOrEnd
    };

    const char *step(char c)
    {
        const bool isEnd = !m_open.empty() && c == m_open.back();
        if (isEnd && m_expected != Expected::Value && m_expected != Expected::Key) {
            m_open.pop_back();
            m_expected = Expected::CommaOrEnd;
            ++m_at;
            return nullptr;
        }
        if (m_expected == Expected::CommaOrEnd) {
            if (c != ',')
                return m_open.back() == '}' ? "a comma or } is missing" : "a comma or ] is missing";
            m_expected = m_open.back() == '}' ? Expected::Key : Expected::Value;
            ++m_at;
            return nullptr;
        }
        return m_expected == Expected::Key || m_expected == Expected::KeyOrEnd ? key(c) : value(c);
    }

    const char *key(char c)
    {
        if (c != '"')
            return "a key in quotes is missing";
        const std::size_t end = afterString(m_text, m_at);
        if (end == std::string_view::npos)
            return "a text that begins here has no closing quote,";
        m_at = skipJsonBlanks(m_text, end);
        if (m_at >= m_text.size() || m_text[m_at] != ':')
            return "a colon is missing";
        ++m_at;
        m_expected = Expected::Value;
        return nullptr;
    }

    const char *value(char c)
    {
        if (c == '{' || c == '[') {
            if (m_open.size() >= kMaxScanDepth)
                return "it is nested too deeply";
            m_open += c == '{' ? '}' : ']';
            m_expected = c == '{' ? Expected::KeyOrEnd : Expected::ValueOrEnd;
            ++m_at;
            return nullptr;
        }
        const std::size_t end = c == '"' ? afterString(m_text, m_at) : afterScalar(m_text, m_at);
        if (end == std::string_view::npos)
            return c == '"' ? "a text that begins here has no closing quote," : "a value is missing";
        m_at = end;
        m_expected = Expected::CommaOrEnd;
        return nullptr;
    }

    std::string_view m_text;
    std::size_t m_at;
    Expected m_expected = Expected::Value;
    std::string m_open; ///< the closing brackets that are due
};

} // namespace

Result<std::size_t> scanJsonValue(std::string_view text, std::size_t from)
{
    return Scanner(text, from).run();
}

std::size_t skipJsonBlanks(std::string_view text, std::size_t from)
{
    while (from < text.size() && isBlank(text[from]))
        ++from;
    return from;
}

std::vector<JsonMember> jsonMembers(std::string_view object)
{
    std::vector<JsonMember> members;
    if (!isJsonObject(object))
        return members;
    std::size_t i = skipJsonBlanks(object, 1);
    while (i < object.size() && object[i] == '"') {
        const std::size_t keyEnd = afterString(object, i);
        const std::size_t colon = skipJsonBlanks(object, keyEnd);
        const std::size_t start = skipJsonBlanks(object, colon + 1);
        const Result<std::size_t> end = scanJsonValue(object, start);
        if (!end)
            break;
        members.push_back({object.substr(i, keyEnd - i), object.substr(start, *end - start)});
        const std::size_t comma = skipJsonBlanks(object, *end);
        i = skipJsonBlanks(object, comma + 1);
    }
    return members;
}

std::vector<std::string_view> jsonElements(std::string_view array)
{
    std::vector<std::string_view> elements;
    if (!isJsonArray(array))
        return elements;
    std::size_t i = skipJsonBlanks(array, 1);
    while (i < array.size() && array[i] != ']') {
        const Result<std::size_t> end = scanJsonValue(array, i);
        if (!end)
            break;
        elements.push_back(array.substr(i, *end - i));
        const std::size_t comma = skipJsonBlanks(array, *end);
        i = skipJsonBlanks(array, comma + 1);
    }
    return elements;
}

std::string_view jsonMember(std::string_view object, std::string_view name)
{
    std::string_view found;
    for (const JsonMember &member : jsonMembers(object))
        if (member.name() == name)
            found = member.value;
    return found;
}

bool isJsonString(std::string_view value)
{
    return value.starts_with('"');
}

bool isJsonObject(std::string_view value)
{
    return value.starts_with('{');
}

bool isJsonArray(std::string_view value)
{
    return value.starts_with('[');
}

std::int64_t jsonInteger(std::string_view value, std::int64_t fallback)
{
    std::int64_t number = fallback;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    return error == std::errc() && end == value.data() + value.size() ? number : fallback;
}

std::string jsonPlace(std::string_view text, std::size_t position)
{
    const std::string_view before = text.substr(0, std::min(position, text.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t lineStart = before.rfind('\n') + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(before.size() - lineStart + 1);
}

} // namespace sandfish
