#include "core/document/notebookdocument.h"
#include "ui/notebook/notebookview_p.h"

#include <QApplication>
#include <QClipboard>
#include <QScrollBar>

namespace sandfish {

// Text of outputs and rendered Markdown: selecting it, and showing the hits of a search.

std::optional<TextPlace> NotebookView::Private::textPlaceAt(const CellHit &hit)
{
    CellItem &item = page.item(hit.index);
    if (hit.part == CellHit::Part::Outputs)
        return item.outputs().placeAt(hit.inCell - item.geometry().outputs.topLeft());
    if (hit.part != CellHit::Part::Prose || !item.prose())
        return std::nullopt;
    const OutputItem::Selectable prose = item.prose()->selectable();
    if (!prose.text)
        return std::nullopt;
    const QPointF inText = hit.inCell - item.geometry().source.topLeft() - prose.origin;
    return TextPlace{proseSerial(hit.id), prose.text->pointAt(inText)};
}

TextSelection NotebookView::Private::selectionBetween(const CellHit &hit, const TextPlace &from, const TextPlace &to)
{
    if (hit.part == CellHit::Part::Outputs)
        return page.item(hit.index).outputs().between(from, to);
    const auto [start, end] = std::minmax(from.point, to.point);
    return {{from.serial, TextRange{start, end}}};
}

void NotebookView::Private::beginSelecting(const CellHit &hit)
{
    selecting = textPlaceAt(hit);
    selectedCell = hit.id;
}

void NotebookView::Private::selectTo(QPointF point)
{
    const qsizetype index = document->indexOf(pressed.id);
    if (!selecting || index < 0)
        return;
    const int height = q->viewport()->height();
    if (point.y() < 0 || point.y() > height)
        page.scrollBy(point.y() < 0 ? point.y() : point.y() - height);
    CellHit head = pressed;
    head.index = index;
    head.inCell = point - QPointF(0, page.viewportY(index));
    if (const std::optional<TextPlace> place = textPlaceAt(head))
        style.render.marks.selection = selectionBetween(head, *selecting, *place);
    relayout();
}

void NotebookView::Private::selectWord(const CellHit &hit)
{
    const std::optional<TextPlace> place = textPlaceAt(hit);
    SelectableText *text = place ? page.item(hit.index).outputs().textWith(place->serial) : nullptr;
    if (!text)
        return;
    selectedCell = hit.id;
    style.render.marks.selection = {{place->serial, text->wordAt(place->point)}};
    offerSelection();
    q->viewport()->update();
}

void NotebookView::Private::clearTextSelection()
{
    selecting.reset();
    selectedCell = {};
    if (style.render.marks.selection.empty())
        return;
    style.render.marks.selection.clear();
    q->viewport()->update();
}

QString NotebookView::Private::selectedText()
{
    const TextSelection &selected = style.render.marks.selection;
    const qsizetype index = document->indexOf(selectedCell);
    if (selected.empty() || index < 0)
        return {};
    CellItem &item = page.item(index);
    const auto prose = selected.find(proseSerial(selectedCell));
    if (prose == selected.end())
        return item.outputs().textOf(selected);
    const OutputItem::Selectable shown = item.prose() ? item.prose()->selectable() : OutputItem::Selectable();
    return shown.text ? shown.text->textOf(prose->second) : QString();
}

// Where the desktop has a clipboard for what is selected, such as X11.
void NotebookView::Private::offerSelection()
{
    QClipboard *clipboard = QApplication::clipboard();
    const QString text = clipboard->supportsSelection() ? selectedText() : QString();
    if (!text.isEmpty())
        clipboard->setText(text, QClipboard::Selection);
}

void NotebookView::Private::applyFind()
{
    TextMarks &marks = style.render.marks;
    const FindMarks &find = style.find;
    marks.needle = find.needle;
    marks.sensitivity = find.sensitivity;
    marks.isInOutputs = find.inOutput;
    marks.isInProse = find.inText;
    marks.currentSerial = 0;
    if (find.current) {
        marks.currentSerial = find.current->serial != 0 ? find.current->serial : proseSerial(find.current->cell);
        marks.currentOrdinal = find.current->ordinal;
        marks.currentPoint = find.current->point;
    }
    relayout();
}

QRectF NotebookView::Private::rectOf(const FindHit &hit, CellItem &item)
{
    if (hit.serial != 0)
        return item.outputs().hitRect(hit.serial, style.render.marks).translated(item.geometry().outputs.topLeft());
    const QPointF source = item.geometry().source.topLeft();
    if (!item.isProse())
        return item.code().rowRectAt(item.code().shown().shownOffset(hit.point.column)).translated(source);
    const OutputItem::Selectable prose = item.prose() ? item.prose()->selectable() : OutputItem::Selectable();
    return prose.text ? prose.text->currentHitRect(style.render.marks).translated(source + prose.origin) : QRectF();
}

QString NotebookView::selectedText() const
{
    return d->selectedText();
}

void NotebookView::setFind(const FindMarks &marks)
{
    if (d->style.find == marks)
        return;
    d->style.find = marks;
    d->applyFind();
}

void NotebookView::showHit(const FindHit &hit)
{
    const qsizetype index = d->document->indexOf(hit.cell);
    if (index < 0)
        return;
    if (hit.serial != 0 && d->document->peekAt(index).outputsCollapsed)
        d->document->setOutputsCollapsed(hit.cell, false);
    d->setCurrent(hit.cell);
    d->flushLayout();
    const QRectF rect = d->rectOf(hit, d->page.item(index));
    if (!rect.isValid())
        return d->showCell(hit.cell);
    const qreal margin = 2 * d->style.metrics.linePitch;
    d->page.show(index, rect.top() - margin, rect.height() + 2 * margin);
    d->relayout();
}

} // namespace sandfish
