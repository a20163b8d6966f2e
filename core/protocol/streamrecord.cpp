#include "core/protocol/streamrecord.h"

#include "core/base/utf8.h"

#include <array>
#include <charconv>

namespace sandfish {
namespace {

// What ends a plain run in a JSON string: a quote, a backslash, and control characters, which are not allowed.
constexpr std::array<bool, 256> kEndsRun = [] {
    std::array<bool, 256> table{};
    for (unsigned c = 0; c < 0x20; ++c)
        table[c] = true;
    table['"'] = table['\\'] = true;
    return table;
}();

class Reader
{
public:
    explicit Reader(std::string_view text)
        : m_text(text)
    {
    }

    bool take(char c)
    {
        if (m_at >= m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    bool isAtEnd() const { return m_at == m_text.size(); }

    /// A string without escapes.
    std::optional<std::string_view> plainString()
    {
        if (!take('"'))
            return std::nullopt;
        const std::size_t start = m_at;
        skipRun();
        const std::string_view run = m_text.substr(start, m_at - start);
        return take('"') && isValidUtf8(run) ? std::optional(run) : std::nullopt;
    }

    std::optional<std::string> string()
    {
        if (!take('"'))
            return std::nullopt;
        std::string value;
        value.reserve(m_text.size() - m_at);
        while (true) {
            const std::size_t start = m_at;
            skipRun();
            value += m_text.substr(start, m_at - start);
            if (take('"'))
                return isValidUtf8(value) ? std::optional(std::move(value)) : std::nullopt;
            if (!take('\\') || !appendEscaped(value))
                return std::nullopt;
        }
    }

    /// A number, true or false, as it stands.
    std::string_view scalar()
    {
        const std::size_t start = m_at;
        while (m_at < m_text.size() && m_text[m_at] != ',' && m_text[m_at] != '}')
            ++m_at;
        return m_text.substr(start, m_at - start);
    }

private:
    void skipRun()
    {
        while (m_at < m_text.size() && !kEndsRun[static_cast<unsigned char>(m_text[m_at])])
            ++m_at;
    }

    // Of \u escapes only those of ASCII are read here, as control characters are written.
    bool appendEscaped(std::string &value)
    {
        if (m_at >= m_text.size())
            return false;
        const char c = m_text[m_at++];
        constexpr std::string_view kLetters = "nrtbf\"\\/", kCharacters = "\n\r\t\b\f\"\\/";
        if (const std::size_t known = kLetters.find(c); known != std::string_view::npos) {
            value += kCharacters[known];
            return true;
        }
        unsigned unit = 0;
        const std::string_view digits = c == 'u' ? m_text.substr(m_at, 4) : std::string_view();
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
        if (digits.size() != 4 || error != std::errc() || end != digits.data() + 4 || unit >= 0x80)
            return false;
        m_at += 4;
        value += static_cast<char>(unit);
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

// False for a member that the general reader has to look at.
bool takeMember(Reader &reader, std::string_view key, StreamText &text, std::string_view &type, std::uint64_t &sequence)
{
    if (key == "data") {
        std::optional<std::string> data = reader.string();
        if (data)
            text.text = std::move(*data);
        return data.has_value();
    }
    if (key == "type") {
        const std::optional<std::string_view> value = reader.plainString();
        type = value.value_or("");
        return type == "stdout" || type == "stderr";
    }
    const std::string_view value = reader.scalar();
    if (key == "late") {
        text.isLate = value == "true";
        return value == "true" || value == "false";
    }
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool isCanonical = value.size() == 1 || !value.starts_with('0');
    if (value.empty() || error != std::errc() || end != value.data() + value.size() || !isCanonical
        || number >> 63 != 0)
        return false;
    if (key == "seq")
        sequence = number;
    return key == "seq" || key == "ts";
}

} // namespace

std::optional<WireRecord> decodeStreamRecord(std::string_view line)
{
    Reader reader(line);
    StreamText text;
    std::string_view type;
    WireRecord record;
    if (!reader.take('{'))
        return std::nullopt;
    do {
        const std::optional<std::string_view> key = reader.plainString();
        if (!key || !reader.take(':') || !takeMember(reader, *key, text, type, record.sequence))
            return std::nullopt;
    } while (reader.take(','));
    if (!reader.take('}') || !reader.isAtEnd() || type.empty())
        return std::nullopt;
    text.channel = type == "stdout" ? StreamText::Channel::Stdout : StreamText::Channel::Stderr;
    record.content = ExecutionEvent(std::move(text));
    return record;
}

} // namespace sandfish
