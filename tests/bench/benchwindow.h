#pragma once

#include "app/gui/desktop.h"
#include "ui/window/mainwindow.h"

#include <QApplication>
#include <QTemporaryDir>

#include <memory>

namespace sandfish {
struct Cell;
class NotebookDocument;
class NotebookSession;
class NotebookTab;
class NotebookView;
} // namespace sandfish

namespace sandfish::bench {

/// The real window off-screen, as the program makes it, with settings and an engine of its own.
class BenchWindow
{
public:
    enum class Engine
    {
        Started,
        None
    };

    explicit BenchWindow(Engine engine);
    ~BenchWindow();

    /// Shown and painted, and its sandbox ready if it has an engine.
    bool isReady();
    MainWindow &window() { return *m_window; }
    NotebookTab *tab() const;
    NotebookSession *session() const;
    NotebookDocument *document() const;
    NotebookView *view() const;
    const Cell &firstCell() const;
    QString filePath(const QString &name) const { return m_folder.filePath(name); }

    /// Sets the folders of a process that is about to become a window.
    static void setEnvironment(const QString &folder);
    static QString engineStateDir(const QString &folder);

private:
    QTemporaryDir m_folder;
    Engine m_engine;
    int m_argc = 0;
    std::unique_ptr<QApplication> m_application;
    std::unique_ptr<Desktop> m_desktop;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace sandfish::bench
