#include "ui/text/codehighlighter.h"

#include <algorithm>

namespace sandfish {

CodeHighlighter::CodeHighlighter(const QString &language)
    : m_highlighter(language)
    , m_lines(1)
    , m_wasLoaded(m_highlighter.isLoaded())
{
}

void CodeHighlighter::setLanguage(const QString &language)
{
    if (language == m_highlighter.language())
        return;
    m_highlighter = LineHighlighter(language);
    for (Line &line : m_lines)
        line.isDone = false;
    m_doneLines = 0;
    m_wasLoaded = m_highlighter.isLoaded();
}

void CodeHighlighter::setText(const QString &text)
{
    const QStringList texts = text.split(u'\n');
    const auto newCount = static_cast<std::size_t>(texts.size());
    const std::size_t shorter = std::min(newCount, m_lines.size());
    std::size_t head = 0;
    while (head < shorter && m_lines[head].text == texts[static_cast<qsizetype>(head)])
        ++head;
    std::size_t tail = 0;
    while (tail < shorter - head
        && m_lines[m_lines.size() - 1 - tail].text == texts[static_cast<qsizetype>(newCount - 1 - tail)])
        ++tail;
    std::vector<Line> lines(newCount);
    std::move(m_lines.begin(), m_lines.begin() + static_cast<std::ptrdiff_t>(head), lines.begin());
    std::move(m_lines.end() - static_cast<std::ptrdiff_t>(tail), m_lines.end(),
        lines.end() - static_cast<std::ptrdiff_t>(tail));
    for (std::size_t i = head; i < newCount - tail; ++i)
        lines[i].text = texts[static_cast<qsizetype>(i)];
    m_lines = std::move(lines);
    m_doneLines = std::min(m_doneLines, head);
}

const std::vector<SyntaxSpan> &CodeHighlighter::spans(int line)
{
    if (!m_wasLoaded && m_highlighter.isLoaded()) {
        m_wasLoaded = true;
        m_doneLines = 0;
        for (Line &stale : m_lines)
            stale.isDone = false;
    }
    const auto wanted = static_cast<std::size_t>(line);
    for (; m_doneLines <= wanted; ++m_doneLines) {
        Line &current = m_lines[m_doneLines];
        const SyntaxState before = m_doneLines == 0 ? SyntaxState() : m_lines[m_doneLines - 1].after;
        if (current.isDone && current.before == before)
            continue;
        LineHighlighter::Line result = m_highlighter.highlight(current.text, before);
        current.before = before;
        current.after = std::move(result.state);
        current.spans = std::move(result.spans);
        current.isDone = true;
        ++m_highlightedLines;
    }
    return m_lines[wanted].spans;
}

QList<QTextLayout::FormatRange> CodeHighlighter::formats(int line, const Theme &theme)
{
    return syntaxFormats(spans(line), theme);
}

} // namespace sandfish
