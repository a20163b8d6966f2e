#include "ui/text/codetext.h"

#include "ui/text/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sandfish {

CodeText::CodeText(LineLayoutCache &cache)
    : m_cache(cache)
{
}

void CodeText::setText(const QString &text)
{
    if (text == m_text && !m_firstRow.empty())
        return;
    m_text = text;
    m_shown = ShownSource(text);
    m_highlighter.setText(m_shown.text());
    m_isStale = true;
}

void CodeText::setLanguage(const QString &language)
{
    m_highlighter.setLanguage(language);
}

void CodeText::layOut(const Theme &theme, qreal widthPx)
{
    const LineStyle style = codeLineStyle(theme, widthPx);
    const bool isSame = m_rows && m_rows->style().widthPx == style.widthPx && m_rows->style().font == style.font;
    if (isSame && !m_isStale)
        return;
    if (!isSame)
        m_rows.emplace(style);
    const int lines = m_highlighter.lineCount();
    m_firstRow.assign(static_cast<std::size_t>(lines) + 1, 0);
    for (int i = 0; i < lines; ++i) {
        const auto line = static_cast<std::size_t>(i);
        m_firstRow[line + 1] = m_firstRow[line] + m_rows->count(m_highlighter.lineText(i));
    }
    m_isStale = false;
}

qreal CodeText::height() const
{
    return m_firstRow.back() * m_rows->style().linePx;
}

qreal CodeText::firstRowWidth() const
{
    return m_rows->firstRowWidth(m_highlighter.lineText(0));
}

int CodeText::lineAtRow(int row) const
{
    const auto after = std::upper_bound(m_firstRow.begin(), m_firstRow.end(), row);
    const auto line = static_cast<int>(after - m_firstRow.begin()) - 1;
    return std::clamp(line, 0, m_highlighter.lineCount() - 1);
}

int CodeText::startOf(int line) const
{
    int start = 0;
    for (int i = 0; i < line; ++i)
        start += static_cast<int>(m_highlighter.lineText(i).size()) + 1;
    return start;
}

QRectF CodeText::rowRectAt(int offset)
{
    int line = 0;
    int start = 0;
    while (line + 1 < m_highlighter.lineCount() && start + m_highlighter.lineText(line).size() < offset)
        start += static_cast<int>(m_highlighter.lineText(line++).size()) + 1;
    const QTextLayout &layout = m_cache.layout(m_highlighter.lineText(line), {}, m_rows->style());
    const QTextLine row = layout.lineForTextPosition(offset - start);
    const int rowInLine = row.isValid() ? row.lineNumber() : 0;
    const qreal pitch = m_rows->style().linePx;
    return {0, (m_firstRow[static_cast<std::size_t>(line)] + rowInLine) * pitch, m_rows->style().widthPx, pitch};
}

void CodeText::paint(QPainter &painter, const Theme &theme, QPointF origin, const QRectF &clip, const TextFind &find)
{
    const qreal pitch = m_rows->style().linePx;
    const int firstRow = std::max(0, static_cast<int>(std::floor((clip.top() - origin.y()) / pitch)));
    painter.setPen(theme.color(ColorToken::Text));
    int line = lineAtRow(firstRow);
    for (int start = startOf(line); line < m_highlighter.lineCount(); ++line) {
        const qreal top = origin.y() + m_firstRow[static_cast<std::size_t>(line)] * pitch;
        if (top >= clip.bottom())
            break;
        const QString &text = m_highlighter.lineText(line);
        const int lineStart = start;
        start += static_cast<int>(text.size()) + 1;
        if (text.isEmpty())
            continue;
        const QTextLayout &layout = m_cache.layout(text, m_highlighter.formats(line, theme), m_rows->style());
        const QPointF place(origin.x(), top);
        layout.draw(&painter, place, paintHits(painter, layout, text, place, pitch, lineStart, find, theme));
    }
}

int CodeText::positionAt(QPointF point)
{
    const qreal pitch = m_rows->style().linePx;
    const int row = std::clamp(static_cast<int>(std::floor(point.y() / pitch)), 0, m_firstRow.back() - 1);
    const int line = lineAtRow(row);
    const int start = startOf(line);
    const QTextLayout &layout = m_cache.layout(m_highlighter.lineText(line), {}, m_rows->style());
    const int rowInLine = row - m_firstRow[static_cast<std::size_t>(line)];
    if (rowInLine >= layout.lineCount())
        return start;
    return start + layout.lineAt(rowInLine).xToCursor(point.x());
}

} // namespace sandfish
