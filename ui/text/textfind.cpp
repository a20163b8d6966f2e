#include "ui/text/textfind.h"

#include "ui/text/theme.h"

#include <QPainter>

#include <algorithm>

namespace sandfish {

std::vector<int> matchesIn(QStringView text, QStringView needle, Qt::CaseSensitivity sensitivity)
{
    std::vector<int> starts;
    if (needle.isEmpty())
        return starts;
    for (qsizetype at = text.indexOf(needle, 0, sensitivity); at >= 0;
         at = text.indexOf(needle, at + needle.size(), sensitivity))
        starts.push_back(static_cast<int>(at));
    return starts;
}

void fillTextRange(
    QPainter &painter, const QTextLayout &layout, QPointF origin, int start, int end, qreal rowPx, const QColor &color)
{
    for (int row = 0; row < layout.lineCount(); ++row) {
        const QTextLine line = layout.lineAt(row);
        const int from = std::max(start, line.textStart());
        const int to = std::min(end, line.textStart() + line.textLength());
        if (from >= to)
            continue;
        const qreal left = line.cursorToX(from);
        const QRectF area(left, row * rowPx, line.cursorToX(to) - left, rowPx);
        painter.fillRect(area.normalized().translated(origin), color);
    }
}

QList<QTextLayout::FormatRange> paintHits(QPainter &painter, const QTextLayout &layout, QStringView text,
    QPointF origin, qreal rowPx, int lineStart, const TextFind &find, const Theme &theme)
{
    QList<QTextLayout::FormatRange> formats;
    const int length = static_cast<int>(find.needle.size());
    for (const int start : matchesIn(text, find.needle, find.sensitivity)) {
        const bool isCurrent = lineStart + start == find.currentStart;
        fillTextRange(painter, layout, origin, start, start + length, rowPx,
            theme.color(isCurrent ? ColorToken::FindCurrent : ColorToken::Find));
        QTextLayout::FormatRange range{start, length, {}};
        range.format.setForeground(theme.color(ColorToken::Text));
        formats.append(range);
    }
    return formats;
}

} // namespace sandfish
