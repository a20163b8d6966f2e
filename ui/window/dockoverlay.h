#pragma once

#include <QDockWidget>
#include <QPointer>
#include <QWidget>

class QMainWindow;
class QVBoxLayout;

namespace sandfish {

class ThemeSource;

/// Shows the panel of a dock over the page of a window that is too narrow for docks, one at a time (DESIGN.md §4.1).
/// Closes by Esc and when the focus goes elsewhere. Thread: GUI.
class DockOverlay : public QWidget
{
    Q_OBJECT
public:
    DockOverlay(const ThemeSource *source, QMainWindow *window);
    ~DockOverlay() override;

    /// Takes head and panel of \a dock until it closes; another one goes back first.
    void open(QDockWidget *dock);
    void close();
    QDockWidget *dock() const { return m_dock; } ///< null: closed
    void place();

signals:
    void changed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void followFocus(const QWidget *focus);

    const ThemeSource *m_source;
    QMainWindow *m_window;
    QVBoxLayout *m_column;
    QPointer<QDockWidget> m_dock;
    QPointer<QWidget> m_head;
    QPointer<QWidget> m_panel;
};

} // namespace sandfish
