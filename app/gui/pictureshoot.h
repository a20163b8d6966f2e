#pragma once

#include "app/gui/options.h"

#include <QObject>
#include <QTimer>

namespace sandfish {

class MainWindow;
class NotebookTab;
struct Error;

/// `--screenshot`: drives the real window off-screen, step by step, and leaves with an exit code. Prints one line for
/// each thing done. Code that fails is no failure of the run; a notebook that cannot be opened, an engine that does not
/// start or a step that does not end is. Thread: GUI.
class PictureShoot : public QObject
{
    Q_OBJECT
public:
    PictureShoot(Options options, MainWindow *window);

    void start();

private:
    enum class State
    {
        Opening,
        Running,
        Pausing,
        Settling,
        Saving,
        Leaving
    };

    void enter(State state);
    void takeTab(NotebookTab *tab);
    void followSession();
    void run();
    void reportCells() const;
    void showCell();
    void grab();
    void save();
    void leave();
    void fail(const QString &message);

    Options m_options;
    MainWindow *m_window;
    NotebookTab *m_tab = nullptr;
    State m_state = State::Opening;
    QTimer m_limit;
    int m_exitCode = 0;
};

} // namespace sandfish
