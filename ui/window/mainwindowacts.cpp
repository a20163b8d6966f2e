#include "core/document/notebookdocument.h"
#include "core/support/settings.h"
#include "ui/notebook/notebookview.h"
#include "ui/panels/contextchip.h"
#include "ui/panels/outlinepanel.h"
#include "ui/panels/sandboxpanel.h"
#include "ui/panels/startcard.h"
#include "ui/panels/statusstrip.h"
#include "ui/panels/variablespanel.h"
#include "ui/window/actions.h"
#include "ui/window/docks.h"
#include "ui/window/documentarea.h"
#include "ui/window/filecontroller.h"
#include "ui/window/helppage.h"
#include "ui/window/mainwindow.h"
#include "ui/window/notebooktab.h"
#include "ui/window/outputacts.h"
#include "ui/window/question.h"
#include "ui/window/rewindacts.h"
#include "ui/window/sandboxcontroller.h"
#include "ui/window/windowtoolbar.h"

#include <QApplication>
#include <QListView>
#include <QMenu>
#include <QTreeView>

using namespace Qt::StringLiterals;

// What the actions of the table do.

namespace sandfish {
namespace {

QString helpPageOf(ActionId id)
{
    switch (id) {
    case ActionId::HelpGettingStarted:
        return u"getting-started"_s;
    case ActionId::HelpRunning:
        return u"running-cells"_s;
    case ActionId::HelpPausing:
        return u"pausing"_s;
    case ActionId::HelpEngine:
        return u"local-engine"_s;
    case ActionId::HelpCommandLine:
        return u"command-line"_s;
    case ActionId::HelpKeyboard:
        return u"keyboard"_s;
    case ActionId::HelpTroubleshooting:
        return u"troubleshooting"_s;
    default:
        return {};
    }
}

} // namespace

void MainWindow::perform(ActionId id)
{
    if (performOnWindow(id))
        return;
    if (NotebookTab *tab = currentTab())
        performOnTab(id, tab);
}

bool MainWindow::performOnWindow(ActionId id)
{
    return performOnFiles(id) || performOnLook(id) || performHelp(id);
}

bool MainWindow::performOnFiles(ActionId id)
{
    switch (id) {
    case ActionId::FileNew:
        m_files->newNotebook();
        return true;
    case ActionId::FileOpen:
        m_files->openWithDialog();
        return true;
    case ActionId::FileCloseTab:
        if (m_area->currentPage())
            emit m_area->closeRequested(m_area->currentPage());
        return true;
    case ActionId::FileReopenTab:
        m_files->reopenClosed();
        return true;
    case ActionId::FileQuit:
        close();
        return true;
    default:
        return false;
    }
}

bool MainWindow::performOnLook(ActionId id)
{
    switch (id) {
    case ActionId::ViewNextTab:
    case ActionId::ViewPreviousTab:
        stepTab(id == ActionId::ViewNextTab ? 1 : -1);
        return true;
    case ActionId::ViewNextArea:
    case ActionId::ViewPreviousArea:
        stepArea(id == ActionId::ViewNextArea ? 1 : -1);
        return true;
    case ActionId::ViewFullScreen:
        setWindowState(windowState() ^ Qt::WindowFullScreen);
        return true;
    case ActionId::SettingsThemeSystem:
        m_context.settings->set(Settings::Key::Theme, u"system"_s);
        return true;
    case ActionId::SettingsThemeLight:
        m_context.settings->set(Settings::Key::Theme, u"light"_s);
        return true;
    case ActionId::SettingsThemeDark:
        m_context.settings->set(Settings::Key::Theme, u"dark"_s);
        return true;
    case ActionId::SettingsLimits:
        m_outputs->changeLimits();
        return true;
    default:
        return false;
    }
}

bool MainWindow::performHelp(ActionId id)
{
    const QString page = helpPageOf(id);
    if (!page.isEmpty()) {
        showHelp(page);
        return true;
    }
    switch (id) {
    case ActionId::HelpTour:
        m_files->openTour();
        return true;
    case ActionId::HelpStartCard:
        showStartCard();
        return true;
    case ActionId::HelpAbout:
        showAbout();
        return true;
    default:
        return false;
    }
}

void MainWindow::performOnTab(ActionId id, NotebookTab *tab)
{
    using Range = NotebookTab::Range;
    switch (id) {
    case ActionId::FileSave:
        return m_files->save(tab);
    case ActionId::FileSaveAs:
        return m_files->saveAs(tab);
    case ActionId::EditFind:
        return tab->openFind();
    case ActionId::EditFindNext:
        return tab->findNext();
    case ActionId::EditFindPrevious:
        return tab->findPrevious();
    case ActionId::RunAll:
        return tab->run(Range::All);
    case ActionId::RunAbove:
        return tab->run(Range::Above);
    case ActionId::RunBelow:
        return tab->run(Range::FromCurrent);
    case ActionId::RunInterrupt:
        return tab->session()->interrupt();
    case ActionId::RunClearOutputs:
        return tab->document()->clearAllOutputs();
    default:
        performOnSandbox(id, tab);
    }
}

void MainWindow::performOnSandbox(ActionId id, NotebookTab *tab)
{
    const CellId cell = tab->view()->currentCell();
    switch (id) {
    case ActionId::SandboxPause:
        return m_sandboxes->togglePause(tab);
    case ActionId::SandboxRestart:
        return m_sandboxes->restart(tab, false);
    case ActionId::SandboxRestartRunAll:
        return m_sandboxes->restart(tab, true);
    case ActionId::SandboxRestartRunAbove:
        return tab->rewindActs()->restartAndRunAbove(cell);
    case ActionId::SandboxRewind:
        return tab->rewindActs()->rewind(cell);
    case ActionId::SandboxUndoRewind:
        return tab->rewindActs()->undo();
    case ActionId::SandboxBranch:
        return tab->rewindActs()->branch(cell);
    case ActionId::SandboxStart:
        return tab->session()->start();
    case ActionId::SandboxNew:
        return m_sandboxes->startNew(tab);
    case ActionId::SandboxDetails:
        return m_sandboxes->showDetails(tab);
    case ActionId::SandboxKill:
        return m_sandboxes->kill(tab);
    default:
        performOnCells(id, tab);
    }
}

void MainWindow::performOnCells(ActionId id, NotebookTab *tab)
{
    NotebookView *view = tab->view();
    switch (id) {
    case ActionId::EditUndo:
        return view->undo();
    case ActionId::EditRedo:
        return view->redo();
    case ActionId::EditCutCells:
        return view->cutSelected();
    case ActionId::EditCopyCells:
        return view->copySelected();
    case ActionId::EditPasteCells:
        return view->pasteBelow();
    case ActionId::EditDeleteCells:
        return view->deleteSelected();
    case ActionId::ViewOutputs:
        return view->toggleOutputs();
    case ActionId::RunCell:
        return view->runSelected(NotebookView::Advance::Stay);
    case ActionId::RunAdvance:
        return view->runSelected(NotebookView::Advance::Next);
    case ActionId::RunInsert:
        return view->runSelected(NotebookView::Advance::Insert);
    default:
        arrangeCells(id, view);
    }
}

void MainWindow::arrangeCells(ActionId id, NotebookView *view)
{
    switch (id) {
    case ActionId::InsertCodeAbove:
        return view->insertCellAbove();
    case ActionId::InsertCodeBelow:
        return view->insertCellBelow();
    case ActionId::InsertMarkdownBelow:
        return view->insertCellBelow(Cell::Type::Markdown);
    case ActionId::InsertMoveUp:
        return view->moveSelectedUp();
    case ActionId::InsertMoveDown:
        return view->moveSelectedDown();
    case ActionId::InsertToCode:
        return view->setSelectedType(Cell::Type::Code);
    case ActionId::InsertToMarkdown:
        return view->setSelectedType(Cell::Type::Markdown);
    case ActionId::InsertToRaw:
        return view->setSelectedType(Cell::Type::Raw);
    default:
        return;
    }
}

void MainWindow::stepTab(int step)
{
    const int count = m_area->pageCount();
    if (count > 0)
        m_area->setCurrentIndex((m_area->currentIndex() + step + count) % count);
}

void MainWindow::stepArea(int step)
{
    QWidget *page = m_area->currentPage();
    const std::array<QWidget *, 6> areas{m_toolBar, m_area->tabBar(), m_docks->sandboxes()->tree(),
        m_docks->outline()->list(), page, m_docks->variables()->list()};
    const int count = int(areas.size());
    int at = count - 2; // the page
    for (int i = 0; i < count; ++i) {
        if (areas[std::size_t(i)] && areas[std::size_t(i)]->isAncestorOf(QApplication::focusWidget()))
            at = i;
        if (areas[std::size_t(i)] == QApplication::focusWidget())
            at = i;
    }
    for (int tries = 0; tries < count; ++tries) {
        at = (at + step + count) % count;
        QWidget *area = areas[std::size_t(at)];
        if (!area || !area->isVisible())
            continue;
        QWidget *target = area == m_toolBar ? static_cast<QWidget *>(m_toolBar->contextChip()) : area;
        target->setFocus(Qt::TabFocusReason);
        return;
    }
}

void MainWindow::showChipMenu()
{
    NotebookTab *tab = currentTab();
    if (!tab)
        return;
    QMenu *menu = m_sandboxes->chipMenu(tab);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QWidget *chip = m_toolBar->contextChip();
    menu->popup(chip->mapToGlobal(QPoint(0, chip->height() + 2)));
}

void MainWindow::showHelp(const QString &page)
{
    for (int i = 0; i < m_area->pageCount(); ++i) {
        auto *open = qobject_cast<HelpPage *>(m_area->pageAt(i));
        if (open && open->page() == page) {
            m_area->setCurrentIndex(i);
            return;
        }
    }
    auto *help = new HelpPage(m_context.themes, page);
    m_area->addPage(help, help->title());
    m_area->setMark(help, {u"info"_s, int(ColorToken::Text2)});
    connect(help, &HelpPage::titleChanged, this, [this, help] { m_area->setTitle(help, help->title(), {}); });
    help->setFocus();
}

void MainWindow::showStartCard()
{
    NotebookTab *tab = currentTab();
    if (!tab || !tab->isPristine())
        tab = m_files->newNotebook();
    tab->showStartCard();
    StartCard *card = tab->startCard();
    connect(card, &StartCard::openRequested, m_files, &FileController::openWithDialog, Qt::UniqueConnection);
    connect(card, &StartCard::tourRequested, m_files, &FileController::openTour, Qt::UniqueConnection);
    connect(card, &StartCard::recentRequested, this, &MainWindow::showRecentMenu, Qt::UniqueConnection);
}

void MainWindow::showRecentMenu()
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    m_files->recentFiles()->fillMenu(menu);
    menu->popup(QCursor::pos());
}

void MainWindow::showAbout()
{
    const QString text = tr("Version %1, with Qt %2.\n\nNotebooks whose cells run in a sandbox: on this computer or at "
                            "a service. Free software under the GNU General Public License, version 3 or later.")
                             .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion()));
    ask(this, {u"about"_s, tr("Sandfish"), text, {{tr("Close"), Choice::Kind::Safe, {}}}});
}

void MainWindow::clickStatus(int segment)
{
    NotebookTab *tab = currentTab();
    if (!tab)
        return;
    switch (StatusStrip::Segment(segment)) {
    case StatusStrip::Segment::CellNumber:
        return tab->view()->scrollToCell(tab->view()->currentCell());
    case StatusStrip::Segment::Kernel:
    case StatusStrip::Segment::Memory:
    case StatusStrip::Segment::Connection:
        return m_sandboxes->showDetails(tab);
    case StatusStrip::Segment::Trust:
        if (!tab->document()->isTrusted())
            tab->setTrusted();
        return;
    case StatusStrip::Segment::Language: {
        QMenu *menu = m_sandboxes->languageMenu(tab);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(QCursor::pos());
        return;
    }
    case StatusStrip::Segment::Saved:
        return m_files->save(tab);
    default:
        tab->view()->setFocus();
    }
}

} // namespace sandfish
