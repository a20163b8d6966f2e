#include "core/document/notebookdocument.h"
#include "ui/notebook/notebookview_p.h"
#include "ui/notebook/rewindwords.h"
#include "ui/text/codeeditor.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>

namespace sandfish {

namespace {

CellHit::Part partAt(CellItem &item, QPointF point)
{
    const CellGeometry &geometry = item.geometry();
    if (item.look().hasMore && moreButtonRect(item).adjusted(-5, -3, 5, 3).contains(point))
        return CellHit::Part::MoreButton;
    if (item.look().button != CellLook::Button::None && geometry.button.contains(point))
        return CellHit::Part::RunButton;
    if (point.x() < geometry.box.left())
        return CellHit::Part::Gutter;
    if (geometry.outputs.contains(point)) {
        if (item.outputs().isFolded())
            return CellHit::Part::FoldedOutputs;
        return item.outputs().actionAt(point - geometry.outputs.topLeft()) ? CellHit::Part::Action
                                                                           : CellHit::Part::Outputs;
    }
    if (!geometry.box.contains(point))
        return CellHit::Part::Body;
    return item.isProse() ? CellHit::Part::Prose : CellHit::Part::Code;
}

std::optional<OutputAction> actionAt(CellItem &item, const CellHit &hit)
{
    const QPointF inOutputs = hit.inCell - item.geometry().outputs.topLeft();
    if (hit.part == CellHit::Part::Action)
        return item.outputs().actionAt(inOutputs);
    if (hit.part != CellHit::Part::Prose || !item.prose())
        return std::nullopt;
    const QPointF inProse = hit.inCell - item.geometry().source.topLeft();
    for (OutputAction &action : item.prose()->actions())
        if (action.rect.contains(inProse))
            return std::move(action);
    return std::nullopt;
}

} // namespace

CellHit NotebookView::Private::hitAt(QPointF point)
{
    flushLayout();
    const NotebookPage::Place *place = page.placeAt(point.y());
    if (!place)
        return {};
    CellHit hit;
    hit.index = place->index;
    hit.id = document->peekAt(place->index).id;
    hit.inCell = point - QPointF(0, place->y);
    hit.part = partAt(*place->item, hit.inCell);
    return hit;
}

void NotebookView::Private::hover(const CellHit &hit)
{
    if (hit.id != hovered.id) {
        hovered = hit;
        relayout();
    }
    hovered = hit;
    CellItem *item = page.findItem(hit.id);
    Qt::CursorShape shape = Qt::ArrowCursor;
    const bool isText = hit.part == CellHit::Part::Outputs && item
        && item->outputs().hasTextAt(hit.inCell - item->geometry().outputs.topLeft());
    if (hit.part == CellHit::Part::Code || isText)
        shape = Qt::IBeamCursor;
    else if (hit.part == CellHit::Part::FoldedOutputs || (item && actionAt(*item, hit)))
        shape = Qt::PointingHandCursor;
    q->viewport()->setCursor(shape);
}

void NotebookView::Private::press(const CellHit &hit, const QMouseEvent &event)
{
    pressed = hit;
    clearTextSelection();
    if (hit.part == CellHit::Part::None)
        return q->enterCommandMode();
    if (hit.part == CellHit::Part::RunButton)
        return;
    if (hit.part == CellHit::Part::MoreButton) {
        setCurrent(hit.id);
        return showMenu(hit, event.globalPosition().toPoint());
    }
    if (event.modifiers() & (Qt::ShiftModifier | Qt::ControlModifier)) {
        q->enterCommandMode();
        const CellId before = selection.current();
        if (event.modifiers() & Qt::ShiftModifier)
            selection.extendTo(hit.id);
        else
            selection.toggle(hit.id);
        pressed.part = CellHit::Part::Body;
        return selectionMoved(before != selection.current());
    }
    if (hit.part == CellHit::Part::Code)
        return editAt(hit);
    q->enterCommandMode();
    setCurrent(hit.id);
    beginSelecting(hit);
}

void NotebookView::Private::release(const CellHit &hit)
{
    const CellHit from = std::exchange(pressed, {});
    selecting.reset();
    if (!style.render.marks.selection.empty())
        return offerSelection();
    if (hit.id != from.id || hit.part != from.part)
        return;
    if (hit.part == CellHit::Part::RunButton)
        return toggleRun(hit.id);
    if (hit.part == CellHit::Part::FoldedOutputs)
        return document->setOutputsCollapsed(hit.id, false);
    CellItem *item = page.findItem(hit.id);
    const std::optional<OutputAction> action = item ? actionAt(*item, hit) : std::nullopt;
    if (action && action->trigger) {
        action->trigger();
        scheduleRelayout();
    }
}

void NotebookView::Private::toggleRun(const CellId &id)
{
    const Cell *cell = document->find(id);
    const bool isRunning =
        cell && (cell->run.state == CellRun::State::Running || cell->run.state == CellRun::State::AwaitingInput);
    if (isRunning)
        emit q->interruptRequested(id);
    else if (cell && cell->type == Cell::Type::Code)
        emit q->runRequested({id});
}

// The press that begins editing also places the cursor; dragging on selects text.
void NotebookView::Private::editAt(const CellHit &hit)
{
    CellItem &item = page.item(hit.index);
    const int position = item.code().positionAt(hit.inCell - item.geometry().source.topLeft());
    edit(hit.id);
    live.editor()->placeCursor(position);
}

void NotebookView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        d->press(d->hitAt(event->position()), *event);
}

void NotebookView::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() == Qt::NoButton)
        return d->hover(d->hitAt(event->position()));
    if (d->selecting)
        return d->selectTo(event->position());
    if (d->pressed.part != CellHit::Part::Code || !d->live.isEditing())
        return;
    CodeEditor *editor = d->live.editor();
    const QPoint inEditor = editor->viewport()->mapFrom(viewport(), event->position().toPoint());
    QTextCursor cursor = editor->textCursor();
    cursor.setPosition(editor->positionAt(inEditor), QTextCursor::KeepAnchor);
    editor->setTextCursor(cursor);
}

void NotebookView::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        d->release(d->hitAt(event->position()));
}

void NotebookView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const CellHit hit = d->hitAt(event->position());
    if (hit.part == CellHit::Part::Prose) {
        d->edit(hit.id);
    } else if (hit.part == CellHit::Part::Gutter) {
        d->document->setOutputsCollapsed(hit.id, !d->document->find(hit.id)->outputsCollapsed);
    } else if (hit.part == CellHit::Part::Outputs) {
        d->selectWord(hit);
    } else {
        mousePressEvent(event);
    }
}

QString NotebookView::Private::tipOf(const CellHit &hit, const CellItem &item) const
{
    if (hit.part == CellHit::Part::RunButton)
        return item.look().button == CellLook::Button::Stop ? tr("Interrupt (I, I)") : tr("Run (Ctrl+Return)");
    if (hit.part != CellHit::Part::Gutter || hit.index < 0)
        return {};
    const std::optional<CheckpointRef> &before = document->peekAt(hit.index).run.before;
    if (!before)
        return {};
    return before->inexact.empty()
        ? tr("The state from before this cell is kept.")
        : tr("The state from before this cell is kept, not exactly: %1.").arg(inexactText(before->inexact));
}

bool NotebookView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave && !d->hovered.id.isEmpty()) {
        d->hovered = {};
        d->relayout();
    }
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const CellHit hit = d->hitAt(help->pos());
        const CellItem *item = d->page.findItem(hit.id);
        QToolTip::showText(help->globalPos(), item ? d->tipOf(hit, *item) : QString());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace sandfish
