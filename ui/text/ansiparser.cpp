#include "ui/text/ansiparser.h"

#include "ui/text/sgr.h"

namespace sandfish {
namespace {

// Longer ones are no colour but an attempt to fill memory.
constexpr std::size_t kMaxParameters = 256;

bool isFinalByte(unsigned char byte)
{
    return byte >= 0x40 && byte <= 0x7e;
}

} // namespace

AnsiText AnsiParser::parse(std::string_view utf8)
{
    AnsiText out;
    std::string plain;
    plain.reserve(utf8.size());
    std::size_t position = 0;
    while (position < utf8.size()) {
        if (m_state == State::Text) {
            std::size_t end = position;
            while (end < utf8.size() && static_cast<unsigned char>(utf8[end]) >= 0x20 && utf8[end] != 0x7f
                && static_cast<unsigned char>(utf8[end]) != 0xc2)
                ++end;
            plain.append(utf8.substr(position, end - position));
            position = end;
            if (position == utf8.size())
                break;
        }
        const auto byte = static_cast<unsigned char>(utf8[position]);
        // U+0080 to U+009F: C1 controls, which no terminal in UTF-8 mode acts upon.
        if (m_state == State::Text && byte == 0xc2) {
            const bool isC1 = position + 1 < utf8.size() && static_cast<unsigned char>(utf8[position + 1]) < 0xa0;
            if (!isC1)
                plain.append(utf8.substr(position, 2));
            position += 2;
            continue;
        }
        take(byte, plain, out);
        ++position;
    }
    closeSpan(plain, out);
    return out;
}

void AnsiParser::take(unsigned char byte, std::string &plain, AnsiText &out)
{
    switch (m_state) {
    case State::Text:
        if (byte == 0x1b)
            m_state = State::Escape;
        else if (byte == '\n' || byte == '\t')
            plain.push_back(static_cast<char>(byte));
        break;
    case State::Escape:
        takeEscape(byte);
        break;
    case State::Intermediate:
        if (byte < 0x20 || byte > 0x2f)
            m_state = State::Text;
        break;
    case State::Csi:
        takeCsi(byte, plain, out);
        break;
    case State::String:
        if (byte == '\n')
            plain.push_back('\n');
        if (byte == '\n' || byte == 0x07)
            m_state = State::Text;
        else if (byte == 0x1b)
            m_state = State::StringEscape;
        break;
    case State::StringEscape:
        m_state = State::Text;
        if (byte != '\\')
            takeEscape(byte);
        break;
    }
}

void AnsiParser::takeEscape(unsigned char byte)
{
    m_parameters.clear();
    if (byte == '[')
        m_state = State::Csi;
    else if (byte == ']' || byte == 'P' || byte == '_' || byte == '^' || byte == 'X')
        m_state = State::String;
    else if (byte >= 0x20 && byte <= 0x2f)
        m_state = State::Intermediate;
    else if (byte != 0x1b)
        m_state = State::Text;
}

void AnsiParser::takeCsi(unsigned char byte, std::string &plain, AnsiText &out)
{
    if (isFinalByte(byte)) {
        m_state = State::Text;
        if (byte != 'm')
            return;
        AnsiStyle next = m_style;
        applySgr(m_parameters, next);
        if (next == m_style)
            return;
        closeSpan(plain, out);
        m_style = next;
    } else if (byte == 0x1b) {
        m_state = State::Escape;
    } else if (byte == '\n') {
        plain.push_back('\n');
        m_state = State::Text;
    } else if (m_parameters.size() < kMaxParameters) {
        m_parameters.push_back(static_cast<char>(byte));
    }
}

void AnsiParser::closeSpan(std::string &plain, AnsiText &out)
{
    if (plain.empty())
        return;
    const int start = static_cast<int>(out.text.size());
    out.text += QString::fromUtf8(plain.data(), static_cast<qsizetype>(plain.size()));
    plain.clear();
    if (m_style.isDefault())
        return;
    const int length = static_cast<int>(out.text.size()) - start;
    if (!out.spans.empty() && out.spans.back().start + out.spans.back().length == start
        && out.spans.back().style == m_style)
        out.spans.back().length += length;
    else
        out.spans.push_back({start, length, m_style});
}

void AnsiParser::reset()
{
    *this = AnsiParser();
}

QString withoutAnsi(std::string_view utf8)
{
    if (utf8.find('\x1b') == std::string_view::npos)
        return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
    return AnsiParser().parse(utf8).text;
}

} // namespace sandfish
