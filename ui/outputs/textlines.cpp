#include "ui/outputs/textlines.h"

#include "core/document/outputtext.h"

namespace sandfish {
namespace {

/// The SGR sequences of \a line after the last reset, appended to those that were in force before it.
void collectStyle(std::string_view line, std::string &style)
{
    constexpr std::size_t kMaxStyleBytes = 256;
    for (std::size_t at = line.find("\x1b["); at != std::string_view::npos; at = line.find("\x1b[", at + 2)) {
        const std::size_t end = line.find_first_not_of("0123456789;:", at + 2);
        if (end == std::string_view::npos || line[end] != 'm')
            continue;
        const std::string_view codes = line.substr(at + 2, end - at - 2);
        if (codes.empty() || codes == "0" || style.size() > kMaxStyleBytes)
            style.clear();
        else
            style += line.substr(at, end + 1 - at);
    }
}

} // namespace

StreamLines::StreamLines(std::shared_ptr<const OutputText> text)
    : m_text(std::move(text))
{
}

std::size_t StreamLines::count() const
{
    return m_text->lineCount();
}

std::string_view StreamLines::line(std::size_t index) const
{
    return m_text->line(index);
}

std::size_t StreamLines::sizeBytes(std::size_t index) const
{
    return m_text->lineSizeBytes(index);
}

std::string_view StreamLines::styleAt(std::size_t index) const
{
    return m_text->styleAtLine(index);
}

PlainLines::PlainLines(std::string text)
    : m_text(std::move(text))
{
    std::string style;
    for (std::size_t start = 0; start < m_text.size();) {
        const std::size_t end = std::min(m_text.find('\n', start), m_text.size());
        m_lines.push_back({start, end - start, style});
        collectStyle(line(m_lines.size() - 1), style);
        start = end + 1;
    }
}

std::string_view PlainLines::line(std::size_t index) const
{
    const Line &line = m_lines[index];
    return std::string_view(m_text).substr(line.start, line.sizeBytes);
}

} // namespace sandfish
