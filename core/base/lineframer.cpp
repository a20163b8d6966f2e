#include "core/base/lineframer.h"

#include <algorithm>

namespace sandfish {

LineFramer::LineFramer(std::size_t maxLineBytes)
    : m_maxLineBytes(maxLineBytes)
{
}

void LineFramer::append(std::string_view bytes)
{
    if (m_overflown)
        return;
    compact();
    m_buffer.append(bytes);
}

void LineFramer::compact()
{
    // Moving the rest down only when it is the smaller part keeps append() linear over the whole stream.
    if (m_start == 0 || m_buffer.size() - m_start > m_start)
        return;
    m_buffer.erase(0, m_start);
    m_searched -= m_start;
    m_start = 0;
}

bool LineFramer::next(std::string_view &line)
{
    while (!m_overflown) {
        const std::size_t end = m_buffer.find('\n', m_searched);
        if (end == std::string::npos) {
            m_searched = m_buffer.size();
            m_overflown = pendingBytes() > m_maxLineBytes;
            break;
        }
        std::size_t length = end - m_start;
        if (length > 0 && m_buffer[end - 1] == '\r')
            --length;
        line = std::string_view(m_buffer).substr(m_start, length);
        m_start = m_searched = end + 1;
        if (length > 0)
            return true;
    }
    line = {};
    return false;
}

std::string LineFramer::takeRest()
{
    std::string rest = m_buffer.substr(std::min(m_start, m_buffer.size()));
    m_buffer.clear();
    m_start = m_searched = 0;
    if (!rest.empty() && rest.back() == '\r')
        rest.pop_back();
    return rest;
}

} // namespace sandfish
