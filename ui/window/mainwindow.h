#pragma once

#include "ui/window/appcontext.h"

#include <QMainWindow>
#include <QTimer>

#include <memory>

namespace sandfish {

class Actions;
class Docks;
class DocumentArea;
class FileController;
class NotebookTab;
class NotebookView;
class OutputActs;
class QuitFlow;
class SandboxController;
class SandboxModel;
class StatusPresenter;
class StatusStrip;
class VariableActs;
class WindowToolBar;
enum class ActionId;
struct Error;
struct SessionStatus;

/// The window: menus, toolbar, docks, documents, status bar. It connects the parts; what they do is theirs.
/// Thread: GUI.
class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    explicit MainWindow(AppContext context);
    ~MainWindow() override;

    FileController *files() const { return m_files; }
    Actions *actionTable() const { return m_actions; }
    WindowToolBar *toolBar() const { return m_toolBar; }
    StatusStrip *statusStrip() const { return m_strip; }
    DocumentArea *documents() const { return m_area; }
    Docks *docks() const { return m_docks; }
    NotebookTab *currentTab() const; ///< null: help or nothing is in front
    void showHelp(const QString &page);
    /// In the notebook in front if it is empty, else in a new one.
    void showStartCard();

signals:
    void firstPainted();

protected:
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void buildChrome();
    void connectParts();
    void connectPanels();
    void connectTab(NotebookTab *tab);
    void restoreGeometryAndState();
    void showFront();
    void refresh();
    void refreshRunActions(const NotebookTab &tab, const SessionStatus &status);
    void perform(ActionId id);
    bool performOnWindow(ActionId id);
    bool performOnFiles(ActionId id);
    bool performOnLook(ActionId id);
    bool performHelp(ActionId id);
    void performOnTab(ActionId id, NotebookTab *tab);
    void performOnSandbox(ActionId id, NotebookTab *tab);
    void performOnCells(ActionId id, NotebookTab *tab);
    void arrangeCells(ActionId id, NotebookView *view);
    void stepTab(int step);
    void stepArea(int step);
    void showChipMenu();
    void showAbout();
    void showRecentMenu();
    void showError(const Error &error);
    void clickStatus(int segment);
    void applyTheme();

    AppContext m_context;
    Actions *m_actions;
    DocumentArea *m_area;
    SandboxModel *m_sandboxModel;
    StatusStrip *m_strip;
    QMenuBar *m_menuBar = nullptr;
    WindowToolBar *m_toolBar = nullptr;
    Docks *m_docks = nullptr;
    FileController *m_files;
    SandboxController *m_sandboxes;
    OutputActs *m_outputs;
    VariableActs *m_variables = nullptr;
    StatusPresenter *m_status;
    QuitFlow *m_quit;
    QTimer m_seconds; ///< while something is under way in the tab in front
    bool m_mayClose = false;
};

} // namespace sandfish
