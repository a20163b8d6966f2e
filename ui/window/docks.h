#pragma once

#include <QObject>

#include <array>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace sandfish {

class Actions;
class DockOverlay;
class OutlinePanel;
class SandboxModel;
class SandboxPanel;
class Settings;
class ThemeSource;
class VariableWatch;
class VariablesPanel;

/// The docks at both sides and when they are open: by the width of the window at first, by the user ever after
/// (DESIGN.md §4.1). Thread: GUI.
class Docks : public QObject
{
    Q_OBJECT
public:
    Docks(const ThemeSource *source, Settings *settings, Actions *actions, SandboxModel *model, QMainWindow *window);

    SandboxPanel *sandboxes() const { return m_sandboxes; }
    OutlinePanel *outline() const { return m_outline; }
    VariablesPanel *variables() const { return m_variables; }
    /// What the variables dock reads; the window tells it which notebook is in front.
    VariableWatch *variableWatch() const { return m_watch; }
    /// Opens docks for the width at first, folds them while the window is too narrow for them.
    void layOut(int windowWidthPx);
    /// Unfolds them, so that the state of the window is saved as the user left it.
    void unfold();
    DockOverlay *overlay() const { return m_overlay; }

private:
    QDockWidget *addDock(const QString &name, const QString &title, QWidget *panel, Qt::DockWidgetArea area);
    std::array<QDockWidget *, 3> docks() const { return {m_sandboxDock, m_outlineDock, m_variablesDock}; }
    void bind(QDockWidget *dock, int actionId);
    void toggle(QDockWidget *dock, bool isOn);
    void layOutFirst(int windowWidthPx);
    void fold();
    void syncActions();

    const ThemeSource *m_source;
    Settings *m_settings;
    Actions *m_actions;
    QMainWindow *m_window;
    SandboxPanel *m_sandboxes;
    OutlinePanel *m_outline;
    VariableWatch *m_watch;
    VariablesPanel *m_variables;
    QDockWidget *m_sandboxDock;
    QDockWidget *m_outlineDock;
    QDockWidget *m_variablesDock;
    DockOverlay *m_overlay;
    bool m_isLaidOut = false;
    bool m_isNarrow = false;
    std::vector<QDockWidget *> m_folded; ///< to be opened again in a wider window
};

} // namespace sandfish
