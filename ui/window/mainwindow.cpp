#include "ui/window/mainwindow.h"

#include "core/base/error.h"
#include "core/document/notebookdocument.h"
#include "core/providers/provider.h"
#include "core/support/settings.h"
#include "ui/panels/contextchip.h"
#include "ui/panels/outlinepanel.h"
#include "ui/panels/pausebutton.h"
#include "ui/panels/sandboxmodel.h"
#include "ui/panels/sandboxpanel.h"
#include "ui/panels/startcard.h"
#include "ui/panels/statusstrip.h"
#include "ui/panels/variablespanel.h"
#include "ui/text/icons.h"
#include "ui/text/themesource.h"
#include "ui/window/actions.h"
#include "ui/window/docks.h"
#include "ui/window/documentarea.h"
#include "ui/window/filecontroller.h"
#include "ui/window/helppage.h"
#include "ui/window/notebooktab.h"
#include "ui/window/outputacts.h"
#include "ui/window/quitflow.h"
#include "ui/window/rewindacts.h"
#include "ui/window/sandboxcontroller.h"
#include "ui/window/searchbutton.h"
#include "ui/window/sessionbanners.h"
#include "ui/window/statuspresenter.h"
#include "ui/window/variableacts.h"
#include "ui/window/windowtoolbar.h"

#include <QAction>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QStatusBar>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr QSize kFirstSize{1440, 900};
constexpr QSize kSmallestSize{640, 360};
// The frame is not known before the window is shown: title bars of the common desktops are lower than this.
constexpr QSize kFrameRoom{16, 48};

QStringList notebookPaths(const QMimeData *data)
{
    QStringList paths;
    const QList<QUrl> urls = data->urls();
    for (const QUrl &url : urls) {
        if (url.isLocalFile() && url.toLocalFile().endsWith(".ipynb"_L1, Qt::CaseInsensitive))
            paths.append(url.toLocalFile());
    }
    return paths;
}

} // namespace

MainWindow::MainWindow(AppContext context)
    : m_context(std::move(context))
    , m_actions(new Actions(this))
    , m_area(new DocumentArea(m_context.themes, this))
    , m_sandboxModel(new SandboxModel(this))
    , m_strip(new StatusStrip(m_context.themes, this))
    , m_files(new FileController(m_context, m_area, this))
    , m_sandboxes(new SandboxController(
          m_context, m_sandboxModel,
          [this](const SandboxId &id) -> NotebookTab * {
              for (NotebookTab *tab : m_files->tabs()) {
                  if (tab->session()->sandbox().id == id)
                      return tab;
              }
              return nullptr;
          },
          this))
    , m_outputs(new OutputActs(m_context, m_area, this))
    , m_status(new StatusPresenter(m_strip, this))
    , m_quit(new QuitFlow(m_context, m_files, m_sandboxModel, this))
{
    setAcceptDrops(true);
    setMinimumSize(kSmallestSize);
    m_sandboxModel->setProviders(m_context.providers);
    buildChrome();
    connectParts();
    connectPanels();
    restoreGeometryAndState();
    applyTheme();
    showFront();
}

MainWindow::~MainWindow()
{
    // The pages end before the parts they report to.
    disconnect(m_area, nullptr, this, nullptr);
    for (NotebookTab *tab : m_files->tabs())
        tab->disconnect(this);
}

void MainWindow::buildChrome()
{
    // Menu and toolbar stand above the docks, and neither is for moving.
    auto *top = new QWidget(this);
    auto *column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_menuBar = new QMenuBar(top);
    m_toolBar = new WindowToolBar(m_context.themes, m_actions, top);
    column->addWidget(m_menuBar);
    column->addWidget(m_toolBar);
    setMenuWidget(top);
    m_actions->fillMenuBar(m_menuBar);
    QMenu *recent = new QMenu(tr("Open &recent"), this);
    m_actions->menu(Actions::FileMenu)->insertMenu(m_actions->action(ActionId::FileSave), recent);
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { m_files->recentFiles()->fillMenu(recent); });
    m_docks = new Docks(m_context.themes, m_context.settings, m_actions, m_sandboxModel, this);
    m_variables = new VariableActs(m_context.themes, m_area, m_docks, this);
    setCentralWidget(m_area);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_strip, 1);
    // Actions of an empty menu bar must work while it is hidden, such as in full screen.
    for (int i = 0; i < int(ActionId::Count_); ++i)
        addAction(m_actions->action(ActionId(i)));
}

void MainWindow::connectParts()
{
    connect(m_actions, &Actions::triggered, this, &MainWindow::perform);
    connect(m_files, &FileController::tabAdded, this, &MainWindow::connectTab);
    connect(m_sandboxes, &SandboxController::failed, this, &MainWindow::showError);
    connect(m_area, &DocumentArea::currentChanged, this, &MainWindow::showFront);
    connect(m_area, &DocumentArea::newRequested, m_files, &FileController::newNotebook);
    connect(m_area, &DocumentArea::closeRequested, this, [this](QWidget *page) {
        if (auto *tab = qobject_cast<NotebookTab *>(page))
            m_files->close(tab);
        else
            m_area->removePage(page);
    });
    connect(m_toolBar->pauseButton(), &PauseButton::pauseRequested, this, [this] { perform(ActionId::SandboxPause); });
    connect(m_toolBar->pauseButton(), &PauseButton::resumeRequested, this, [this] { perform(ActionId::SandboxPause); });
    connect(m_toolBar->contextChip(), &ContextChip::clicked, this, &MainWindow::showChipMenu);
    connect(m_toolBar->searchButton(), &SearchButton::clicked, this, [this] { perform(ActionId::EditFind); });
    connect(m_strip, &StatusStrip::clicked, this, [this](StatusStrip::Segment segment) { clickStatus(int(segment)); });
    connect(m_context.themes, &ThemeSource::changed, this, &MainWindow::applyTheme);
    m_seconds.setInterval(std::chrono::seconds(1));
    connect(&m_seconds, &QTimer::timeout, this, &MainWindow::refresh);
}

void MainWindow::connectPanels()
{
    SandboxPanel *panel = m_docks->sandboxes();
    connect(panel, &SandboxPanel::pauseRequested, m_sandboxes, &SandboxController::pauseSandbox);
    connect(panel, &SandboxPanel::resumeRequested, m_sandboxes, &SandboxController::resumeSandbox);
    connect(panel, &SandboxPanel::killRequested, m_sandboxes, &SandboxController::killSandbox);
    connect(panel, &SandboxPanel::attachRequested, this, [this](Provider *provider, const SandboxInfo &info) {
        if (NotebookTab *tab = currentTab())
            m_sandboxes->attach(tab, provider, info);
    });
    connect(m_docks->outline(), &OutlinePanel::cellActivated, this, [this](const CellId &id) {
        if (NotebookTab *tab = currentTab()) {
            tab->view()->setCurrentCell(id);
            tab->view()->setFocus();
        }
    });
}

void MainWindow::connectTab(NotebookTab *tab)
{
    connect(tab, &NotebookTab::changed, this, [this, tab] {
        m_area->setTitle(tab, tab->title(), tab->tip());
        m_area->setMark(tab, tab->mark());
        if (tab == currentTab())
            refresh();
    });
    connect(tab->view(), &NotebookView::restartRequested, this, [this, tab] { m_sandboxes->restart(tab, false); });
    connect(tab->view(), &NotebookView::currentCellChanged, this, [this, tab](const CellId &id) {
        if (tab != currentTab())
            return;
        m_docks->outline()->setCurrentCell(id);
        m_variables->followCell(tab);
    });
    connect(tab->view(), &NotebookView::outputRequested, this,
        [this, tab](const OutputRequest &request) { m_outputs->perform(tab, request); });
    connect(tab->view(), &NotebookView::painted, this, &MainWindow::firstPainted, Qt::SingleShotConnection);
    connect(tab->rewindActs(), &RewindActs::branchMade, m_files,
        [this, tab](const BranchPoint &point) { m_files->openBranch(tab, point); });
    connect(
        tab->sessionBanners(), &SessionBanners::detailsRequested, this, [this, tab] { m_sandboxes->showDetails(tab); });
}

NotebookTab *MainWindow::currentTab() const
{
    return qobject_cast<NotebookTab *>(m_area->currentPage());
}

void MainWindow::showFront()
{
    NotebookTab *tab = currentTab();
    m_actions->setNotebookActionsEnabled(tab != nullptr);
    m_docks->outline()->setDocument(tab ? tab->document() : nullptr);
    m_variables->showFront(tab);
    if (tab) {
        m_docks->outline()->setCurrentCell(tab->view()->currentCell());
        tab->view()->setFocus();
    }
    refresh();
}

void MainWindow::refresh()
{
    const NotebookTab *tab = currentTab();
    const SessionStatus status = tab ? tab->status() : SessionStatus();
    m_toolBar->setStatus(status);
    m_status->show(tab, status);
    const bool isPaused = status.state == NotebookSession::State::Paused;
    QAction *pause = m_actions->action(ActionId::SandboxPause);
    pause->setText(isPaused ? tr("&Resume") : tr("&Pause"));
    pause->setEnabled(m_toolBar->pauseButton()->isEnabled());
    m_docks->sandboxes()->setCurrentSandbox(tab ? tab->session()->sandbox().id : SandboxId());
    if (tab)
        refreshRunActions(*tab, status);
    const QString title = tab ? tab->title() : QString();
    setWindowTitle(title.isEmpty() ? u"Sandfish"_s : u"%1[*] \u2013 Sandfish"_s.arg(title));
    setWindowModified(!title.isEmpty() && tab->hasUnsavedWork());
    // A hidden window runs no timers.
    if (tab && status.counts() && isVisible() && !isMinimized()) {
        if (!m_seconds.isActive())
            m_seconds.start();
    } else {
        m_seconds.stop();
    }
}

void MainWindow::refreshRunActions(const NotebookTab &tab, const SessionStatus &status)
{
    using State = NotebookSession::State;
    const bool isUnderWay = status.state == State::Busy || status.state == State::Starting || status.queuedRuns > 0;
    m_actions->setAvailable(ActionId::RunInterrupt, isUnderWay, tr("Nothing is running"));
    const bool isPaused =
        status.state == State::Paused || status.state == State::Pausing || status.state == State::Resuming;
    const bool hasKernel = status.state == State::Ready || status.state == State::Busy;
    m_actions->setAvailable(
        ActionId::SandboxRestart, hasKernel, isPaused ? tr("Resume the sandbox first") : tr("No kernel is running"));
    QString whyNot = tab.rewindActs()->whyNot(tab.view()->currentCell());
    if (whyNot.endsWith(u'.'))
        whyNot.chop(1); // the tooltip goes on
    m_actions->setAvailable(ActionId::SandboxRewind, whyNot.isEmpty(), whyNot);
    m_actions->setAvailable(ActionId::SandboxBranch, whyNot.isEmpty(), whyNot);
    m_actions->setAvailable(
        ActionId::SandboxUndoRewind, tab.rewindActs()->canUndo(), tr("There is no rewind to take back"));
}

void MainWindow::restoreGeometryAndState()
{
    const QByteArray geometry = m_context.settings->get<QByteArray>(Settings::Key::WindowGeometry);
    if (geometry.isEmpty() || !restoreGeometry(geometry))
        resize(kFirstSize.boundedTo(screen()->availableSize() - kFrameRoom));
    restoreState(m_context.settings->get<QByteArray>(Settings::Key::WindowState));
}

void MainWindow::applyTheme()
{
    m_actions->applyTheme(m_context.themes->theme());
    m_menuBar->setFixedHeight(qRound(m_context.themes->theme().scaled(27)));
    statusBar()->setFixedHeight(qRound(m_context.themes->theme().scaled(27)));
    const QString mode = m_context.settings->get<QString>(Settings::Key::Theme);
    m_actions->action(ActionId::SettingsThemeSystem)->setChecked(mode == "system"_L1);
    m_actions->action(ActionId::SettingsThemeLight)->setChecked(mode == "light"_L1);
    m_actions->action(ActionId::SettingsThemeDark)->setChecked(mode == "dark"_L1);
}

void MainWindow::showError(const Error &error)
{
    NotebookTab *tab = currentTab();
    if (!tab)
        tab = m_files->newNotebook();
    tab->sessionBanners()->showError(error, u"act"_s);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    // Answered here if there is nothing to ask: close() within this event would do nothing.
    if (m_mayClose || !m_quit->hasWork()) {
        m_context.settings->set(Settings::Key::WindowGeometry, saveGeometry());
        m_docks->unfold();
        m_context.settings->set(Settings::Key::WindowState, saveState());
        m_context.settings->set(Settings::Key::OpenFiles, m_files->openPaths());
        event->accept();
        return;
    }
    event->ignore();
    m_quit->start([this] {
        m_mayClose = true;
        close();
    });
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    m_toolBar->setWindowWidth(width());
    m_docks->layOut(width());
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange) {
        m_sandboxModel->setActive(!isMinimized() && m_docks->sandboxes()->isVisible());
        m_docks->variables()->setWindowActive(!isMinimized());
        refresh();
    }
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!notebookPaths(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QStringList paths = notebookPaths(event->mimeData());
    for (const QString &path : paths)
        m_files->open(path);
    event->acceptProposedAction();
}

} // namespace sandfish
