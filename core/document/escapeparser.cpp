#include "core/document/escapeparser.h"

namespace sandfish {
namespace {

constexpr std::size_t kMaxParameterBytes = 256;

} // namespace

void EscapeParser::start()
{
    m_state = State::Escape;
    m_parameters.clear();
    m_isPlain = true;
    m_final = 0;
}

std::size_t EscapeParser::feed(std::string_view text, std::size_t position)
{
    while (isActive() && position < text.size()) {
        if (m_state == State::String) {
            // Strings may be megabytes of an inline image.
            const std::size_t end = text.find_first_of("\a\x1b\n\x18\x1a", position);
            if (end == std::string_view::npos)
                return text.size();
            position = end;
        }
        if (take(static_cast<unsigned char>(text[position])))
            ++position;
    }
    return position;
}

std::size_t EscapeParser::count(std::size_t fallback) const
{
    std::size_t value = 0;
    for (const char c : m_parameters) {
        if (c < '0' || c > '9')
            break;
        value = value < 100'000 ? value * 10 + static_cast<std::size_t>(c - '0') : value;
    }
    return value == 0 ? fallback : value;
}

// False: the sequence is broken off and \a c is text again.
bool EscapeParser::take(unsigned char c)
{
    if (m_state == State::String || m_state == State::StringEscape)
        return takeString(c);
    if (c == 0x1b) {
        start();
        return true;
    }
    if (c < 0x20 || c >= 0x7f) {
        m_state = State::Ground;
        m_final = 0;
        return c == 0x18 || c == 0x1a || c == 0x7f;
    }
    if (m_state == State::Escape)
        takeAfterEscape(c);
    else if (m_state == State::Csi)
        takeCsi(c);
    else if (c >= 0x30)
        m_state = State::Ground;
    return true;
}

void EscapeParser::takeAfterEscape(unsigned char c)
{
    if (c == '[')
        m_state = State::Csi;
    else if (c == ']' || c == 'P' || c == '_' || c == '^' || c == 'X')
        m_state = State::String;
    else
        m_state = c < 0x30 ? State::Intermediate : State::Ground;
}

void EscapeParser::takeCsi(unsigned char c)
{
    if (c >= 0x40) {
        m_state = State::Ground;
        m_final = m_isPlain ? static_cast<char>(c) : '\0';
    } else if (c < 0x30 || c > 0x3b || m_parameters.size() >= kMaxParameterBytes) {
        m_isPlain = false;
    } else {
        m_parameters += static_cast<char>(c);
    }
}

bool EscapeParser::takeString(unsigned char c)
{
    if (m_state == State::StringEscape && c != '\\') {
        // An ESC that is no ST ends the string and begins the next sequence.
        start();
        return take(c);
    }
    if (c == 0x1b) {
        m_state = State::StringEscape;
        return true;
    }
    m_state = State::Ground;
    // A string never runs over the end of a line: a stray ESC ] must not eat the rest of the output.
    return c != '\n';
}

} // namespace sandfish
