#include "core/document/notebookdocument.h"
#include "ui/notebook/notebookview_p.h"
#include "ui/text/codeeditor.h"

#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <cmath>

namespace sandfish {

namespace {

// How far one step of a wheel without a pixel delta goes, in lines of code.
constexpr int kLinesPerNotch = 3;
constexpr int kNotch = 120;

} // namespace

void NotebookView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    const QRectF clip = event->rect();
    d->style.render.marks.isActive = hasFocus();
    painter.fillRect(clip, d->style.theme.color(ColorToken::Canvas));
    painter.setClipRect(clip);
    CellPainter cells(painter, d->style, d->phase);
    for (const NotebookPage::Place &place : d->page.places())
        if (place.y < clip.bottom() && place.y + place.item->geometry().height > clip.top())
            cells.paint(*place.item, QPointF(0, place.y), clip);
    if (d->hasPainted || !clip.contains(viewport()->rect()))
        return;
    d->hasPainted = true;
    QTimer::singleShot(0, this, [this] {
        emit painted();
        d->warmUpAfterFirstPaint();
    });
}

void NotebookView::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    d->style.render.devicePixelRatio = devicePixelRatioF();
    const qreal before = d->style.bodyWidth;
    d->setBodyWidth();
    d->page.setViewportHeight(viewport()->height());
    if (before != d->style.bodyWidth)
        d->live.restyle();
    d->relayout();
}

void NotebookView::scrollContentsBy(int, int)
{
    if (d->isSyncingScrollBar)
        return;
    const qreal by = verticalScrollBar()->value() - std::round(d->page.scrollY());
    d->page.scrollBy(by);
    d->relayout();
    if (by < 0 || d->page.isAtEnd())
        d->page.setRefusesEnd(by < 0);
}

// Into view whole, also where its cell is taller than the page.
void NotebookView::Private::showPrompt(const CellId &id)
{
    const qsizetype index = document->indexOf(id);
    if (index < 0)
        return;
    relayout();
    const QRectF box = page.item(index).geometry().prompt;
    page.show(index, box.top() - CellMetrics::kCellGap, box.height() + 2 * CellMetrics::kCellGap);
    relayout();
}

// A box that opens elsewhere must not take the keys of someone who writes.
bool NotebookView::Private::isWriting() const
{
    return live.isEditing() && !live.editor()->document()->isEmpty();
}

void NotebookView::wheelEvent(QWheelEvent *event)
{
    if (event->modifiers() & Qt::ControlModifier)
        return event->ignore();
    d->scrollByWheel(*event);
    event->accept();
}

void NotebookView::Private::scrollByWheel(const QWheelEvent &event)
{
    qreal up = event.pixelDelta().y();
    if (event.pixelDelta().isNull())
        up = event.angleDelta().y() * kLinesPerNotch * style.metrics.linePitch / kNotch;
    wheelRest += up;
    const qreal whole = std::trunc(wheelRest);
    wheelRest -= whole;
    if (whole == 0)
        return;
    page.scrollBy(-whole);
    relayout();
    if (whole > 0 || page.isAtEnd())
        page.setRefusesEnd(whole > 0);
}

bool NotebookView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride && d->mode == Mode::Command
        && CommandKeys::isOurs(*static_cast<QKeyEvent *>(event))) {
        event->accept();
        return true;
    }
    return QAbstractScrollArea::event(event);
}

// Shift+Return never reaches a shortcut while a text editor has the focus, so the keys of edit mode are taken here.
bool NotebookView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != d->live.editor() || !d->live.isEditing())
        return QAbstractScrollArea::eventFilter(watched, event);
    if (event->type() == QEvent::ShortcutOverride) {
        const auto &key = *static_cast<QKeyEvent *>(event);
        if (d->completion.wantsKey(key)) {
            event->accept();
            return true;
        }
        if (CommandKeys::inEditMode(key) == CellCommand::None || (d->yieldsEscape && key.key() == Qt::Key_Escape))
            return false;
        event->accept();
        return true;
    }
    return event->type() == QEvent::KeyPress && d->filterEditorKey(*static_cast<QKeyEvent *>(event));
}

void NotebookView::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && !d->style.render.marks.selection.empty())
        return d->clearTextSelection();
    // The scroll area would scroll by the arrow keys.
    if (!d->run(d->keys.take(*event)))
        event->ignore();
}

void NotebookView::focusInEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusInEvent(event);
    if (d->live.isEditing())
        d->live.editor()->setFocus(event->reason());
    viewport()->update();
}

void NotebookView::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void NotebookView::showEvent(QShowEvent *event)
{
    QAbstractScrollArea::showEvent(event);
    d->syncTimers();
}

void NotebookView::hideEvent(QHideEvent *event)
{
    QAbstractScrollArea::hideEvent(event);
    d->syncTimers();
}

void NotebookView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::StyleChange && d->hasPainted) {
        d->setBodyWidth();
        d->relayout();
    }
}

} // namespace sandfish
