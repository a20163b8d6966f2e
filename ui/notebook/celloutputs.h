#pragma once

#include "core/document/cell.h"
#include "ui/notebook/pagestyle.h"
#include "ui/outputs/noticebar.h"

#include <QRectF>

#include <memory>
#include <optional>
#include <vector>

namespace sandfish {

/// The outputs of one cell, one under the other, or the box that stands for them when they are folded. Of very many the
/// last ones are shown, and a bar says so. Thread: GUI.
class CellOutputs
{
public:
    /// Shown at first, and more at each request.
    static constexpr std::size_t kShownStep = 200;

    explicit CellOutputs(PageStyle &style);
    ~CellOutputs();

    /// Takes over what changed; items whose output did not change stay. True if anything did.
    bool sync(const Cell &cell);
    /// More outputs are to be shown: sync() has to be called again.
    bool needsSync() const { return m_needsSync; }
    /// Drops all items, such as after a change of the theme.
    void rebuild();

    /// Lays out for a width in logical px; O(1) if nothing changed. Returns the height, 0 if there is nothing.
    qreal layOut(qreal widthPx);
    bool isEmpty() const { return m_slots.empty(); }
    bool isFolded() const { return m_isFolded && !m_slots.empty(); }

    /// Paints at (0,0); \a clip in the same coordinates.
    void paint(QPainter &painter, const QRectF &clip);
    /// What reacts to a click at \a point.
    std::optional<OutputAction> actionAt(QPointF point);
    std::vector<OutputAction> actions();
    /// Of all outputs of \a cell, those that are not shown too.
    QString plainText(const Cell &cell) const;

    /// The place in the text of an output that is nearest to \a point; none if there is no text.
    std::optional<TextPlace> placeAt(QPointF point) const;
    bool hasTextAt(QPointF point) const;
    /// The text from one place to the other, whichever comes first, over all outputs between them.
    TextSelection between(const TextPlace &a, const TextPlace &b) const;
    QString textOf(const TextSelection &selection) const;
    SelectableText *textWith(std::uint64_t serial) const; ///< null: no such output, or no text
    /// The current hit of \a marks, in the output with \a serial; the top of the output if the hit is not shown.
    QRectF hitRect(std::uint64_t serial, const TextMarks &marks) const;
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
    Slot slotFor(const Output &output, Slot old, bool &isChanged) const;
    void showMore();
    NoticeBar moreBar();
    QRectF moreRect() const;
    void paintFolded(QPainter &painter) const;
    QRectF foldedBox() const;
    const Slot *slotWith(std::uint64_t serial) const;

    PageStyle &m_style;
    std::vector<Slot> m_slots;
    std::size_t m_shownLimit = kShownStep;
    std::size_t m_count = 0; ///< of all outputs
    bool m_needsSync = false;
    QString m_summary;
    bool m_isFolded = false;
    bool m_isTrusted = false;
    qreal m_width = 0;
};

/// "1 table, 214 lines, 1 image": what the outputs of a cell hold.
QString outputParts(const std::vector<Output> &outputs);

} // namespace sandfish
