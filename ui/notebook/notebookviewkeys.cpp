#include "core/document/notebookdocument.h"
#include "ui/notebook/notebookview_p.h"
#include "ui/text/codeeditor.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMimeData>
#include <QScrollBar>
#include <QUndoStack>

#include <algorithm>
#include <array>

namespace sandfish {

void NotebookView::setCodeHelp(CodeHelp *help)
{
    d->completion.setHelp(help);
}

CellCompletion *NotebookView::completion() const
{
    return &d->completion;
}

void NotebookView::Private::step(int by, bool extends)
{
    goTo(document->indexOf(selection.current()) + by, extends);
}

// From the first or last row of a cell into its neighbour, with the cursor in the same column.
void NotebookView::Private::stepInto(int by)
{
    const qsizetype index = document->indexOf(live.edited()) + by;
    if (index < 0 || index >= document->cellCount())
        return;
    const Cell &neighbour = document->peekAt(index);
    const CellId id = neighbour.id;
    if (neighbour.type == Cell::Type::Markdown) {
        q->enterCommandMode();
        setCurrent(id);
        return showCell(id);
    }
    const qreal x = live.editor()->cursorRect().x();
    edit(id);
    live.editor()->placeCursorOnRow(by < 0, x);
    showCaret();
}

bool NotebookView::Private::filterEditorKey(const QKeyEvent &event)
{
    if (live.editor()->isComposing())
        return false;
    if (completion.takeKey(event))
        return true;
    const CellCommand command = CommandKeys::inEditMode(event);
    if (command != CellCommand::None)
        return run(command);
    if ((event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return false;
    if (event.key() == Qt::Key_Up && live.editor()->isOnFirstRow()) {
        stepInto(-1);
        return true;
    }
    if (event.key() == Qt::Key_Down && live.editor()->isOnLastRow()) {
        stepInto(1);
        return true;
    }
    return false;
}

bool NotebookView::Private::run(CellCommand command)
{
    return runSelecting(command) || runRunning(command) || (selection.count() > 0 && runEditing(command));
}

void NotebookView::Private::goTo(qsizetype index, bool extends)
{
    if (index < 0 || index >= document->cellCount())
        return;
    const CellId id = document->peekAt(index).id;
    setCurrent(id, extends);
    showCell(id);
}

bool NotebookView::Private::runSelecting(CellCommand command)
{
    switch (command) {
    case CellCommand::Edit:
        q->editCurrentCell();
        return true;
    case CellCommand::LeaveEdit:
        q->enterCommandMode();
        return true;
    case CellCommand::SelectUp:
    case CellCommand::ExtendUp:
        step(-1, command == CellCommand::ExtendUp);
        return true;
    case CellCommand::SelectDown:
    case CellCommand::ExtendDown:
        step(1, command == CellCommand::ExtendDown);
        return true;
    case CellCommand::SelectFirst:
    case CellCommand::ExtendToTop:
        goTo(0, command == CellCommand::ExtendToTop);
        return true;
    case CellCommand::SelectLast:
    case CellCommand::ExtendToBottom:
        goTo(document->cellCount() - 1, command == CellCommand::ExtendToBottom);
        return true;
    case CellCommand::SelectAll:
        q->selectAllCells();
        return true;
    case CellCommand::PageUp:
    case CellCommand::PageDown:
        turnPage(command == CellCommand::PageUp ? -1 : 1);
        return true;
    default:
        return false;
    }
}

bool NotebookView::Private::runRunning(CellCommand command)
{
    switch (command) {
    case CellCommand::RunStay:
        q->runSelected(Advance::Stay);
        return true;
    case CellCommand::RunNext:
        q->runSelected(Advance::Next);
        return true;
    case CellCommand::RunInsert:
        q->runSelected(Advance::Insert);
        return true;
    case CellCommand::Interrupt:
        emit q->interruptRequested(selection.current());
        return true;
    case CellCommand::Restart:
        emit q->restartRequested();
        return true;
    default:
        return false;
    }
}

bool NotebookView::Private::runEditing(CellCommand command)
{
    struct Act
    {
        CellCommand command;
        void (NotebookView::*perform)();
    };
    static constexpr std::array kActs{
        Act{CellCommand::Cut, &NotebookView::cutSelected},
        Act{CellCommand::Copy, &NotebookView::copySelected},
        Act{CellCommand::PasteBelow, &NotebookView::pasteBelow},
        Act{CellCommand::PasteAbove, &NotebookView::pasteAbove},
        Act{CellCommand::Delete, &NotebookView::deleteSelected},
        Act{CellCommand::Undo, &NotebookView::undo},
        Act{CellCommand::Redo, &NotebookView::redo},
        Act{CellCommand::Merge, &NotebookView::mergeSelected},
        Act{CellCommand::MoveUp, &NotebookView::moveSelectedUp},
        Act{CellCommand::MoveDown, &NotebookView::moveSelectedDown},
        Act{CellCommand::ToggleOutputs, &NotebookView::toggleOutputs},
        Act{CellCommand::Split, &NotebookView::splitAtCursor},
    };
    const auto act =
        std::find_if(kActs.begin(), kActs.end(), [command](const Act &row) { return row.command == command; });
    if (act == kActs.end())
        return runChangingCells(command);
    (q->*act->perform)();
    return true;
}

bool NotebookView::Private::runChangingCells(CellCommand command)
{
    switch (command) {
    case CellCommand::InsertAbove:
        q->insertCellAbove();
        return true;
    case CellCommand::InsertBelow:
        q->insertCellBelow();
        return true;
    case CellCommand::ToCode:
        q->setSelectedType(Cell::Type::Code);
        return true;
    case CellCommand::ToMarkdown:
        q->setSelectedType(Cell::Type::Markdown);
        return true;
    case CellCommand::ToRaw:
        q->setSelectedType(Cell::Type::Raw);
        return true;
    case CellCommand::MergeAbove:
        mergePair(document->indexOf(selection.current()) - 1);
        return true;
    case CellCommand::MergeBelow:
        mergePair(document->indexOf(selection.current()));
        return true;
    default:
        return makeHeading(command);
    }
}

bool NotebookView::Private::makeHeading(CellCommand command)
{
    if (command < CellCommand::Heading1 || command > CellCommand::Heading6)
        return false;
    actions.makeHeading(selection.inOrder(), static_cast<int>(command) - static_cast<int>(CellCommand::Heading1) + 1);
    return true;
}

void NotebookView::Private::mergePair(qsizetype upper)
{
    if (upper >= 0 && upper + 1 < document->cellCount())
        merge({document->peekAt(upper).id, document->peekAt(upper + 1).id});
}

void NotebookView::Private::split()
{
    if (!live.isEditing())
        return;
    const CellId below = actions.split(live.edited(), live.sourcePosition());
    edit(below);
    live.editor()->placeCursor(0);
    showCaret();
}

void NotebookView::Private::merge(std::vector<CellId> ids)
{
    if (ids.size() < 2)
        return;
    q->enterCommandMode();
    const CellId merged = actions.merge(ids);
    setCurrent(merged);
    showCell(merged);
}

void NotebookView::Private::paste(qsizetype index)
{
    const std::vector<CellId> ids = actions.paste(index, QApplication::clipboard()->mimeData());
    if (ids.empty())
        return;
    selection.select(ids);
    selectionMoved(true);
    showCell(ids.back());
}

void NotebookView::Private::turnPage(int direction)
{
    page.setRefusesEnd(direction < 0);
    page.scrollBy(direction * q->verticalScrollBar()->pageStep());
    relayout();
}

void NotebookView::Private::undo()
{
    std::vector<CellId> restored;
    const auto watch =
        connect(document, &NotebookDocument::cellsInserted, q, [this, &restored](qsizetype first, qsizetype count) {
            for (qsizetype i = first; i < first + count; ++i)
                restored.push_back(document->peekAt(i).id);
        });
    document->undoStack()->undo();
    disconnect(watch);
    std::erase_if(restored, [this](const CellId &id) { return document->indexOf(id) < 0; });
    if (restored.empty())
        return;
    std::sort(restored.begin(), restored.end(),
        [this](const CellId &a, const CellId &b) { return document->indexOf(a) < document->indexOf(b); });
    selection.select(restored);
    selectionMoved(true);
    showCell(restored.back());
}

void NotebookView::Private::redo()
{
    document->undoStack()->redo();
}

} // namespace sandfish
