#include "core/document/notebookdocument.h"
#include "ui/notebook/notebookview_p.h"
#include "ui/text/codeeditor.h"

#include <QApplication>
#include <QClipboard>
#include <QMimeData>

namespace sandfish {

void NotebookView::runSelected(Advance advance)
{
    const std::vector<CellId> ids = d->selection.inOrder();
    if (ids.empty())
        return;
    std::vector<CellId> code;
    for (const CellId &id : ids)
        if (d->document->find(id)->type == Cell::Type::Code)
            code.push_back(id);
    enterCommandMode();
    const qsizetype next = d->document->indexOf(ids.back()) + 1;
    if (!code.empty())
        emit runRequested(code);
    if (advance == Advance::Stay)
        return;
    if (advance == Advance::Insert || next >= d->document->cellCount()) {
        const CellId fresh = d->document->insertCell(next, Cell::Type::Code);
        d->setCurrent(fresh);
        return editCurrentCell();
    }
    setCurrentCell(d->document->peekAt(next).id);
}

void NotebookView::insertCellAbove(Cell::Type type)
{
    enterCommandMode();
    const qsizetype index = std::max<qsizetype>(0, d->document->indexOf(d->selection.current()));
    setCurrentCell(d->document->insertCell(index, type));
}

void NotebookView::insertCellBelow(Cell::Type type)
{
    enterCommandMode();
    const qsizetype index = d->document->indexOf(d->selection.inOrder().empty() ? CellId() : d->selection.current());
    setCurrentCell(d->document->insertCell(index + 1, type));
}

void NotebookView::deleteSelected()
{
    enterCommandMode();
    d->actions.remove(d->selection.inOrder());
    d->showCell(d->selection.current());
}

void NotebookView::moveSelectedUp()
{
    d->actions.moveUp(d->selection.inOrder());
    d->showCell(d->selection.current());
}

void NotebookView::moveSelectedDown()
{
    d->actions.moveDown(d->selection.inOrder());
    d->showCell(d->selection.current());
}

void NotebookView::copySelected()
{
    if (d->live.isEditing())
        return d->live.editor()->copy();
    // What is seen as selected is what is copied.
    if (const QString text = d->selectedText(); !text.isEmpty())
        return QApplication::clipboard()->setText(text);
    QApplication::clipboard()->setMimeData(d->actions.copied(d->selection.inOrder()).release());
}

void NotebookView::cutSelected()
{
    if (d->live.isEditing())
        return d->live.editor()->cut();
    d->clearTextSelection();
    copySelected();
    deleteSelected();
}

void NotebookView::pasteBelow()
{
    if (d->live.isEditing())
        return d->live.editor()->paste();
    const std::vector<CellId> ids = d->selection.inOrder();
    d->paste(ids.empty() ? 0 : d->document->indexOf(ids.back()) + 1);
}

void NotebookView::pasteAbove()
{
    const std::vector<CellId> ids = d->selection.inOrder();
    d->paste(ids.empty() ? 0 : d->document->indexOf(ids.front()));
}

void NotebookView::setSelectedType(Cell::Type type)
{
    d->actions.setType(d->selection.inOrder(), type);
}

void NotebookView::mergeSelected()
{
    std::vector<CellId> ids = d->selection.inOrder();
    const qsizetype next = ids.empty() ? -1 : d->document->indexOf(ids.back()) + 1;
    if (ids.size() == 1 && next < d->document->cellCount())
        ids.push_back(d->document->peekAt(next).id);
    d->merge(ids);
}

void NotebookView::splitAtCursor()
{
    d->split();
}

void NotebookView::toggleOutputs()
{
    const std::vector<CellId> ids = d->selection.inOrder();
    const Cell *current = d->document->find(d->selection.current());
    if (!current)
        return;
    const bool isCollapsed = !current->outputsCollapsed;
    for (const CellId &id : ids)
        d->document->setOutputsCollapsed(id, isCollapsed);
}

void NotebookView::selectAllCells()
{
    if (d->live.isEditing())
        return d->live.editor()->selectAll();
    d->selection.selectAll();
    d->selectionMoved(false);
}

void NotebookView::undo()
{
    if (d->live.isEditing() && !d->live.editor()->isReadOnly())
        d->live.editor()->undo();
    else
        d->undo();
}

void NotebookView::redo()
{
    if (d->live.isEditing() && !d->live.editor()->isReadOnly())
        d->live.editor()->redo();
    else
        d->redo();
}

void NotebookView::copyOutputs()
{
    const qsizetype index = d->document->indexOf(d->selection.current());
    if (index >= 0)
        QApplication::clipboard()->setText(d->page.item(index).outputs().plainText(d->document->cellAt(index)));
}

} // namespace sandfish
