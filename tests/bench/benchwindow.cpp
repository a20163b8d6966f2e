#include "tests/bench/benchwindow.h"

#include "app/gui/firsttabs.h"
#include "app/gui/options.h"
#include "core/document/notebookdocument.h"
#include "core/session/notebooksession.h"
#include "core/support/settings.h"
#include "tests/bench/waiting.h"
#include "ui/notebook/notebookview.h"
#include "ui/window/notebooktab.h"

using namespace Qt::StringLiterals;

namespace sandfish::bench {

void BenchWindow::setEnvironment(const QString &folder)
{
    for (const char *name : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"})
        qputenv(name, folder.toLocal8Bit());
}

QString BenchWindow::engineStateDir(const QString &folder)
{
    return folder + u"/sandfish/engine"_s;
}

BenchWindow::BenchWindow(Engine engine)
    : m_engine(engine)
{
    setEnvironment(m_folder.path());
    m_application = std::make_unique<QApplication>(m_argc, nullptr);
    m_desktop = std::make_unique<Desktop>(Options());
    AppContext context = m_desktop->context();
    context.startsAhead = engine == Engine::Started;
    m_window = std::make_unique<MainWindow>(context);
    m_desktop->settings()->set(Settings::Key::TourShown, true);
    openFirstTabs(*m_window, *m_desktop->settings(), {});
    m_window->show();
}

BenchWindow::~BenchWindow()
{
    m_window.reset();
    m_desktop.reset();
    // Every window asks for the sandboxes there are, and so starts the engine.
    stopEngine(engineStateDir(m_folder.path()));
}

bool BenchWindow::isReady()
{
    const bool isPainted = waitUntil([this] { return tab() != nullptr && view()->hasPainted(); });
    if (!isPainted || m_engine == Engine::None)
        return isPainted;
    return waitUntil([this] { return session()->state() == NotebookSession::State::Ready; });
}

NotebookTab *BenchWindow::tab() const
{
    return m_window->currentTab();
}

NotebookSession *BenchWindow::session() const
{
    return tab()->session();
}

NotebookDocument *BenchWindow::document() const
{
    return tab()->document();
}

NotebookView *BenchWindow::view() const
{
    return tab()->view();
}

const Cell &BenchWindow::firstCell() const
{
    return document()->cellAt(0);
}

} // namespace sandfish::bench
