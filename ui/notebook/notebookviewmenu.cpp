#include "core/document/notebookdocument.h"
#include "ui/notebook/notebookview_p.h"
#include "ui/notebook/rewindwords.h"
#include "ui/text/icons.h"
#include "ui/text/languagename.h"

#include <QContextMenuEvent>
#include <QMenu>

namespace sandfish {

void NotebookView::setRewindCheck(std::function<QString(const CellId &)> whyNot)
{
    d->whyNoRewind = std::move(whyNot);
}

void NotebookView::contextMenuEvent(QContextMenuEvent *event)
{
    const bool isByKey = event->reason() == QContextMenuEvent::Keyboard;
    CellHit hit;
    QPoint position = event->globalPos();
    if (isByKey) {
        hit.id = d->selection.current();
        hit.index = d->document->indexOf(hit.id);
        position = viewport()->mapToGlobal(QPoint(80, static_cast<int>(d->page.viewportY(hit.index)) + 20));
    } else {
        hit = d->hitAt(viewport()->mapFromGlobal(event->globalPos()));
    }
    if (hit.index < 0)
        return;
    if (!d->selection.contains(hit.id))
        d->setCurrent(hit.id);
    d->showMenu(hit, position);
}

void NotebookView::Private::showMenu(const CellHit &hit, QPoint globalPosition)
{
    const Cell *cell = document->find(hit.id);
    if (!cell)
        return;
    auto *menu = new QMenu(q);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [menu, this](const QString &text, auto act) { menu->addAction(text, q, act); };
    const bool isRunning =
        cell->run.state == CellRun::State::Running || cell->run.state == CellRun::State::AwaitingInput;
    if (isRunning)
        add(tr("Interrupt\tI, I"), [this, id = hit.id] { emit q->interruptRequested(id); });
    else if (cell->type == Cell::Type::Code)
        add(tr("Run\tCtrl+Return"), [this] { q->runSelected(Advance::Stay); });
    add(tr("Edit\tReturn"), [this] { q->editCurrentCell(); });
    addRewindActs(*menu, *cell);
    menu->addSeparator();
    if (!q->selectedText().isEmpty())
        add(tr("Copy selected text\tCtrl+C"), [this] { q->copySelected(); });
    add(tr("Cut cell\tX"), [this] { q->cutSelected(); });
    add(tr("Copy cell\tC"), [this] {
        clearTextSelection();
        q->copySelected();
    });
    add(tr("Paste below\tV"), [this] { q->pasteBelow(); });
    if (!cell->outputs.empty())
        addOutputActs(*menu, *cell);
    menu->addSeparator();
    add(tr("Insert above\tA"), [this] { q->insertCellAbove(); });
    add(tr("Insert below\tB"), [this] { q->insertCellBelow(); });
    add(tr("Merge\tShift+M"), [this] { q->mergeSelected(); });
    add(tr("Move up\tCtrl+Shift+Up"), [this] { q->moveSelectedUp(); });
    add(tr("Move down\tCtrl+Shift+Down"), [this] { q->moveSelectedDown(); });
    menu->addSeparator();
    if (cell->type == Cell::Type::Code)
        addLanguages(*menu, *cell);
    add(tr("To code\tY"), [this] { q->setSelectedType(Cell::Type::Code); });
    add(tr("To Markdown\tM"), [this] { q->setSelectedType(Cell::Type::Markdown); });
    add(tr("Delete\tD, D"), [this] { q->deleteSelected(); });
    menu->popup(globalPosition);
}

void NotebookView::Private::addRewindActs(QMenu &menu, const Cell &cell)
{
    if (!whyNoRewind || cell.type != Cell::Type::Code)
        return;
    const CellId id = cell.id;
    const QString reason = whyNoRewind(id);
    const bool isInexact = reason.isEmpty() && cell.run.before && !cell.run.before->inexact.empty();
    menu.addSeparator();
    menu.setToolTipsVisible(true);
    const auto add = [&](const QString &text, const QString &icon, auto signal) {
        QAction *action = menu.addAction(text, q, [this, id, signal] { emit(q->*signal)(id); });
        action->setEnabled(reason.isEmpty());
        action->setIcon(tintedIcon(icon, style.theme.color(ColorToken::Text), style.theme.color(ColorToken::Text3)));
        action->setToolTip(isInexact ? tr("Not exact: %1").arg(inexactText(cell.run.before->inexact)) : reason);
    };
    add(isInexact ? tr("Rewind to before this cell, not exactly…\tShift+F7")
                  : tr("Rewind to before this cell…\tShift+F7"),
        QStringLiteral("rewind"), &NotebookView::rewindRequested);
    add(tr("Branch from here\tCtrl+F7"), QStringLiteral("fork"), &NotebookView::branchRequested);
    if (!reason.isEmpty() && cell.executionCount > 0)
        menu.addAction(
                tr("Restart and run all above…\tCtrl+Shift+F7"), q, [this, id] { emit q->restartAboveRequested(id); })
            ->setToolTip(reason);
}

void NotebookView::Private::addOutputActs(QMenu &menu, const Cell &cell)
{
    menu.addAction(tr("Copy output"), q, [this] { q->copyOutputs(); });
    menu.addAction(
        cell.outputsCollapsed ? tr("Show output\tO") : tr("Hide output\tO"), q, [this] { q->toggleOutputs(); });
    menu.addAction(tr("Clear output"), q, [this] {
        for (const CellId &id : selection.inOrder())
            document->clearOutputs(id);
    });
}

void NotebookView::Private::addLanguages(QMenu &menu, const Cell &cell)
{
    QMenu *languages = menu.addMenu(tr("Language"));
    for (const char *language : {"python", "javascript", "bash"}) {
        const QString name = QString::fromLatin1(language);
        QAction *action = languages->addAction(languageName(name), q, [this, name] {
            // The notebook's own language is no mark of a cell.
            for (const CellId &id : selection.inOrder())
                document->setCellLanguage(id, name == document->language() ? QString() : name);
        });
        action->setCheckable(true);
        action->setChecked(document->effectiveLanguage(cell.id) == name);
    }
}

void NotebookView::Private::request(const OutputRequest &wanted)
{
    if (wanted.kind != OutputRequest::Kind::GoToCell) {
        emit q->outputRequested(wanted);
        return;
    }
    for (qsizetype i = 0; i < document->cellCount(); ++i) {
        if (document->peekAt(i).executionCount != wanted.executionCount)
            continue;
        q->setCurrentCell(document->peekAt(i).id);
        return;
    }
}

} // namespace sandfish
