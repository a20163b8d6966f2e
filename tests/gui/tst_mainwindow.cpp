#include "core/document/notebookdocument.h"
#include "core/providers/local/localprovider.h"
#include "core/session/executionqueue.h"
#include "core/support/settings.h"
#include "tests/support/processes.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/panels/bannerstack.h"
#include "ui/panels/pausebutton.h"
#include "ui/panels/statusstrip.h"
#include "ui/text/themesource.h"
#include "ui/window/documentarea.h"
#include "ui/window/filecontroller.h"
#include "ui/window/mainwindow.h"
#include "ui/window/notebooktab.h"
#include "ui/window/sandfishstyle.h"
#include "ui/window/windowtoolbar.h"

#include <QApplication>
#include <QDir>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kRunLimitMs = 30'000;

QString engineProgram()
{
    return QStringLiteral(SANDFISH_BINARY_DIR "/sandfishd");
}

} // namespace

/// The real main window, off-screen, driven by keyboard, with the real engine in a folder of its own.
class MainWindowTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void keys_typedAndRun_showTheValue();
    void pause_keepsVariablesAndStopsProcesses();
    void run_whilePaused_offersToResume();
    void save_byKey_writesTheFile();
    void open_ofBrokenFile_saysWhatToDo_data();
    void open_ofBrokenFile_saysWhatToDo();
    void open_ofEmptyFile_isNewWithAWarning();
    void close_ofUnsavedWork_asks();
    void quit_ofSavedPausedNotebook_closes();
    void theme_changedLive_repaintsTheWindow();
    void tabs_byKey_areSteppedThrough();
    void externalChange_ofFile_isSaid();
    void recovery_afterCrash_bringsWorkBack();
    void reopen_ofPausedNotebook_hasItsVariables();
    void close_ofUnusedNotebook_endsItsSandbox();

private:
    NotebookTab *tab() const { return m_window->currentTab(); }
    NotebookSession *session() const { return tab()->session(); }
    const Cell &cell(qsizetype index) const { return tab()->document()->cellAt(index); }
    QString valueOf(qsizetype index) const;
    void typeAndRun(const QString &code);
    bool hasEngine() const { return QFileInfo(engineProgram()).isExecutable(); }
    void startWindow(bool startsAhead = false);
    void endEngine();
    QString writeFile(const QString &name, const QByteArray &bytes) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<ThemeSource> m_themes;
    std::unique_ptr<OutputRendererRegistry> m_renderers;
    std::unique_ptr<LocalProvider> m_provider;
    std::unique_ptr<MainWindow> m_window;
};

void MainWindowTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_settings = std::make_unique<Settings>(m_folder->filePath(u"sandfish.ini"_s));
    m_themes = std::make_unique<ThemeSource>(Theme::forApplication(Theme::Mode::Light));
    m_renderers = OutputRendererRegistry::withDefaults();
    QApplication::setStyle(new SandfishStyle(m_themes.get()));
    QApplication::setQuitOnLastWindowClosed(false);
    EngineLauncher::Options options;
    options.stateDir = m_folder->filePath(u"engine"_s);
    options.program = engineProgram();
    m_provider = std::make_unique<LocalProvider>(options);
    startWindow();
}

void MainWindowTest::startWindow(bool startsAhead)
{
    AppContext context;
    context.providers = {m_provider.get()};
    context.renderers = m_renderers.get();
    context.themes = m_themes.get();
    context.settings = m_settings.get();
    context.stateFolder = m_folder->filePath(u"window"_s);
    context.startsAhead = startsAhead;
    m_window = std::make_unique<MainWindow>(context);
    m_window->files()->newNotebook();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void MainWindowTest::cleanup()
{
    if (m_window && tab() && !session()->sandbox().id.isEmpty()) {
        session()->kill();
        QTRY_VERIFY_WITH_TIMEOUT(session()->state() == NotebookSession::State::Gone
                || session()->state() == NotebookSession::State::NoSandbox,
            10'000);
    }
    m_window.reset();
    endEngine();
    m_provider.reset();
    m_renderers.reset();
    QApplication::setStyle(u"Fusion"_s);
    m_themes.reset();
    m_settings.reset();
    m_folder.reset();
}

/// The list of sandboxes alone starts an engine. One that is still starting would outlive the test, so it is waited
/// for, and so is its end.
void MainWindowTest::endEngine()
{
    const QString folder = m_folder->filePath(u"engine"_s);
    if (!QFileInfo::exists(folder))
        return;
    bool isAnswered = false;
    m_provider->list(this, [&isAnswered](const auto &) { isAnswered = true; });
    QTRY_VERIFY_WITH_TIMEOUT(isAnswered, kRunLimitMs);
    const auto file = readEngineFile(folder);
    if (!file || !*file || (*file)->pid <= 0)
        return;
    const qint64 pid = (*file)->pid;
    ::kill(pid_t(pid), SIGTERM);
    QTRY_VERIFY_WITH_TIMEOUT(areGone({pid}), kRunLimitMs);
}

QString MainWindowTest::valueOf(qsizetype index) const
{
    for (const Output &output : cell(index).outputs) {
        if (output.kind == Output::Kind::Result)
            return QString::fromUtf8(output.data.text("text/plain"));
    }
    return {};
}

void MainWindowTest::typeAndRun(const QString &code)
{
    QWidget *focus = QApplication::focusWidget();
    QVERIFY(focus);
    if (tab()->view()->mode() == NotebookView::Mode::Command)
        QTest::keyClick(focus, Qt::Key_Return);
    QTest::keyClicks(QApplication::focusWidget(), code);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return, Qt::ShiftModifier);
}

QString MainWindowTest::writeFile(const QString &name, const QByteArray &bytes) const
{
    const QString path = m_folder->filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write(bytes);
    return path;
}

void MainWindowTest::keys_typedAndRun_showTheValue()
{
    if (!hasEngine())
        QSKIP("sandfishd is not built");
    typeAndRun(u"6*7"_s);
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(0), u"42"_s, kRunLimitMs);
    QCOMPARE(cell(0).executionCount, 1);
    QTRY_COMPARE(m_window->toolBar()->pauseButton()->state(), PauseButton::State::Running);
    QTRY_COMPARE(m_window->statusStrip()->text(StatusStrip::Segment::Kernel), u"Ready"_s);
}

void MainWindowTest::pause_keepsVariablesAndStopsProcesses()
{
    if (!hasEngine())
        QSKIP("sandfishd is not built");
    typeAndRun(
        u"import threading; x = 1; threading.Thread(target=lambda: all(iter(lambda: 1, 0)), daemon=True).start()"_s);
    QTRY_COMPARE_WITH_TIMEOUT(cell(0).run.state, CellRun::State::Finished, kRunLimitMs);
    QTest::keyClick(m_window.get(), Qt::Key_F7);
    QTRY_COMPARE_WITH_TIMEOUT(session()->state(), NotebookSession::State::Paused, kRunLimitMs);
    QCOMPARE(m_window->toolBar()->pauseButton()->text(), u"Resume"_s);
    QVERIFY(tab()->banners()->shown().title.endsWith(u"is paused"_s));
    const auto engine = readEngineFile(m_folder->filePath(u"engine"_s));
    QVERIFY(engine && *engine);
    const QList<qint64> paused = processesBelow((*engine)->pid);
    QVERIFY(!paused.isEmpty());
    const qint64 before = cpuTicks(paused);
    QSignalSpy never(tab()->document(), &NotebookDocument::languageChanged);
    never.wait(500);
    // A tick is 10 ms: a thread that spins would have used some fifty.
    QVERIFY(cpuTicks(paused) - before <= 2);

    QTest::keyClick(m_window.get(), Qt::Key_F7);
    QTRY_COMPARE_WITH_TIMEOUT(session()->state(), NotebookSession::State::Ready, kRunLimitMs);
    typeAndRun(u"x + 41"_s);
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(1), u"42"_s, kRunLimitMs);
}

void MainWindowTest::run_whilePaused_offersToResume()
{
    if (!hasEngine())
        QSKIP("sandfishd is not built");
    typeAndRun(u"x = 20"_s);
    QTRY_COMPARE_WITH_TIMEOUT(cell(0).run.state, CellRun::State::Finished, kRunLimitMs);
    QTest::keyClick(m_window.get(), Qt::Key_F7);
    QTRY_COMPARE_WITH_TIMEOUT(session()->state(), NotebookSession::State::Paused, kRunLimitMs);
    typeAndRun(u"x + 1"_s);
    QTRY_COMPARE(tab()->banners()->shown().id, u"resume"_s);
    QCOMPARE(tab()->banners()->shown().actions.front().text, u"Resume and run"_s);
    tab()->banners()->shown().actions.front().trigger();
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(1), u"21"_s, kRunLimitMs);
}

void MainWindowTest::save_byKey_writesTheFile()
{
    const QString path = m_folder->filePath(u"note.ipynb"_s);
    QTest::keyClicks(QApplication::focusWidget(), u"print('hello')"_s);
    QVERIFY(tab()->hasUnsavedWork());
    bool isSaved = false;
    m_window->files()->saveTo(tab(), path, [&](bool ok) { isSaved = ok; });
    QTRY_VERIFY(isSaved);
    QVERIFY(!tab()->hasUnsavedWork());
    QCOMPARE(tab()->title(), u"note.ipynb"_s);
    QTest::keyClicks(QApplication::focusWidget(), u" # more"_s);
    QTest::keyClick(m_window.get(), Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(!tab()->hasUnsavedWork());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("print('hello') # more"));
}

void MainWindowTest::open_ofBrokenFile_saysWhatToDo_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("no JSON") << QByteArray("<html>not a notebook</html>");
    QTest::newRow("cut") << QByteArray("{\"cells\": [{\"cell_type\": \"code\", \"sou");
    QTest::newRow("other JSON") << QByteArray("[1, 2, 3]");
}

void MainWindowTest::open_ofBrokenFile_saysWhatToDo()
{
    QFETCH(QByteArray, bytes);
    m_window->files()->open(writeFile(u"bad.ipynb"_s, bytes));
    QTRY_COMPARE(tab()->banners()->shown().severity, BannerContent::Severity::Error);
    QVERIFY(tab()->banners()->shown().title.startsWith(u"“bad.ipynb” cannot be opened"_s));
    QVERIFY(!tab()->banners()->shown().text.isEmpty());
    QCOMPARE(m_window->documents()->pageCount(), 1);
}

// A file without a byte is what an interrupted program leaves behind: it is treated as new.
void MainWindowTest::open_ofEmptyFile_isNewWithAWarning()
{
    m_window->files()->open(writeFile(u"empty.ipynb"_s, {}));
    QTRY_COMPARE(tab()->banners()->shown().severity, BannerContent::Severity::Warning);
}

void MainWindowTest::close_ofUnsavedWork_asks()
{
    QTest::keyClicks(QApplication::focusWidget(), u"x"_s);
    QTest::keyClick(m_window.get(), Qt::Key_W, Qt::ControlModifier);
    const auto question = [this] { return m_window->findChild<QMessageBox *>(u"closeQuestion"_s); };
    QTRY_VERIFY(question() && question()->isVisible());
    QCOMPARE(question()->text(), u"Save Untitled 1 before closing?"_s);
    QTest::keyClick(question(), Qt::Key_Escape);
    QTRY_VERIFY(!question());
    QCOMPARE(m_window->documents()->pageCount(), 1);
}

void MainWindowTest::quit_ofSavedPausedNotebook_closes()
{
    if (!hasEngine())
        QSKIP("sandfishd is not built");
    typeAndRun(u"1 + 1"_s);
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(0), u"2"_s, kRunLimitMs);
    m_window->files()->saveTo(tab(), m_folder->filePath(u"saved.ipynb"_s), {});
    QTRY_VERIFY(!tab()->hasUnsavedWork());
    QTest::keyClick(m_window.get(), Qt::Key_F7);
    QTRY_COMPARE_WITH_TIMEOUT(session()->state(), NotebookSession::State::Paused, kRunLimitMs);
    QTest::keyClick(m_window.get(), Qt::Key_Q, Qt::ControlModifier);
    QTRY_VERIFY(!m_window->isVisible());
}

void MainWindowTest::theme_changedLive_repaintsTheWindow()
{
    const auto corner = [this] { return m_window->grab().toImage().pixelColor(m_window->width() - 6, 6); };
    QCOMPARE(corner(), QColor(0xF3, 0xF0, 0xEA));
    const Theme dark = Theme::forApplication(Theme::Mode::Dark);
    QApplication::setPalette(dark.palette());
    m_themes->setTheme(dark);
    QTRY_COMPARE(corner(), QColor(0x1F, 0x1D, 0x1B));
}

void MainWindowTest::tabs_byKey_areSteppedThrough()
{
    m_window->files()->newNotebook();
    QCOMPARE(m_window->documents()->currentIndex(), 1);
    QTest::keyClick(m_window.get(), Qt::Key_Tab, Qt::ControlModifier);
    QCOMPARE(m_window->documents()->currentIndex(), 0);
    QTest::keyClick(m_window.get(), Qt::Key_Tab, Qt::ControlModifier);
    QCOMPARE(m_window->documents()->currentIndex(), 1);
}

void MainWindowTest::externalChange_ofFile_isSaid()
{
    NotebookDocument document;
    const QString path = writeFile(u"shared.ipynb"_s, document.toJson());
    m_window->files()->open(path);
    QTRY_COMPARE(tab()->filePath(), path);
    document.insertCell(0, Cell::Type::Code, u"changed = True"_s);
    writeFile(u"shared.ipynb"_s, document.toJson());
    QTRY_VERIFY(tab()->banners()->contains(u"changed-on-disk"_s));
}

void MainWindowTest::recovery_afterCrash_bringsWorkBack()
{
    QTest::keyClicks(QApplication::focusWidget(), u"precious = 1"_s);
    const QDir recovery(m_folder->filePath(u"window/recovery"_s));
    const auto copies = [&recovery] {
        QStringList found;
        for (const QString &run : recovery.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            found += QDir(recovery.filePath(run)).entryList({u"*.json"_s});
        return found;
    };
    QTRY_COMPARE_WITH_TIMEOUT(copies().size(), 1, 10'000);
    // The window goes without a word, as in a crash: its copies stay.
    m_window.reset();
    startWindow();
    QCOMPARE(m_window->files()->restoreLeftovers(), 1);
    QTRY_COMPARE(m_window->documents()->pageCount(), 2);
    QCOMPARE(cell(0).source, u"precious = 1"_s);
    QVERIFY(tab()->hasUnsavedWork());
    QVERIFY(tab()->banners()->contains(u"recovered"_s));
}

void MainWindowTest::reopen_ofPausedNotebook_hasItsVariables()
{
    if (!hasEngine())
        QSKIP("sandfishd is not built");
    startWindow(true);
    NotebookDocument document;
    document.insertCell(0, Cell::Type::Code, u"n = globals().get('n', 0) + 1; n"_s);
    const QString path = writeFile(u"kept.ipynb"_s, document.toJson());
    m_window->files()->open(path);
    QTRY_COMPARE(tab()->filePath(), path);
    session()->runCells({cell(0).id});
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(0), u"1"_s, kRunLimitMs);
    const SandboxId sandbox = session()->sandbox().id;
    session()->pause();
    QTRY_COMPARE_WITH_TIMEOUT(session()->state(), NotebookSession::State::Paused, kRunLimitMs);
    startWindow(true);
    m_window->files()->open(path);
    QTRY_COMPARE(tab()->filePath(), path);
    QTRY_COMPARE_WITH_TIMEOUT(session()->state(), NotebookSession::State::Paused, kRunLimitMs);
    QCOMPARE(session()->sandbox().id, sandbox);
    session()->resume();
    session()->runCells({cell(0).id});
    QTRY_COMPARE_WITH_TIMEOUT(valueOf(0), u"2"_s, kRunLimitMs);
}

void MainWindowTest::close_ofUnusedNotebook_endsItsSandbox()
{
    if (!hasEngine())
        QSKIP("sandfishd is not built");
    startWindow(true);
    QTRY_VERIFY_WITH_TIMEOUT(session()->isSandboxUnused(), kRunLimitMs);
    const SandboxId sandbox = session()->sandbox().id;
    NotebookTab *unused = tab();
    m_window->files()->newNotebook();
    m_window->files()->close(unused, {});
    bool isGone = false;
    const auto ask = [&] {
        m_provider->info(sandbox, this, [&isGone](const Result<SandboxInfo> &info) { isGone = isGone || !info; });
        return isGone;
    };
    QTRY_VERIFY_WITH_TIMEOUT(ask(), kRunLimitMs);
}

} // namespace sandfish

QTEST_MAIN(sandfish::MainWindowTest)
#include "tst_mainwindow.moc"
