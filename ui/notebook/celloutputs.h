#pragma once

#include "core/document/cell.h"
#include "ui/notebook/pagestyle.h"

#include <QRectF>

#include <memory>
#include <optional>
#include <vector>

namespace sandfish {

/// The outputs of one cell, one under the other, or the box that stands for them when they are folded. Thread: GUI.
class CellOutputs
{
public:
    explicit CellOutputs(PageStyle &style);
    ~CellOutputs();

    /// Takes over what changed; items whose output did not change stay. True if anything did.
    bool sync(const Cell &cell);
    /// Drops all items, such as after a change of the theme.
    void rebuild();

    /// Lays out for a width in logical px; O(1) if nothing changed. Returns the height, 0 if there is nothing.
    qreal layOut(qreal widthPx);
    bool isEmpty() const { return m_slots.empty(); }
    bool isFolded() const { return m_isFolded && !m_slots.empty(); }

    /// Paints at (0,0); \a clip in the same coordinates.
    void paint(QPainter &painter, const QRectF &clip);
    /// What reacts to a click at \a point.
    std::optional<OutputAction> actionAt(QPointF point) const;
    std::vector<OutputAction> actions() const;
    QString plainText() const;
    /// "Output hidden: 1 table, 214 lines, 1 image".
    QString foldedSummary() const;

private:
    struct Slot
    {
        std::uint64_t serial = 0;
        std::uint64_t revision = 0;
        Output::Kind kind = Output::Kind::Stream;
        std::unique_ptr<OutputItem> item;
        qreal top = 0;
        qreal height = 0;
    };
    void paintFolded(QPainter &painter) const;
    QRectF foldedBox() const;

    PageStyle &m_style;
    std::vector<Slot> m_slots;
    QString m_summary;
    bool m_isFolded = false;
    bool m_isTrusted = false;
    qreal m_width = 0;
};

/// "1 table, 214 lines, 1 image": what the outputs of a cell hold.
QString outputParts(const std::vector<Output> &outputs);

} // namespace sandfish
