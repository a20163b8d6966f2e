#include "ui/notebook/celloutputs.h"

#include <algorithm>
#include <limits>

namespace sandfish {

// The texts of the outputs of a cell as one text.

const CellOutputs::Slot *CellOutputs::slotWith(std::uint64_t serial) const
{
    const auto found = std::find_if(
        m_slots.begin(), m_slots.end(), [serial](const Slot &slot) { return slot.serial == serial && slot.item; });
    return found == m_slots.end() ? nullptr : &*found;
}

SelectableText *CellOutputs::textWith(std::uint64_t serial) const
{
    const Slot *slot = slotWith(serial);
    return slot ? slot->item->selectable().text : nullptr;
}

std::optional<TextPlace> CellOutputs::placeAt(QPointF point) const
{
    std::optional<TextPlace> nearest;
    qreal least = std::numeric_limits<qreal>::max();
    for (const Slot &slot : m_slots) {
        const OutputItem::Selectable shown = slot.item->selectable();
        const qreal far = std::max({slot.top - point.y(), point.y() - slot.top - slot.height, 0.0});
        if (!shown.text || far >= least || isFolded())
            continue;
        least = far;
        nearest = TextPlace{slot.serial, shown.text->pointAt(point - QPointF(0, slot.top) - shown.origin)};
    }
    return nearest;
}

bool CellOutputs::hasTextAt(QPointF point) const
{
    return std::any_of(m_slots.begin(), m_slots.end(), [point](const Slot &slot) {
        return point.y() >= slot.top && point.y() < slot.top + slot.height && slot.item->selectable().text;
    });
}

TextSelection CellOutputs::between(const TextPlace &a, const TextPlace &b) const
{
    const Slot *first = slotWith(a.serial);
    const Slot *last = slotWith(b.serial);
    if (!first || !last)
        return {};
    TextPoint start = a.point;
    TextPoint end = b.point;
    if (last < first || (first == last && end < start)) {
        std::swap(first, last);
        std::swap(start, end);
    }
    TextSelection selection;
    for (const Slot *slot = first; slot <= last; ++slot) {
        SelectableText *text = slot->item->selectable().text;
        if (!text)
            continue;
        TextRange span = text->whole();
        if (slot == first)
            span.start = start;
        if (slot == last)
            span.end = end;
        if (!span.isEmpty())
            selection[slot->serial] = span;
    }
    return selection;
}

QString CellOutputs::textOf(const TextSelection &selection) const
{
    QString all;
    for (const Slot &slot : m_slots) {
        const auto span = selection.find(slot.serial);
        SelectableText *text = span == selection.end() ? nullptr : slot.item->selectable().text;
        if (!text)
            continue;
        if (!all.isEmpty() && !all.endsWith(u'\n'))
            all += u'\n';
        all += text->textOf(span->second);
    }
    return all;
}

QRectF CellOutputs::hitRect(std::uint64_t serial, const TextMarks &marks) const
{
    const Slot *slot = slotWith(serial);
    if (!slot || isFolded())
        return {};
    const OutputItem::Selectable shown = slot->item->selectable();
    const QRectF hit = shown.text ? shown.text->currentHitRect(marks) : QRectF();
    if (!hit.isValid())
        return {0, slot->top, m_width, std::min<qreal>(slot->height, m_style.metrics.linePitch)};
    return hit.translated(shown.origin + QPointF(0, slot->top));
}

} // namespace sandfish
