#pragma once

#include "ui/outputs/textmarks.h"

#include <QFont>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace sandfish {

class Theme;

/// A text in one line at one place, such as the cell of a table or the title of an error.
struct TextPiece
{
    QRectF rect;
    QString text;
    QFont font;
    bool isRightAligned = false;
    QString separator = QStringLiteral("\n"); ///< what stands before it in a copy of the text
};

/// The pieces of an item as one text: line is the index of a piece, column a place in it. Thread: GUI.
class TextPieces : public SelectableText
{
public:
    void setPieces(std::vector<TextPiece> pieces) { m_pieces = std::move(pieces); }
    const std::vector<TextPiece> &pieces() const { return m_pieces; }

    TextPoint pointAt(QPointF point) override;
    TextRange wordAt(const TextPoint &point) override;
    TextRange whole() override;
    QString textOf(const TextRange &span) override;
    QRectF currentHitRect(const TextMarks &marks) override;

    /// The grounds of selection and hits, before the texts are painted. Cost: O(pieces) if anything is marked.
    void paintMarks(QPainter &painter, const TextMarks &marks, std::uint64_t serial, const Theme &theme) const;

private:
    QRectF rangeRect(const TextPiece &piece, int start, int end) const;

    std::vector<TextPiece> m_pieces;
};

} // namespace sandfish
