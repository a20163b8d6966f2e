#pragma once

#include <QPointF>
#include <QRectF>

class QPainter;

namespace sandfish {

class CellItem;
struct PageStyle;

/// Time as the moving marks show it, the same for all cells.
struct AnimationPhase
{
    int spinnerStep = 0;   ///< 0 to 11
    qreal stripePart = 0;  ///< 0 to 1, where the lighter piece is
    bool isMoving = false; ///< false: reduced motion, or nothing runs
};

/// Paints one cell that was laid out. The source is left out while the live editor stands there.
class CellPainter
{
public:
    CellPainter(QPainter &painter, const PageStyle &style, const AnimationPhase &phase);

    /// \a origin is where the cell's place begins, \a clip in the painter's coordinates.
    void paint(CellItem &item, QPointF origin, const QRectF &clip);

private:
    void paintStripe(const CellItem &item);
    void paintGutter(const CellItem &item);
    void paintMeta(const CellItem &item);
    void paintHalfDot(qreal right, qreal middle, qreal leftEnd);
    void paintSource(CellItem &item, const QRectF &clip);
    void paintOutputs(CellItem &item, const QRectF &clip);
    void paintNote(const CellItem &item);

    QPainter &m_painter;
    const PageStyle &m_style;
    const AnimationPhase &m_phase;
};

/// Where the button with the cell's menu is while it shows, in the cell's coordinates.
QRectF moreButtonRect(const CellItem &item);

} // namespace sandfish
