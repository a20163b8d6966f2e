#include "core/document/notebookdocument.h"
#include "core/session/notebooksession.h"
#include "core/support/settings.h"
#include "tests/support/scriptedprovider.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/panels/bannerstack.h"
#include "ui/panels/findstrip.h"
#include "ui/panels/sandboxpanel.h"
#include "ui/panels/startcard.h"
#include "ui/panels/statusstrip.h"
#include "ui/panels/toast.h"
#include "ui/text/themesource.h"
#include "ui/window/actions.h"
#include "ui/window/dockoverlay.h"
#include "ui/window/docks.h"
#include "ui/window/documentarea.h"
#include "ui/window/filecontroller.h"
#include "ui/window/limitsdialog.h"
#include "ui/window/mainwindow.h"
#include "ui/window/notebooktab.h"
#include "ui/window/sandfishstyle.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QEnterEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// The main window with a provider that needs no engine: docks, limits, search, notices, memory.
class WindowPartsTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void window_withoutKeptSize_fitsTheScreen();
    void newNotebook_takesTypingAtOnce();
    void startCard_closesOnTyping();
    void startCard_labels_haveRoom();
    void open_ofTwoBrokenFiles_saysBoth();
    void saveAs_ofUntitled_startsInWorkingFolder();
    void saveAs_ofFile_startsInItsFolder();
    void toast_underPointer_stays();
    void toast_afterUndoByKey_goes();
    void resumeQuestion_byEscape_runsNothingLater_data();
    void resumeQuestion_byEscape_runsNothingLater();
    void resume_whileQuestionIsOpen_runsNothing();
    void docks_inNarrowWindow_areFolded();
    void docks_afterWidening_areBack();
    void dock_openedInNarrowWindow_liesOverThePage();
    void dockOverlay_whenPageIsClicked_closes();
    void limits_changed_areKeptAndShown();
    void find_byKeys_goesThroughHits();
    void find_closed_leavesNothingMarked();
    void notice_ofSession_isShown();
    void memory_ofSandbox_isShownWhenKnown();

private:
    NotebookTab *tab() const { return m_window->currentTab(); }
    bool hasMarks() const;
    void askToResume();
    QString saveAsFolder();
    Toast *toastOfDeletion();
    /// Give or take the 5 % of a coarse timer.
    static bool isTenSeconds(std::chrono::milliseconds time) { return time > 9s && time <= 10'500ms; }
    QDockWidget *dock(const char *name) const { return m_window->findChild<QDockWidget *>(QLatin1String(name)); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<ThemeSource> m_themes;
    std::unique_ptr<OutputRendererRegistry> m_renderers;
    std::unique_ptr<test::ScriptedProvider> m_provider;
    std::unique_ptr<MainWindow> m_window;
    QSize m_firstSize; ///< before a test changed it
};

void WindowPartsTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_settings = std::make_unique<Settings>(m_folder->filePath(u"sandfish.ini"_s));
    m_themes = std::make_unique<ThemeSource>(Theme::forApplication(Theme::Mode::Light));
    m_renderers = OutputRendererRegistry::withDefaults();
    QApplication::setStyle(new SandfishStyle(m_themes.get()));
    m_provider = std::make_unique<test::ScriptedProvider>();
    AppContext context;
    context.providers = {m_provider.get()};
    context.renderers = m_renderers.get();
    context.themes = m_themes.get();
    context.settings = m_settings.get();
    context.stateFolder = m_folder->filePath(u"window"_s);
    context.startsAhead = false;
    context.asksAtQuit = false;
    m_window = std::make_unique<MainWindow>(context);
    m_firstSize = m_window->size();
    m_window->files()->newNotebook();
    m_window->resize(1200, 800);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void WindowPartsTest::cleanup()
{
    m_window.reset();
    m_provider.reset();
    m_renderers.reset();
    QApplication::setStyle(u"Fusion"_s);
    m_themes.reset();
    m_settings.reset();
    m_folder.reset();
}

/// The colour of a hit is somewhere on the page.
bool WindowPartsTest::hasMarks() const
{
    const QImage image = tab()->view()->viewport()->grab().toImage();
    const QRgb wanted = m_themes->theme().color(ColorToken::Find).rgb();
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (image.pixel(x, y) == wanted)
                return true;
        }
    }
    return false;
}

void WindowPartsTest::window_withoutKeptSize_fitsTheScreen()
{
    const QSize room = m_window->screen()->availableSize();
    QVERIFY2(m_firstSize.width() <= room.width(), qPrintable(QString::number(m_firstSize.width())));
    QVERIFY2(m_firstSize.height() <= room.height(), qPrintable(QString::number(m_firstSize.height())));
}

void WindowPartsTest::newNotebook_takesTypingAtOnce()
{
    QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
    QCOMPARE(m_window->documents()->pageCount(), 2);
    QCOMPARE(tab()->view()->mode(), NotebookView::Mode::Edit);
    QTest::keyClicks(QApplication::focusWidget(), u"dd"_s);
    QCOMPARE(tab()->document()->cellAt(0).source, u"dd"_s);
}

void WindowPartsTest::startCard_closesOnTyping()
{
    m_window->showStartCard();
    QVERIFY(tab()->startCard()->isVisible());
    QTest::keyClicks(QApplication::focusWidget(), u"x"_s);
    QCOMPARE(tab()->document()->cellAt(0).source, u"x"_s);
    QVERIFY(!tab()->startCard()->isVisible());
}

void WindowPartsTest::startCard_labels_haveRoom()
{
    m_window->showStartCard();
    QTRY_VERIFY(tab()->startCard()->isVisible());
    const auto labels = tab()->startCard()->findChildren<QLabel *>();
    for (const QLabel *label : labels) {
        if (label->text().isEmpty())
            continue;
        const QRect needed = label->fontMetrics().boundingRect(
            label->contentsRect(), Qt::TextWordWrap | int(label->alignment()), label->text());
        QVERIFY2(label->contentsRect().width() >= needed.width(), qPrintable(label->text()));
        QVERIFY2(label->contentsRect().height() >= needed.height(), qPrintable(label->text()));
    }
}

void WindowPartsTest::open_ofTwoBrokenFiles_saysBoth()
{
    m_window->files()->open(m_folder->filePath(u"nope.ipynb"_s));
    m_window->files()->open(m_folder->filePath(u"bad.ipynb"_s));
    QTRY_COMPARE(tab()->banners()->count(), 2);
}

QString WindowPartsTest::saveAsFolder()
{
    m_window->files()->saveAs(tab());
    auto *dialog = m_window->findChild<QFileDialog *>();
    if (!dialog)
        return {};
    const QString folder = dialog->directory().canonicalPath();
    dialog->reject();
    return folder;
}

void WindowPartsTest::saveAs_ofUntitled_startsInWorkingFolder()
{
    QCOMPARE(saveAsFolder(), QDir::current().canonicalPath());
}

void WindowPartsTest::saveAs_ofFile_startsInItsFolder()
{
    tab()->setFilePath(m_folder->filePath(u"note.ipynb"_s));
    QCOMPARE(saveAsFolder(), QDir(m_folder->path()).canonicalPath());
}

Toast *WindowPartsTest::toastOfDeletion()
{
    tab()->view()->insertCellBelow();
    tab()->view()->deleteSelected();
    return tab()->findChild<Toast *>();
}

void WindowPartsTest::toast_underPointer_stays()
{
    Toast *toast = toastOfDeletion();
    QVERIFY(toast && toast->isVisible());
    QVERIFY(isTenSeconds(toast->timeLeft()));
    QEnterEvent enter({5, 5}, {5, 5}, {5, 5});
    QApplication::sendEvent(toast, &enter);
    QVERIFY(toast->timeLeft() < 0s);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(toast, &leave);
    QVERIFY(isTenSeconds(toast->timeLeft()));
}

void WindowPartsTest::toast_afterUndoByKey_goes()
{
    Toast *toast = toastOfDeletion();
    QVERIFY(toast && toast->isVisible());
    tab()->view()->undo();
    QVERIFY(!toast->isVisible());
}

/// Runs the only cell of a paused notebook.
void WindowPartsTest::askToResume()
{
    tab()->session()->start();
    QTRY_COMPARE(tab()->session()->state(), NotebookSession::State::Ready);
    tab()->session()->pause();
    QTRY_COMPARE(tab()->session()->state(), NotebookSession::State::Paused);
    QTest::keyClicks(QApplication::focusWidget(), u"1"_s);
    tab()->view()->runSelected(NotebookView::Advance::Stay);
    QTRY_COMPARE(tab()->banners()->shown().id, u"resume"_s);
}

void WindowPartsTest::resumeQuestion_byEscape_runsNothingLater_data()
{
    QTest::addColumn<bool>("isEditing");
    QTest::newRow("edit mode") << true;
    QTest::newRow("command mode") << false;
}

void WindowPartsTest::resumeQuestion_byEscape_runsNothingLater()
{
    QFETCH(bool, isEditing);
    askToResume();
    if (isEditing)
        tab()->view()->editCurrentCell();
    else
        tab()->view()->enterCommandMode();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(!tab()->banners()->contains(u"resume"_s));
    QCOMPARE(tab()->view()->mode(), isEditing ? NotebookView::Mode::Edit : NotebookView::Mode::Command);
    tab()->session()->resume();
    QTRY_COMPARE(tab()->session()->state(), NotebookSession::State::Ready);
    QCOMPARE(tab()->document()->cellAt(0).run.state, CellRun::State::None);
    tab()->view()->editCurrentCell();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QCOMPARE(tab()->view()->mode(), NotebookView::Mode::Command);
}

void WindowPartsTest::resume_whileQuestionIsOpen_runsNothing()
{
    askToResume();
    tab()->session()->resume();
    QTRY_COMPARE(tab()->session()->state(), NotebookSession::State::Ready);
    QVERIFY(!tab()->banners()->contains(u"resume"_s));
    QCOMPARE(tab()->document()->cellAt(0).run.state, CellRun::State::None);
}

void WindowPartsTest::docks_inNarrowWindow_areFolded()
{
    QVERIFY(dock("sandboxDock")->isVisible());
    m_window->resize(880, 600);
    QTRY_VERIFY(!dock("sandboxDock")->isVisible());
    QVERIFY(!dock("outlineDock")->isVisible());
    QVERIFY(!m_window->actionTable()->action(ActionId::ViewSandboxes)->isChecked());
}

void WindowPartsTest::docks_afterWidening_areBack()
{
    m_window->resize(880, 600);
    QTRY_VERIFY(!dock("sandboxDock")->isVisible());
    m_window->resize(1200, 800);
    QTRY_VERIFY(dock("sandboxDock")->isVisible());
    QVERIFY(m_window->actionTable()->action(ActionId::ViewSandboxes)->isChecked());
    QVERIFY(!m_settings->get<bool>(Settings::Key::DocksTouched));
}

void WindowPartsTest::dock_openedInNarrowWindow_liesOverThePage()
{
    m_window->resize(880, 600);
    QTRY_VERIFY(!dock("sandboxDock")->isVisible());
    QTRY_COMPARE(m_window->documents()->x(), 0);
    const QRect page = m_window->documents()->geometry();
    m_window->actionTable()->action(ActionId::ViewSandboxes)->trigger();
    QVERIFY(m_window->docks()->overlay()->isVisible());
    QVERIFY(m_window->docks()->sandboxes()->isVisible());
    QCOMPARE(m_window->documents()->geometry(), page);
    m_window->actionTable()->action(ActionId::ViewOutline)->trigger();
    QVERIFY(!m_window->docks()->sandboxes()->isVisible());
    QVERIFY(!m_window->actionTable()->action(ActionId::ViewSandboxes)->isChecked());
    m_window->resize(1200, 800);
    QTRY_VERIFY(m_window->docks()->sandboxes()->isVisible());
    QVERIFY(!m_window->docks()->overlay()->isVisible());
}

void WindowPartsTest::dockOverlay_whenPageIsClicked_closes()
{
    m_window->resize(880, 600);
    QTRY_VERIFY(!dock("sandboxDock")->isVisible());
    m_window->actionTable()->action(ActionId::ViewSandboxes)->trigger();
    tab()->view()->setFocus();
    QTRY_VERIFY(!m_window->docks()->overlay()->isVisible());
    QVERIFY(tab()->view()->isAncestorOf(QApplication::focusWidget()));
}

void WindowPartsTest::limits_changed_areKeptAndShown()
{
    const std::string text = QByteArray("line\n").repeated(2000).toStdString();
    tab()->document()->apply(tab()->view()->currentCell(), {StreamText{StreamText::Channel::Stdout, text, false}});
    QCOMPARE(m_settings->get<int>(Settings::Key::MaxShownLines), 1000);
    m_window->actionTable()->action(ActionId::SettingsLimits)->trigger();
    auto *dialog = m_window->findChild<LimitsDialog *>();
    QVERIFY(dialog);
    QTRY_VERIFY(tab()->view()->verticalScrollBar()->maximum() > 900 * 15);
    const int before = tab()->view()->verticalScrollBar()->maximum();
    dialog->findChild<QSpinBox *>(u"shownLines"_s)->setValue(200);
    dialog->findChild<QSpinBox *>(u"keptMegabytes"_s)->setValue(2);
    QTest::mouseClick(dialog->findChild<QPushButton *>(u"changeLimits"_s), Qt::LeftButton);
    QCOMPARE(m_settings->get<int>(Settings::Key::MaxShownLines), 200);
    QCOMPARE(m_settings->get<int>(Settings::Key::OutputLimitMegabytes), 2);
    QTRY_VERIFY(tab()->view()->verticalScrollBar()->maximum() < before - 700 * 15);
}

void WindowPartsTest::find_byKeys_goesThroughHits()
{
    tab()->document()->setSource(tab()->view()->currentCell(), u"sand, sand and sand"_s);
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
    auto *strip = tab()->findChild<FindStrip *>();
    QTRY_VERIFY(strip->isVisible());
    QTest::keyClicks(strip->field(), u"sand"_s);
    QTRY_COMPARE(strip->resultText(), u"3 hits"_s);
    QTest::keyClick(strip->field(), Qt::Key_Return);
    QCOMPARE(strip->resultText(), u"1 of 3"_s);
    QTest::keyClick(strip->field(), Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(strip->resultText(), u"3 of 3"_s);
    QTest::keyClick(strip->field(), Qt::Key_Return);
    QCOMPARE(strip->resultText(), u"1 of 3"_s);
    QVERIFY(strip->field()->hasFocus());
}

void WindowPartsTest::find_closed_leavesNothingMarked()
{
    tab()->document()->setSource(tab()->view()->currentCell(), u"sand"_s);
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
    auto *strip = tab()->findChild<FindStrip *>();
    QTest::keyClicks(strip->field(), u"sand"_s);
    QTRY_COMPARE(strip->resultText(), u"1 hit"_s);
    QTRY_VERIFY(hasMarks());
    QTest::keyClick(strip->field(), Qt::Key_Escape);
    QTRY_VERIFY(!strip->isVisible());
    QVERIFY(!hasMarks());
}

void WindowPartsTest::notice_ofSession_isShown()
{
    emit tab()->session()->noticed(u"A new sandbox was started. Run the cells you need again."_s);
    const BannerContent &shown = tab()->banners()->shown();
    QCOMPARE(shown.title, u"A new sandbox was started."_s);
    QCOMPARE(shown.text, u"Run the cells you need again."_s);
}

void WindowPartsTest::memory_ofSandbox_isShownWhenKnown()
{
    tab()->session()->start();
    QTRY_COMPARE(tab()->session()->state(), NotebookSession::State::Ready);
    QTRY_COMPARE(m_window->statusStrip()->text(StatusStrip::Segment::Kernel), u"Ready"_s);
    QCOMPARE(m_window->statusStrip()->text(StatusStrip::Segment::Memory), QString());
    SandboxInfo info = tab()->session()->sandbox();
    info.memoryBytes = 0;
    m_provider->changeSandbox(info);
    info.memoryBytes = 48'000'000;
    m_provider->changeSandbox(info);
    QTRY_COMPARE(m_window->statusStrip()->text(StatusStrip::Segment::Memory), u"48 MB"_s);
}

QTEST_MAIN(WindowPartsTest)
#include "tst_windowparts.moc"
