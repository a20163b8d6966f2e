#pragma once

#include <QKeySequence>
#include <QObject>

#include <array>

class QAction;
class QMenu;
class QMenuBar;

namespace sandfish {

class Theme;

/// Everything the window can do by menu, toolbar or key.
enum class ActionId
{
    FileNew,
    FileOpen,
    FileSave,
    FileSaveAs,
    FileCloseTab,
    FileReopenTab,
    FileQuit,
    EditUndo,
    EditRedo,
    EditCutCells,
    EditCopyCells,
    EditPasteCells,
    EditDeleteCells,
    EditFind,
    EditFindNext,
    EditFindPrevious,
    ViewOutputs,
    ViewSandboxes,
    ViewOutline,
    ViewVariables,
    ViewNextTab,
    ViewPreviousTab,
    ViewNextArea,
    ViewPreviousArea,
    ViewFullScreen,
    InsertCodeAbove,
    InsertCodeBelow,
    InsertMarkdownBelow,
    InsertMoveUp,
    InsertMoveDown,
    InsertToCode,
    InsertToMarkdown,
    InsertToRaw,
    RunCell,
    RunAdvance,
    RunInsert,
    RunAll,
    RunAbove,
    RunBelow,
    RunInterrupt,
    RunClearOutputs,
    SandboxPause,
    SandboxRestart,
    SandboxRestartRunAll,
    SandboxRestartRunAbove,
    SandboxRewind,
    SandboxUndoRewind,
    SandboxBranch,
    SandboxStart,
    SandboxNew,
    SandboxDetails,
    SandboxKill,
    SettingsThemeSystem,
    SettingsThemeLight,
    SettingsThemeDark,
    SettingsLimits,
    HelpTour,
    HelpGettingStarted,
    HelpRunning,
    HelpPausing,
    HelpEngine,
    HelpCommandLine,
    HelpKeyboard,
    HelpTroubleshooting,
    HelpStartCard,
    HelpAbout,
    Count_
};

/// The one table of actions: text, key, tip, icon, menu. Keys that the notebook view handles itself are shown in the
/// menu but not registered, so that a letter stays a letter while the user types. Thread: GUI.
class Actions : public QObject
{
    Q_OBJECT
public:
    explicit Actions(QObject *parent);

    QAction *action(ActionId id) const { return m_actions[std::size_t(id)]; }
    /// Adds the menus in their order. The caller adds what is not a plain action, such as recent files.
    void fillMenuBar(QMenuBar *bar);
    QMenu *menu(int index) const { return m_menus[std::size_t(index)]; }
    void applyTheme(const Theme &theme);
    /// Those that need a notebook in front.
    void setNotebookActionsEnabled(bool isEnabled);
    /// Enables an action, or disables it and puts the reason into its tooltip.
    void setAvailable(ActionId id, bool isAvailable, const QString &reason);

    enum MenuIndex
    {
        FileMenu,
        EditMenu,
        ViewMenu,
        InsertMenu,
        RunMenu,
        SandboxMenu,
        SettingsMenu,
        HelpMenu,
        MenuCount
    };

signals:
    void triggered(sandfish::ActionId id);

private:
    std::array<QAction *, std::size_t(ActionId::Count_)> m_actions{};
    std::array<QMenu *, MenuCount> m_menus{};
};

} // namespace sandfish
