#include "core/document/jsonlayout.h"

#include "core/base/utf8.h"
#include "core/document/jsontext.h"

#include <algorithm>

namespace sandfish {
namespace {

void appendEscape(unsigned unit, std::string &out)
{
    static constexpr char kHex[] = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
        out += kHex[unit >> shift & 15];
}

void appendShortEscape(char c, std::string &out)
{
    static constexpr std::string_view kCharacters = "\b\t\n\f\r\"\\";
    static constexpr std::string_view kLetters = "btnfr\"\\";
    const std::size_t at = kCharacters.find(c);
    if (at == std::string_view::npos) {
        appendEscape(static_cast<unsigned char>(c), out);
        return;
    }
    out += '\\';
    out += kLetters[at];
}

// A character of several bytes at \a i; moves \a i to its last byte.
void appendWide(std::string_view text, std::size_t &i, bool escapes, std::string &out)
{
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const std::string_view bytes = text.substr(i, length);
    i += bytes.size() - 1;
    unsigned value = lead & (0xffu >> (length + 1));
    for (const char c : bytes.substr(1))
        value = value << 6 | (static_cast<unsigned char>(c) & 0x3fu);
    const bool isSurrogate = value >= 0xd800 && value <= 0xdfff;
    if (!escapes && !isSurrogate) {
        out += bytes;
    } else if (value > 0xffff) {
        appendEscape(0xd800 + ((value - 0x10000) >> 10), out);
        appendEscape(0xdc00 + ((value - 0x10000) & 0x3ff), out);
    } else {
        appendEscape(value, out);
    }
}

bool needsCare(unsigned char c, bool escapesNonAscii)
{
    // 0xed leads the bytes of surrogates.
    return c < 0x20 || c == '"' || c == '\\' || c == 0xed || (escapesNonAscii && c >= 0x80);
}

// The bytes after a line break character that belong to the same break; 0 if there is no break at \a i.
std::size_t breakLength(std::string_view text, std::size_t i)
{
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\r')
        return text.substr(i + 1).starts_with('\n') ? 2 : 1;
    if ((c >= 0x0a && c <= 0x0c) || (c >= 0x1c && c <= 0x1e))
        return 1;
    if (c == 0xc2)
        return text.substr(i).starts_with("\u0085") ? 2 : 0;
    if (c == 0xe2)
        return text.substr(i).starts_with("\u2028") || text.substr(i).starts_with("\u2029") ? 3 : 0;
    return 0;
}

// Escapes of control characters start with \u00: only others tell that the writer avoids non-ASCII characters.
bool hasWideEscape(std::string_view text)
{
    for (std::size_t at = text.find("\\u"); at != std::string_view::npos; at = text.find("\\u", at + 2)) {
        const std::string_view digits = text.substr(at + 2, 4);
        const bool isSurrogate = digits.starts_with('d') && digits.size() > 1 && digits[1] >= '8';
        if ((!digits.starts_with("00") || (digits.size() > 2 && digits[2] >= '8')) && !isSurrogate)
            return true;
    }
    return false;
}

} // namespace

JsonLayout JsonLayout::detect(std::string_view object, const std::vector<JsonMember> &members)
{
    JsonLayout layout;
    if (members.empty())
        return layout;
    const auto offset = [&](std::string_view part) { return static_cast<std::size_t>(part.data() - object.data()); };
    const std::string_view lead = object.substr(1, offset(members.front().key) - 1);
    const std::size_t lineFeed = lead.rfind('\n');
    layout.indent = lineFeed == std::string_view::npos ? "" : std::string(lead.substr(lineFeed + 1));
    layout.newline = lineFeed == std::string_view::npos ? ""
        : lead.find("\r\n") == std::string_view::npos   ? "\n"
                                                        : "\r\n";
    const std::size_t keyEnd = offset(members.front().key) + members.front().key.size();
    layout.colon = std::string(object.substr(keyEnd, offset(members.front().value) - keyEnd));
    if (layout.newline.empty()) {
        layout.comma = ",";
        if (members.size() > 1) {
            const std::size_t end = offset(members[0].value) + members[0].value.size();
            layout.comma = std::string(object.substr(end, offset(members[1].key) - end));
        }
    }
    layout.escapesNonAscii = isAscii(object) && hasWideEscape(object);
    return layout;
}

std::string JsonLayout::lineStart(int depth) const
{
    std::string text = newline;
    for (int i = 0; i < depth && !newline.empty(); ++i)
        text += indent;
    return text;
}

std::string JsonLayout::separator(int depth) const
{
    return newline.empty() ? comma : "," + lineStart(depth);
}

void JsonLayout::appendString(std::string_view text, std::string &out) const
{
    out += '"';
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!needsCare(static_cast<unsigned char>(text[i]), escapesNonAscii))
            continue;
        out += text.substr(start, i - start);
        if ((text[i] & 0x80) != 0)
            appendWide(text, i, escapesNonAscii, out);
        else
            appendShortEscape(text[i], out);
        start = i + 1;
    }
    out += text.substr(std::min(start, text.size()));
    out += '"';
}

void JsonLayout::appendMultiline(std::string_view text, int depth, std::string &out) const
{
    const std::vector<std::string_view> lines = pythonLines(text);
    const std::string start = lineStart(depth + 1);
    const std::string between = separator(depth + 1);
    out += '[';
    for (std::size_t i = 0; i < lines.size(); ++i) {
        out += i == 0 ? start : between;
        appendString(lines[i], out);
    }
    out += lines.empty() ? "]" : lineStart(depth) + "]";
}

void JsonLayout::appendArray(const std::vector<std::string> &elements, int depth, std::string &out) const
{
    out += '[';
    for (std::size_t i = 0; i < elements.size(); ++i) {
        out += i == 0 ? lineStart(depth + 1) : separator(depth + 1);
        out += elements[i];
    }
    out += elements.empty() ? "]" : lineStart(depth) + "]";
}

void JsonLayout::appendObject(
    const std::vector<std::pair<std::string, std::string>> &members, int depth, std::string &out) const
{
    out += '{';
    for (std::size_t i = 0; i < members.size(); ++i) {
        out += i == 0 ? lineStart(depth + 1) : separator(depth + 1);
        appendString(members[i].first, out);
        out += colon;
        out += members[i].second;
    }
    out += members.empty() ? "}" : lineStart(depth) + "}";
}

void JsonLayout::appendValue(const Json &value, int depth, std::string &out) const
{
    if (value.is_string()) {
        appendString(value.get_ref<const std::string &>(), out);
    } else if (value.is_array()) {
        std::vector<std::string> elements(value.size());
        for (std::size_t i = 0; i < value.size(); ++i)
            appendValue(value[i], depth + 1, elements[i]);
        appendArray(elements, depth, out);
    } else if (value.is_object()) {
        std::vector<std::pair<std::string, std::string>> members;
        for (const auto &[key, member] : value.items()) {
            members.emplace_back(key, std::string());
            appendValue(member, depth + 1, members.back().second);
        }
        appendObject(members, depth, out);
    } else {
        out += value.dump();
    }
}

std::vector<std::string_view> pythonLines(std::string_view text)
{
    std::vector<std::string_view> lines;
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = breakLength(text, i);
        i += std::max<std::size_t>(length, 1);
        if (length != 0) {
            lines.push_back(text.substr(start, i - start));
            start = i;
        }
    }
    if (start < text.size())
        lines.push_back(text.substr(start));
    return lines;
}

std::string utf8WithSurrogates(QStringView text)
{
    std::string out;
    qsizetype start = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (!text[i].isSurrogate())
            continue;
        if (text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate()) {
            ++i;
            continue;
        }
        out += text.sliced(start, i - start).toUtf8().toStdString();
        const unsigned unit = text[i].unicode();
        out += {static_cast<char>(0xe0 | unit >> 12), static_cast<char>(0x80 | (unit >> 6 & 0x3f)),
            static_cast<char>(0x80 | (unit & 0x3f))};
        start = i + 1;
    }
    return out += text.sliced(start).toUtf8().toStdString();
}

} // namespace sandfish
