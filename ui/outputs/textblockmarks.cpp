#include "ui/outputs/textblock.h"
#include "ui/text/linelayout.h"
#include "ui/text/textfind.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sandfish {

// Selection and hits of a TextBlock.

const QTextLayout &TextBlock::rowLayout(const AnsiText &text, const TextRow &row)
{
    const Theme &theme = *m_style.theme;
    return cache().layout(text.text.mid(row.start, row.length), rowFormats(text.spans, row, theme), lineStyle());
}

TextPoint TextBlock::pointAt(QPointF point)
{
    if (shownLines() == 0)
        return {};
    const int row = static_cast<int>(std::floor(point.y() / lineStyle().linePx));
    if (row < 0)
        return whole().start;
    if (row >= m_rowStarts.back())
        return whole().end;
    const auto after = std::upper_bound(m_rowStarts.begin(), m_rowStarts.end(), row);
    const auto shown = static_cast<std::size_t>(after - m_rowStarts.begin()) - 1;
    const AnsiText text = shownText(m_firstShown + shown);
    const std::vector<TextRow> rows = wrappedRows(text.text, m_columns);
    const auto inLine = std::min(static_cast<std::size_t>(row - m_rowStarts[shown]), rows.size() - 1);
    const QTextLayout &layout = rowLayout(text, rows[inLine]);
    const int inRow = layout.lineCount() > 0 ? layout.lineAt(0).xToCursor(point.x()) : 0;
    return {m_firstShown + shown, rows[inLine].start + inRow};
}

std::vector<TextPiece> TextBlock::pieces(QPointF origin) const
{
    const LineStyle style = lineStyle();
    std::vector<TextPiece> pieces;
    for (std::size_t shown = 0; shown < shownLines(); ++shown) {
        const QString text = shownText(m_firstShown + shown).text;
        int row = m_rowStarts[shown];
        for (const TextRow &part : wrappedRows(text, m_columns)) {
            const QRectF rect(0, row++ * style.linePx, m_widthPx, style.linePx);
            pieces.push_back({rect.translated(origin), text.mid(part.start, part.length), style.font, false,
                part.start == 0 ? QStringLiteral("\n") : QString()});
        }
    }
    return pieces;
}

TextRange TextBlock::wordAt(const TextPoint &point)
{
    return point.line < m_lines->count() ? wordInLine(shownText(point.line).text, point) : TextRange();
}

TextRange TextBlock::whole()
{
    if (shownLines() == 0)
        return {};
    const std::size_t last = m_firstShown + shownLines() - 1;
    return {{m_firstShown, 0}, {last, static_cast<int>(shownText(last).text.size())}};
}

QString TextBlock::textOf(const TextRange &span)
{
    QString all;
    for (std::size_t index = span.start.line; index <= span.end.line && index < m_lines->count(); ++index) {
        AnsiParser parser;
        const QString text = parser.parse(m_lines->line(index)).text;
        const int from = index == span.start.line ? span.start.column : 0;
        // A line that is shown in part is copied as far as it is at hand when the selection reaches past what is shown.
        const bool endsInside = index == span.end.line && span.end.column < shownText(index).text.size();
        const auto to = endsInside ? span.end.column : static_cast<int>(text.size());
        if (index > span.start.line)
            all += u'\n';
        all += text.mid(from, std::max(0, to - from));
    }
    return all;
}

QRectF TextBlock::currentHitRect(const TextMarks &marks)
{
    const TextPoint &point = marks.currentPoint;
    if (point.line < m_firstShown || point.line >= m_firstShown + shownLines())
        return {};
    const AnsiText text = shownText(point.line);
    const qreal linePx = lineStyle().linePx;
    int row = m_rowStarts[point.line - m_firstShown];
    for (const TextRow &part : wrappedRows(text.text, m_columns)) {
        if (point.column < part.start + part.length) {
            const QTextLayout &layout = rowLayout(text, part);
            const qreal left = layout.lineAt(0).cursorToX(point.column - part.start);
            const qreal right = layout.lineAt(0).cursorToX(
                std::min(part.length, point.column - part.start + static_cast<int>(marks.needle.size())));
            return {left, row * linePx, right - left, linePx};
        }
        ++row;
    }
    return {0, row * linePx, 1, linePx};
}

std::vector<TextBlock::Ground> TextBlock::groundsOf(std::size_t index, const QString &text) const
{
    const TextMarks &marks = m_style.marks;
    std::vector<Ground> grounds;
    if (m_serial == 0)
        return grounds;
    const auto size = static_cast<int>(text.size());
    const TextRange *selected = marks.selectedIn(m_serial);
    if (selected && selected->start.line <= index && index <= selected->end.line) {
        const int from = selected->start.line < index ? 0 : selected->start.column;
        const bool takesLineEnd = index < selected->end.line;
        grounds.push_back({from, takesLineEnd ? size : selected->end.column,
            marks.isActive ? ColorToken::Selected : ColorToken::SelectedIdle, takesLineEnd, false});
    }
    const QString needle = marks.needleFor(m_serial);
    for (const int start : matchesIn(text, needle, marks.sensitivity)) {
        const bool isCurrent = marks.currentSerial == m_serial && marks.currentPoint == TextPoint{index, start};
        grounds.push_back({start, start + static_cast<int>(needle.size()),
            isCurrent ? ColorToken::FindCurrent : ColorToken::Find, false, true});
    }
    return grounds;
}

QList<QTextLayout::FormatRange> TextBlock::paintGrounds(QPainter &painter, const std::vector<Ground> &grounds,
    const QTextLayout &layout, const TextRow &row, int textSize, QPointF origin) const
{
    const qreal linePx = lineStyle().linePx;
    QList<QTextLayout::FormatRange> overrides;
    for (const Ground &ground : grounds) {
        const int from = std::max(ground.start, row.start) - row.start;
        const int to = std::min(ground.end, row.start + row.length) - row.start;
        const QColor color = m_style.theme->color(ground.color);
        if (from < to)
            fillTextRange(painter, layout, origin, from, to, linePx, color);
        // The end of the line is part of the selection, as in an editor.
        if (ground.takesLineEnd && row.start + row.length == textSize) {
            const qreal right = layout.lineCount() > 0 ? layout.lineAt(0).naturalTextWidth() : 0;
            painter.fillRect(QRectF(origin.x() + right, origin.y(), linePx / 3, linePx), color);
        }
        if (from >= to || !ground.isHit)
            continue;
        QTextLayout::FormatRange range{from, to - from, {}};
        range.format.setForeground(m_style.theme->color(ColorToken::Text));
        overrides.append(range);
    }
    return overrides;
}

} // namespace sandfish
