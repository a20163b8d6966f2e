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
    /// \a outline may be null: then the value is checked only.
    Scanner(std::string_view text, std::size_t from, JsonOutline *outline, JsonOpens opens)
        : m_text(text)
        , m_at(from)
        , m_outline(outline)
        , m_opens(opens)
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
            noteEnd();
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
        m_key = m_text.substr(m_at, end - m_at);
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
            noteStart();
            m_open += c == '{' ? '}' : ']';
            m_expected = c == '{' ? Expected::KeyOrEnd : Expected::ValueOrEnd;
            ++m_at;
            return nullptr;
        }
        const std::size_t end = c == '"' ? afterString(m_text, m_at) : afterScalar(m_text, m_at);
        if (end == std::string_view::npos)
            return c == '"' ? "a text that begins here has no closing quote," : "a value is missing";
        noteScalar(end);
        m_at = end;
        m_expected = Expected::CommaOrEnd;
        return nullptr;
    }

    bool isNoted() const { return m_outline && m_open.size() == m_path.size(); }
    std::string_view ownKey() const { return m_open.empty() || m_open.back() == ']' ? std::string_view() : m_key; }

    void noteScalar(std::size_t end)
    {
        if (isNoted())
            m_outline->nodes.push_back({{ownKey(), m_text.substr(m_at, end - m_at)}, m_open.size()});
    }

    // A container whose inside is not wanted is noted too; its end is found by its depth.
    void noteStart()
    {
        if (!isNoted())
            return;
        m_outline->nodes.push_back({{ownKey(), m_text.substr(m_at)}, m_open.size()});
        m_lastNoted = m_outline->nodes.size() - 1;
        if (m_opens(m_outline->nodes.back()))
            m_path.push_back(m_lastNoted);
    }

    void noteEnd()
    {
        if (!m_outline || m_open.size() > m_path.size())
            return;
        const bool wasOpened = m_open.size() < m_path.size();
        JsonNode &node = m_outline->nodes[wasOpened ? m_path.back() : m_lastNoted];
        if (wasOpened)
            m_path.pop_back();
        node.value = node.value.substr(0, m_at - static_cast<std::size_t>(node.value.data() - m_text.data()));
    }

    std::string_view m_text;
    std::size_t m_at;
    Expected m_expected = Expected::Value;
    std::string m_open; ///< the closing brackets that are due
    JsonOutline *m_outline;
    JsonOpens m_opens;
    std::string_view m_key;          ///< the last one
    std::vector<std::size_t> m_path; ///< the nodes that are open and looked into
    std::size_t m_lastNoted = 0;     ///< the container that was noted last
};

} // namespace

Result<std::size_t> scanJsonValue(std::string_view text, std::size_t from)
{
    return Scanner(text, from, nullptr, nullptr).run();
}

Result<JsonOutline> scanJsonOutline(std::string_view text, std::size_t from, JsonOpens opens)
{
    JsonOutline outline;
    const Result<std::size_t> end = Scanner(text, from, &outline, opens).run();
    if (!end)
        return end.error();
    outline.end = *end;
    return outline;
}

JsonNodes JsonOutline::inside(std::size_t node) const
{
    std::size_t last = node + 1;
    while (last < nodes.size() && nodes[last].depth > nodes[node].depth)
        ++last;
    return JsonNodes(nodes).subspan(node + 1, last - node - 1);
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
    return jsonMember(jsonMembers(object), name);
}

std::string_view jsonMember(const std::vector<JsonMember> &members, std::string_view name)
{
    const auto found = std::find_if(
        members.rbegin(), members.rend(), [name](const JsonMember &member) { return member.name() == name; });
    return found == members.rend() ? std::string_view() : found->value;
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
