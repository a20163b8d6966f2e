#pragma once

#include <QString>
#include <QTextLayout>

#include <vector>

class QPainter;

namespace sandfish {

class Theme;

/// What a search marks in a text: every hit, and one of them more strongly.
struct TextFind
{
    QString needle; ///< empty: nothing is marked
    Qt::CaseSensitivity sensitivity = Qt::CaseInsensitive;
    int currentStart = -1; ///< offset of the current hit in the text, in UTF-16 units; -1: none
    bool operator==(const TextFind &) const = default;
};

/// Where \a needle begins in \a text, without overlap; nothing for an empty needle. Cost: O(text).
std::vector<int> matchesIn(QStringView text, QStringView needle, Qt::CaseSensitivity sensitivity);

/// Fills the part [start, end) of a laid-out line of text row by row; \a origin is where the layout is drawn.
void fillTextRange(
    QPainter &painter, const QTextLayout &layout, QPointF origin, int start, int end, qreal rowPx, const QColor &color);

/// Fills the hits in one line, whose text is \a text, and gives the formats that draw their letters in the colour of
/// text. \a lineStart is the offset of the line in the whole text.
QList<QTextLayout::FormatRange> paintHits(QPainter &painter, const QTextLayout &layout, QStringView text,
    QPointF origin, qreal rowPx, int lineStart, const TextFind &find, const Theme &theme);

} // namespace sandfish
