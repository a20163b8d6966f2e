#include "ui/window/actions.h"

#include "ui/text/icons.h"
#include "ui/text/theme.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

using Id = ActionId;

enum Flag
{
    None = 0,
    NeedsNotebook = 1,
    SeparatorBefore = 2,
    ShownKeyOnly = 4, ///< the notebook view handles the key
    Checkable = 8,
};

struct Row
{
    Id id;
    Actions::MenuIndex menu;
    const char *text;
    const char *key;
    const char *tip;
    const char *icon;
    int flags;
};

#define TR(text) QT_TRANSLATE_NOOP("sandfish::Actions", text)

constexpr std::array kRows{
    Row{Id::FileNew, Actions::FileMenu, TR("&New notebook"), "Ctrl+N", TR("Open an empty notebook in a new tab"),
        "add-cell", None},
    Row{Id::FileOpen, Actions::FileMenu, TR("&Open…"), "Ctrl+O", TR("Open a notebook file"), "files", None},
    Row{Id::FileSave, Actions::FileMenu, TR("&Save"), "Ctrl+S", TR("Write the notebook to its file"), "file",
        NeedsNotebook | SeparatorBefore},
    Row{Id::FileSaveAs, Actions::FileMenu, TR("Save &as…"), "Ctrl+Shift+S", TR("Write the notebook to another file"),
        "", NeedsNotebook},
    Row{Id::FileCloseTab, Actions::FileMenu, TR("&Close tab"), "Ctrl+W", TR("Close the tab in front"), "close",
        SeparatorBefore},
    Row{Id::FileReopenTab, Actions::FileMenu, TR("&Reopen closed tab"), "Ctrl+Shift+T",
        TR("Open the file of the tab that was closed last"), "", None},
    Row{Id::FileQuit, Actions::FileMenu, TR("&Quit"), "Ctrl+Q", TR("Close the window"), "", SeparatorBefore},

    Row{Id::EditUndo, Actions::EditMenu, TR("&Undo"), "Ctrl+Z", TR("Take back the last edit of the notebook"), "",
        NeedsNotebook},
    Row{Id::EditRedo, Actions::EditMenu, TR("&Redo"), "Ctrl+Shift+Z", TR("Do the edit again that was taken back"), "",
        NeedsNotebook},
    Row{Id::EditCutCells, Actions::EditMenu, TR("Cu&t cells"), "X", TR("Move the selected cells to the clipboard"), "",
        NeedsNotebook | SeparatorBefore | ShownKeyOnly},
    Row{Id::EditCopyCells, Actions::EditMenu, TR("&Copy cells"), "C", TR("Copy the selected cells"), "copy",
        NeedsNotebook | ShownKeyOnly},
    Row{Id::EditPasteCells, Actions::EditMenu, TR("&Paste cells below"), "V",
        TR("Insert the cells of the clipboard below the current one"), "", NeedsNotebook | ShownKeyOnly},
    Row{Id::EditDeleteCells, Actions::EditMenu, TR("&Delete cells"), "D, D", TR("Delete the selected cells"), "delete",
        NeedsNotebook | ShownKeyOnly},
    Row{Id::EditFind, Actions::EditMenu, TR("&Find…"), "Ctrl+F", TR("Find text in the notebook in front"), "search",
        NeedsNotebook | SeparatorBefore},
    Row{Id::EditFindNext, Actions::EditMenu, TR("Find &next"), "F3", TR("Go to the next hit"), "", NeedsNotebook},
    Row{Id::EditFindPrevious, Actions::EditMenu, TR("Find pre&vious"), "Shift+F3", TR("Go to the hit before"), "",
        NeedsNotebook},

    Row{Id::ViewOutputs, Actions::ViewMenu, TR("Show or hide &outputs"), "O",
        TR("Fold the outputs of the selected cells, or show them again"), "", NeedsNotebook | ShownKeyOnly},
    Row{Id::ViewSandboxes, Actions::ViewMenu, TR("&Sandboxes"), "Ctrl+Shift+B", TR("Show or hide the sandbox tree"),
        "sandbox", SeparatorBefore | Checkable},
    Row{Id::ViewOutline, Actions::ViewMenu, TR("O&utline"), "Ctrl+Shift+O", TR("Show or hide the outline"), "outline",
        Checkable},
    Row{Id::ViewVariables, Actions::ViewMenu, TR("&Variables"), "Ctrl+Shift+V",
        TR("Show or hide the variables of the context"), "variables", Checkable},
    Row{Id::ViewNextTab, Actions::ViewMenu, TR("&Next tab"), "Ctrl+Tab", TR("Go to the tab at the right"), "",
        SeparatorBefore},
    Row{Id::ViewPreviousTab, Actions::ViewMenu, TR("&Previous tab"), "Ctrl+Shift+Tab", TR("Go to the tab at the left"),
        "", None},
    Row{Id::ViewNextArea, Actions::ViewMenu, TR("Next &area"), "F6",
        TR("Move the focus to the next area of the window"), "", None},
    Row{Id::ViewPreviousArea, Actions::ViewMenu, TR("Previous a&rea"), "Shift+F6",
        TR("Move the focus to the area before"), "", None},
    Row{Id::ViewFullScreen, Actions::ViewMenu, TR("&Full screen"), "F11", TR("Use the whole screen, or leave it"), "",
        SeparatorBefore | Checkable},

    Row{Id::InsertCodeAbove, Actions::InsertMenu, TR("Code cell &above"), "A", TR("Insert a code cell above"), "code",
        NeedsNotebook | ShownKeyOnly},
    Row{Id::InsertCodeBelow, Actions::InsertMenu, TR("Code cell &below"), "B", TR("Insert a code cell below"), "code",
        NeedsNotebook | ShownKeyOnly},
    Row{Id::InsertMarkdownBelow, Actions::InsertMenu, TR("&Text cell below"), "Ctrl+Shift+M",
        TR("Insert a Markdown cell below"), "markdown", NeedsNotebook},
    Row{Id::InsertMoveUp, Actions::InsertMenu, TR("Move cells &up"), "Ctrl+Shift+Up", TR("Move the selected cells up"),
        "move-up", NeedsNotebook | SeparatorBefore | ShownKeyOnly},
    Row{Id::InsertMoveDown, Actions::InsertMenu, TR("Move cells &down"), "Ctrl+Shift+Down",
        TR("Move the selected cells down"), "move-down", NeedsNotebook | ShownKeyOnly},
    Row{Id::InsertToCode, Actions::InsertMenu, TR("Turn into &code"), "Y", TR("Make code cells of the selected ones"),
        "", NeedsNotebook | SeparatorBefore | ShownKeyOnly},
    Row{Id::InsertToMarkdown, Actions::InsertMenu, TR("Turn into &Markdown"), "M",
        TR("Make Markdown cells of the selected ones"), "", NeedsNotebook | ShownKeyOnly},
    Row{Id::InsertToRaw, Actions::InsertMenu, TR("Turn into &raw text"), "R", TR("Make raw cells of the selected ones"),
        "", NeedsNotebook | ShownKeyOnly},

    Row{Id::RunCell, Actions::RunMenu, TR("&Run"), "Ctrl+Return", TR("Run the selected cells"), "run",
        NeedsNotebook | ShownKeyOnly},
    Row{Id::RunAdvance, Actions::RunMenu, TR("Run and &advance"), "Shift+Return",
        TR("Run the selected cells and go to the next one"), "", NeedsNotebook | ShownKeyOnly},
    Row{Id::RunInsert, Actions::RunMenu, TR("Run and &insert below"), "Alt+Return",
        TR("Run the selected cells and insert a cell below"), "", NeedsNotebook | ShownKeyOnly},
    Row{Id::RunAll, Actions::RunMenu, TR("Run a&ll"), "Ctrl+F9", TR("Run all cells from the top"), "run-all",
        NeedsNotebook | SeparatorBefore},
    Row{Id::RunAbove, Actions::RunMenu, TR("Run all a&bove"), "Ctrl+Shift+F8", TR("Run the cells above this one"), "",
        NeedsNotebook},
    Row{Id::RunBelow, Actions::RunMenu, TR("Run all b&elow"), "Ctrl+F8", TR("Run this cell and those below it"), "",
        NeedsNotebook},
    Row{Id::RunInterrupt, Actions::RunMenu, TR("In&terrupt"), "Ctrl+Shift+C",
        TR("Stop the running cell and clear the queue; variables stay"), "interrupt", NeedsNotebook | SeparatorBefore},
    Row{Id::RunClearOutputs, Actions::RunMenu, TR("&Clear all outputs"), "Ctrl+Shift+L",
        TR("Remove the outputs of all cells from the notebook"), "", NeedsNotebook | SeparatorBefore},

    Row{Id::SandboxPause, Actions::SandboxMenu, TR("&Pause"), "F7", TR("Pause the sandbox, or resume it"), "pause",
        NeedsNotebook},
    Row{Id::SandboxRestart, Actions::SandboxMenu, TR("&Restart…"), "Ctrl+Shift+R",
        TR("Restart the kernel; its variables are lost"), "restart", NeedsNotebook | SeparatorBefore},
    Row{Id::SandboxRestartRunAll, Actions::SandboxMenu, TR("Restart and run &all…"), "Ctrl+Shift+F9",
        TR("Restart the kernel, then run all cells"), "", NeedsNotebook},
    Row{Id::SandboxRestartRunAbove, Actions::SandboxMenu, TR("Restart and run all a&bove…"), "Ctrl+Shift+F7",
        TR("Restart the kernel, then run the cells above the current one"), "", NeedsNotebook},
    Row{Id::SandboxRewind, Actions::SandboxMenu, TR("Re&wind to before this cell…"), "Shift+F7",
        TR("Bring the variables back that there were before the current cell ran"), "rewind",
        NeedsNotebook | SeparatorBefore},
    Row{Id::SandboxUndoRewind, Actions::SandboxMenu, TR("&Undo the rewind"), "Alt+Shift+F7",
        TR("Bring the variables back that there were before the rewind"), "", NeedsNotebook},
    Row{Id::SandboxBranch, Actions::SandboxMenu, TR("Br&anch from here"), "Ctrl+F7",
        TR("Open a copy of the notebook that goes on from before the current cell"), "fork", NeedsNotebook},
    Row{Id::SandboxStart, Actions::SandboxMenu, TR("&Start"), "Ctrl+Shift+G",
        TR("Make the sandbox of this notebook ready before the first run"), "", NeedsNotebook | SeparatorBefore},
    Row{Id::SandboxNew, Actions::SandboxMenu, TR("&New sandbox for this notebook"), "Ctrl+Shift+N",
        TR("Leave the sandbox as it is and go on in a new one"), "sandbox", NeedsNotebook},
    Row{Id::SandboxDetails, Actions::SandboxMenu, TR("&Details"), "Ctrl+I",
        TR("Show what is known of the sandbox of this notebook"), "info", NeedsNotebook | SeparatorBefore},
    Row{Id::SandboxKill, Actions::SandboxMenu, TR("&Kill…"), "Ctrl+Shift+K",
        TR("End the sandbox for good; its files and memory are lost"), "kill", NeedsNotebook},

    Row{Id::SettingsThemeSystem, Actions::SettingsMenu, TR("Theme: follow the &system"), "Ctrl+Alt+1",
        TR("Use the light or dark look of the desktop"), "theme", Checkable},
    Row{Id::SettingsThemeLight, Actions::SettingsMenu, TR("Theme: &light"), "Ctrl+Alt+2", TR("Use the light look"), "",
        Checkable},
    Row{Id::SettingsThemeDark, Actions::SettingsMenu, TR("Theme: &dark"), "Ctrl+Alt+3", TR("Use the dark look"), "",
        Checkable},
    Row{Id::SettingsLimits, Actions::SettingsMenu, TR("&Output limits…"), "",
        TR("How much of long outputs is shown and kept"), "", SeparatorBefore},

    Row{Id::HelpTour, Actions::HelpMenu, TR("&Tour"), "Ctrl+Shift+F1",
        TR("Open a notebook of ten cells that shows what Sandfish does"), "table", None},
    Row{Id::HelpGettingStarted, Actions::HelpMenu, TR("&Getting started"), "F1", TR("The first five minutes"), "info",
        SeparatorBefore},
    Row{Id::HelpRunning, Actions::HelpMenu, TR("&Running cells"), "", TR("How cells run, queue and stop"), "", None},
    Row{Id::HelpPausing, Actions::HelpMenu, TR("&Pausing"), "", TR("What a pause keeps, and what it does not"), "",
        None},
    Row{Id::HelpEngine, Actions::HelpMenu, TR("The &local engine"), "", TR("Where local code runs and what it sees"),
        "", None},
    Row{Id::HelpCommandLine, Actions::HelpMenu, TR("The &command line"), "", TR("Notebooks and code from a terminal"),
        "", None},
    Row{Id::HelpKeyboard, Actions::HelpMenu, TR("&Keyboard"), "Ctrl+F1", TR("All keys of the notebook"), "", None},
    Row{Id::HelpTroubleshooting, Actions::HelpMenu, TR("Tr&oubleshooting"), "", TR("What to do when something fails"),
        "", None},
    Row{Id::HelpStartCard, Actions::HelpMenu, TR("&Start card"), "", TR("Show the card of the first start again"), "",
        SeparatorBefore},
    Row{Id::HelpAbout, Actions::HelpMenu, TR("&About Sandfish"), "", TR("Version and licence"), "", None},
};
static_assert(kRows.size() == std::size_t(Id::Count_));

constexpr auto kTipProperty = "sandfishTip";

QString translated(const char *text)
{
    return QCoreApplication::translate("sandfish::Actions", text);
}

QAction *makeAction(const Row &row, QObject *parent)
{
    const QString text = translated(row.text);
    const QString key = QKeySequence::fromString(QString::fromLatin1(row.key)).toString(QKeySequence::NativeText);
    auto *action = new QAction(text, parent);
    if ((row.flags & ShownKeyOnly) != 0)
        action->setText(text + u'\t' + key);
    else if (*row.key != '\0')
        action->setShortcut(QKeySequence(key, QKeySequence::NativeText));
    const QString tip = translated(row.tip);
    action->setToolTip(key.isEmpty() ? tip : u"%1 (%2)"_s.arg(tip, key));
    action->setProperty(kTipProperty, action->toolTip());
    action->setStatusTip(tip);
    action->setCheckable((row.flags & Checkable) != 0);
    action->setMenuRole(QAction::NoRole);
    return action;
}

} // namespace

Actions::Actions(QObject *parent)
    : QObject(parent)
{
    for (const Row &row : kRows) {
        QAction *action = makeAction(row, this);
        connect(action, &QAction::triggered, this, [this, id = row.id] { emit triggered(id); });
        m_actions[std::size_t(row.id)] = action;
    }
    auto *themes = new QActionGroup(this);
    for (const Id id : {Id::SettingsThemeSystem, Id::SettingsThemeLight, Id::SettingsThemeDark})
        themes->addAction(action(id));
}

void Actions::fillMenuBar(QMenuBar *bar)
{
    const std::array<QString, MenuCount> titles{
        tr("&File"), tr("&Edit"), tr("&View"), tr("&Insert"), tr("&Run"), tr("&Sandbox"), tr("Se&ttings"), tr("&Help")};
    for (std::size_t i = 0; i < titles.size(); ++i) {
        m_menus[i] = bar->addMenu(titles[i]);
        m_menus[i]->setToolTipsVisible(true);
    }
    for (const Row &row : kRows) {
        QMenu *menu = m_menus[std::size_t(row.menu)];
        if ((row.flags & SeparatorBefore) != 0)
            menu->addSeparator();
        menu->addAction(action(row.id));
    }
}

void Actions::applyTheme(const Theme &theme)
{
    for (const Row &row : kRows) {
        if (*row.icon == '\0')
            continue;
        // Green runs: the one sign in the toolbar that has a colour.
        const ColorToken color = row.id == Id::RunCell ? ColorToken::Run : ColorToken::Text;
        action(row.id)->setIcon(
            tintedIcon(QString::fromLatin1(row.icon), theme.color(color), theme.color(ColorToken::Text3)));
    }
}

void Actions::setAvailable(ActionId id, bool isAvailable, const QString &reason)
{
    QAction *changed = action(id);
    changed->setEnabled(isAvailable);
    const QString tip = changed->property(kTipProperty).toString();
    changed->setToolTip(isAvailable ? tip : tr("%1. %2.").arg(tip, reason));
}

void Actions::setNotebookActionsEnabled(bool isEnabled)
{
    for (const Row &row : kRows) {
        if ((row.flags & NeedsNotebook) != 0)
            action(row.id)->setEnabled(isEnabled);
    }
}

} // namespace sandfish
