#pragma once

#include <QObject>

#include <functional>

namespace sandfish {

class FileController;
class SandboxModel;
struct AppContext;

/// What is asked before the window closes: unsaved work first, then the sandboxes that run. Thread: GUI.
class QuitFlow : public QObject
{
    Q_OBJECT
public:
    QuitFlow(const AppContext &context, FileController *files, SandboxModel *model, QWidget *window);

    /// There is something to ask or to end before closing, or that is under way.
    bool hasWork() const;
    /// \a done runs at most once, when nothing speaks against closing; not at all if the user goes back.
    void start(std::function<void()> done);

private:
    enum class State
    {
        Idle,
        UnsavedWork,
        Sandboxes,
        Ending
    };

    State nextQuestion() const; ///< Idle: none is left
    void advance();
    void askAboutWork();
    void saveNext();
    void askAboutSandboxes();
    int runningSandboxes() const;
    void actOnSandboxes(bool kills);
    void finish();

    const AppContext &m_context;
    FileController *m_files;
    SandboxModel *m_model;
    QWidget *m_window;
    State m_state = State::Idle;
    std::function<void()> m_done;
};

} // namespace sandfish
