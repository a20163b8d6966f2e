#include "core/base/utf8.h"
#include "core/document/jsontext.h"

#include <algorithm>

namespace sandfish {
namespace {

constexpr int kMaxTreeDepth = 512;

std::string_view insideQuotes(std::string_view value)
{
    return value.size() >= 2 ? value.substr(1, value.size() - 2) : std::string_view();
}

// The unit of `\uXXXX` whose digits start at \a at; U+FFFD if they are none.
char16_t unitAt(std::string_view text, std::size_t at)
{
    unsigned value = 0;
    for (std::size_t i = at; i < at + 4; ++i) {
        const char c = i < text.size() ? text[i] : '?';
        const int digit = c >= '0' && c <= '9' ? c - '0'
            : c >= 'a' && c <= 'f'             ? c - 'a' + 10
            : c >= 'A' && c <= 'F'             ? c - 'A' + 10
                                               : -1;
        if (digit < 0)
            return 0xfffd;
        value = value << 4 | static_cast<unsigned>(digit);
    }
    return static_cast<char16_t>(value);
}

char16_t unitOfEscape(char c)
{
    switch (c) {
    case 'b':
        return u'\b';
    case 'f':
        return u'\f';
    case 'n':
        return u'\n';
    case 'r':
        return u'\r';
    case 't':
        return u'\t';
    default:
        return static_cast<unsigned char>(c) < 0x80 ? static_cast<char16_t>(c) : u'\ufffd';
    }
}

// Gives the plain runs and the UTF-16 units of escapes in order.
template <typename Plain, typename Unit> void decode(std::string_view text, Plain plain, Unit unit)
{
    std::size_t start = 0;
    while (true) {
        const std::size_t backslash = text.find('\\', start);
        if (backslash == std::string_view::npos || backslash + 1 >= text.size())
            break;
        if (backslash > start)
            plain(text.substr(start, backslash - start));
        const char c = text[backslash + 1];
        unit(c == 'u' ? unitAt(text, backslash + 2) : unitOfEscape(c));
        start = std::min(text.size(), backslash + (c == 'u' ? 6 : 2));
    }
    plain(text.substr(start));
}

class Utf8Sink
{
public:
    explicit Utf8Sink(std::string &out)
        : m_out(out)
    {
    }
    void plain(std::string_view run)
    {
        flush();
        if (isValidUtf8(run))
            m_out += run;
        else
            m_out += repairedUtf8(run);
    }
    void unit(char16_t c)
    {
        if (c < 0x80 && m_units.isEmpty())
            m_out += static_cast<char>(c);
        else
            m_units += QChar(c);
    }
    // QString writes U+FFFD for a lone surrogate only from a converter that is told so; '?' would be the default.
    void flush()
    {
        if (m_units.isEmpty())
            return;
        for (qsizetype i = 0; i < m_units.size(); ++i) {
            const bool isPair =
                m_units[i].isHighSurrogate() && i + 1 < m_units.size() && m_units[i + 1].isLowSurrogate();
            if (isPair)
                ++i;
            else if (m_units[i].isSurrogate())
                m_units[i] = QChar::ReplacementCharacter;
        }
        m_out += m_units.toStdString();
        m_units.clear();
    }

private:
    std::string &m_out;
    QString m_units;
};

Json number(std::string_view text)
{
    Json value = Json::parse(text, nullptr, false);
    return value.is_discarded() ? Json() : value;
}

Json treeOf(std::string_view value, int depth)
{
    if (value.empty() || depth > kMaxTreeDepth)
        return {};
    switch (value.front()) {
    case '"':
        return jsonUtf8(value);
    case '{': {
        Json object = Json::object();
        for (const JsonMember &member : jsonMembers(value))
            object[jsonUtf8(member.key)] = treeOf(member.value, depth + 1);
        return object;
    }
    case '[': {
        Json array = Json::array();
        for (const std::string_view element : jsonElements(value))
            array.push_back(treeOf(element, depth + 1));
        return array;
    }
    case 't':
        return true;
    case 'f':
        return false;
    default:
        return number(value);
    }
}

} // namespace

QString jsonQString(std::string_view value)
{
    QString text;
    decode(
        insideQuotes(value),
        [&](std::string_view run) { text += QString::fromUtf8(run.data(), static_cast<qsizetype>(run.size())); },
        [&](char16_t unit) { text += QChar(unit); });
    return text;
}

std::string jsonUtf8(std::string_view value)
{
    std::string text;
    const std::string_view inside = insideQuotes(value);
    text.reserve(inside.size());
    Utf8Sink sink(text);
    decode(
        inside, [&](std::string_view run) { sink.plain(run); }, [&](char16_t unit) { sink.unit(unit); });
    sink.flush();
    return text;
}

QString jsonMultiline(std::string_view value)
{
    if (isJsonString(value))
        return jsonQString(value);
    if (!isJsonArray(value))
        return value == "null" ? QString() : QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size()));
    QString joined;
    for (const std::string_view part : jsonElements(value))
        joined += isJsonArray(part) ? QString() : jsonMultiline(part);
    return joined;
}

std::string jsonMultilineUtf8(std::string_view value)
{
    if (isJsonString(value))
        return jsonUtf8(value);
    if (!isJsonArray(value))
        return value == "null" ? std::string() : repairedUtf8(value);
    std::string joined;
    for (const std::string_view part : jsonElements(value))
        joined += isJsonArray(part) ? std::string() : jsonMultilineUtf8(part);
    return joined;
}

Json jsonTree(std::string_view value)
{
    return treeOf(value, 0);
}

} // namespace sandfish
