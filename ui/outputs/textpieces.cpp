#include "ui/outputs/textpieces.h"

#include "ui/text/textfind.h"
#include "ui/text/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sandfish {

namespace {

qreal textLeft(const TextPiece &piece, const QFontMetricsF &metrics)
{
    return piece.isRightAligned ? piece.rect.right() - metrics.horizontalAdvance(piece.text) : piece.rect.left();
}

/// How far \a point is from \a rect: rows count more than columns.
qreal distance(const QRectF &rect, QPointF point)
{
    constexpr qreal kRowWeight = 1000;
    const qreal dx = std::max({rect.left() - point.x(), point.x() - rect.right(), 0.0});
    const qreal dy = std::max({rect.top() - point.y(), point.y() - rect.bottom(), 0.0});
    return dy * kRowWeight + dx;
}

} // namespace

TextPoint TextPieces::pointAt(QPointF point)
{
    TextPoint nearest;
    qreal least = std::numeric_limits<qreal>::max();
    for (std::size_t i = 0; i < m_pieces.size(); ++i) {
        const qreal far = distance(m_pieces[i].rect, point);
        if (far < least) {
            least = far;
            nearest.line = i;
        }
    }
    if (m_pieces.empty())
        return nearest;
    const TextPiece &piece = m_pieces[nearest.line];
    const QFontMetricsF metrics(piece.font);
    const qreal x = point.x() - textLeft(piece, metrics);
    qreal before = 0;
    for (int column = 1; column <= piece.text.size(); ++column) {
        const qreal after = metrics.horizontalAdvance(piece.text.left(column));
        if (x < (before + after) / 2)
            break;
        nearest.column = column;
        before = after;
    }
    return nearest;
}

TextRange TextPieces::wordAt(const TextPoint &point)
{
    return point.line < m_pieces.size() ? wordInLine(m_pieces[point.line].text, point) : TextRange();
}

TextRange TextPieces::whole()
{
    if (m_pieces.empty())
        return {};
    return {{}, {m_pieces.size() - 1, static_cast<int>(m_pieces.back().text.size())}};
}

QString TextPieces::textOf(const TextRange &span)
{
    QString text;
    for (std::size_t i = span.start.line; i <= span.end.line && i < m_pieces.size(); ++i) {
        const int from = i == span.start.line ? span.start.column : 0;
        const auto to = i == span.end.line ? span.end.column : static_cast<int>(m_pieces[i].text.size());
        if (i > span.start.line)
            text += m_pieces[i].separator;
        text += m_pieces[i].text.mid(from, to - from);
    }
    return text;
}

QRectF TextPieces::rangeRect(const TextPiece &piece, int start, int end) const
{
    const QFontMetricsF metrics(piece.font);
    const qreal origin = textLeft(piece, metrics);
    const qreal left = origin + metrics.horizontalAdvance(piece.text.left(start));
    const qreal right = origin + metrics.horizontalAdvance(piece.text.left(end));
    const qreal height = std::min(piece.rect.height(), std::ceil(metrics.height()));
    const QRectF area(left, piece.rect.center().y() - height / 2, right - left, height);
    return area.intersected(piece.rect);
}

QRectF TextPieces::currentHitRect(const TextMarks &marks)
{
    int ordinal = 0;
    for (const TextPiece &piece : m_pieces) {
        for (const int start : matchesIn(piece.text, marks.needle, marks.sensitivity)) {
            if (ordinal++ == marks.currentOrdinal)
                return rangeRect(piece, start, start + static_cast<int>(marks.needle.size()));
        }
    }
    return {};
}

void TextPieces::paintMarks(QPainter &painter, const TextMarks &marks, std::uint64_t serial, const Theme &theme) const
{
    const QString needle = marks.needleFor(serial);
    int ordinal = 0;
    for (const TextPiece &piece : m_pieces) {
        for (const int start : matchesIn(piece.text, needle, marks.sensitivity)) {
            const bool isCurrent = marks.currentSerial == serial && ordinal++ == marks.currentOrdinal;
            painter.fillRect(rangeRect(piece, start, start + static_cast<int>(needle.size())),
                theme.color(isCurrent ? ColorToken::FindCurrent : ColorToken::Find));
        }
    }
    const TextRange *selected = marks.selectedIn(serial);
    if (!selected)
        return;
    const QColor color = theme.color(marks.isActive ? ColorToken::Selected : ColorToken::SelectedIdle);
    for (std::size_t i = selected->start.line; i <= selected->end.line && i < m_pieces.size(); ++i) {
        const int from = i == selected->start.line ? selected->start.column : 0;
        const auto to = i == selected->end.line ? selected->end.column : static_cast<int>(m_pieces[i].text.size());
        painter.fillRect(rangeRect(m_pieces[i], from, to), color);
    }
}

} // namespace sandfish
