#pragma once

#include <QObject>

class QDockWidget;
class QMainWindow;

namespace sandfish {

class Actions;
class OutlinePanel;
class SandboxModel;
class SandboxPanel;
class Settings;
class ThemeSource;

/// The docks at the left and when they are open: by the width of the window at first, by the user ever after
/// (DESIGN.md §4.1). Thread: GUI.
class Docks : public QObject
{
    Q_OBJECT
public:
    Docks(const ThemeSource *source, Settings *settings, Actions *actions, SandboxModel *model, QMainWindow *window);

    SandboxPanel *sandboxes() const { return m_sandboxes; }
    OutlinePanel *outline() const { return m_outline; }
    /// The first layout; later calls do nothing.
    void layOut(int windowWidthPx);

private:
    QDockWidget *addDock(const QString &name, const QString &title, QWidget *panel);
    void bind(QDockWidget *dock, int actionId);

    const ThemeSource *m_source;
    Settings *m_settings;
    Actions *m_actions;
    QMainWindow *m_window;
    SandboxPanel *m_sandboxes;
    OutlinePanel *m_outline;
    QDockWidget *m_sandboxDock;
    QDockWidget *m_outlineDock;
    bool m_isLaidOut = false;
};

} // namespace sandfish
