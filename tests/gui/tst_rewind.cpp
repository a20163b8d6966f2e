#include "core/document/notebookdocument.h"
#include "core/session/executionqueue.h"
#include "core/session/notebooksession.h"
#include "core/session/rewinder.h"
#include "core/session/stuckcellwatch.h"
#include "core/support/settings.h"
#include "tests/support/scriptedprovider.h"
#include "ui/notebook/celllook.h"
#include "ui/notebook/rewindwords.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/panels/bannerstack.h"
#include "ui/panels/contextchip.h"
#include "ui/panels/toast.h"
#include "ui/text/themesource.h"
#include "ui/window/actions.h"
#include "ui/window/documentarea.h"
#include "ui/window/filecontroller.h"
#include "ui/window/mainwindow.h"
#include "ui/window/notebooktab.h"
#include "ui/window/sandfishstyle.h"
#include "ui/window/windowtoolbar.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using test::Script;

/// Rewinding, branching and what is offered after a crash, in the main window with a scripted provider.
class RewindTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void words_ofReasons_data();
    void words_ofReasons();
    void look_ofKeptState_tellsInexactAndUndone();
    void rewind_byKey_asksActsAndUndoes();
    void rewind_inexact_namesWhatIsNot();
    void rewind_whileRunning_saysThatItStops();
    void cellMenu_withoutStates_offersToRestart();
    void restartAbove_runsTheCellsAbove();
    void branch_byKey_opensACopyOnItsContext();
    void branch_closed_endsItsContext();
    void crash_rewoundByTheEngine_isSaid();
    void crash_olderStateKept_isRewoundByOneClick();
    void interrupt_withoutEffect_offersStopAndRewind();

private:
    NotebookTab *tab() const { return m_window->currentTab(); }
    NotebookDocument *document() const { return tab()->document(); }
    const Cell &cell(qsizetype index) const { return document()->cellAt(index); }
    test::ScriptedContext &context(std::size_t index = 0) const { return *m_provider->contexts().at(index); }
    void runAll();
    void startHanging(qsizetype index);
    void select(qsizetype index) { tab()->view()->setCurrentCell(cell(index).id); }
    QMessageBox *question(const QString &name) const { return m_window->findChild<QMessageBox *>(name); }
    bool click(QWidget *in, const QString &text) const;
    /// F7 with \a modifiers, once the act is offered.
    void press(ActionId id, Qt::KeyboardModifiers modifiers) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<ThemeSource> m_themes;
    std::unique_ptr<OutputRendererRegistry> m_renderers;
    std::unique_ptr<test::ScriptedProvider> m_provider;
    std::unique_ptr<MainWindow> m_window;
};

void RewindTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_settings = std::make_unique<Settings>(m_folder->filePath(u"sandfish.ini"_s));
    m_themes = std::make_unique<ThemeSource>(Theme::forApplication(Theme::Mode::Light));
    m_renderers = OutputRendererRegistry::withDefaults();
    QApplication::setStyle(new SandfishStyle(m_themes.get()));
    m_provider = std::make_unique<test::ScriptedProvider>();
    m_provider->setKeepsCheckpoints(true);
    AppContext context;
    context.providers = {m_provider.get()};
    context.renderers = m_renderers.get();
    context.themes = m_themes.get();
    context.settings = m_settings.get();
    context.stateFolder = m_folder->filePath(u"window"_s);
    context.startsAhead = false;
    context.asksAtQuit = false;
    m_window = std::make_unique<MainWindow>(context);
    m_window->files()->newNotebook();
    m_window->resize(1200, 800);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    document()->removeCells(0, 1);
    for (const QString &source : {u"a"_s, u"b"_s, u"c"_s})
        document()->insertCell(document()->cellCount(), Cell::Type::Code, source);
    tab()->view()->enterCommandMode();
}

void RewindTest::cleanup()
{
    m_window.reset();
    m_provider.reset();
    m_renderers.reset();
    QApplication::setStyle(u"Fusion"_s);
    m_themes.reset();
    m_settings.reset();
    m_folder.reset();
}

void RewindTest::runAll()
{
    QSignalSpy idle(tab()->session()->queue(), &ExecutionQueue::idle);
    tab()->run(NotebookTab::Range::All);
    QVERIFY(idle.wait());
}

void RewindTest::startHanging(qsizetype index)
{
    const Cell &wanted = cell(index);
    const int before = wanted.executionCount;
    context().setScript(wanted.source.toStdString(), Script::hanging());
    tab()->session()->runCells({wanted.id});
    QTRY_VERIFY(cell(index).executionCount > before);
}

void RewindTest::press(ActionId id, Qt::KeyboardModifiers modifiers) const
{
    QTRY_VERIFY(m_window->actionTable()->action(id)->isEnabled());
    QTest::keyClick(m_window.get(), Qt::Key_F7, modifiers);
}

bool RewindTest::click(QWidget *in, const QString &text) const
{
    for (QPushButton *button : in->findChildren<QPushButton *>()) {
        if (button->text() != text || !button->isVisible())
            continue;
        QTest::mouseClick(button, Qt::LeftButton);
        return true;
    }
    return false;
}

void RewindTest::words_ofReasons_data()
{
    QTest::addColumn<QStringList>("reasons");
    QTest::addColumn<QString>("text");
    QTest::newRow("none") << QStringList() << QString();
    QTest::newRow("one") << QStringList{u"threads:1"_s} << u"1 thread"_s;
    QTest::newRow("two") << QStringList{u"threads:2"_s, u"gpu"_s}
                         << u"2 threads and the state of the graphics processor"_s;
    QTest::newRow("three") << QStringList{u"sockets:1"_s, u"files:3"_s, u"children"_s}
                           << u"1 network connection, 3 open files and child processes"_s;
    QTest::newRow("unknown") << QStringList{u"wormholes:2"_s} << u"wormholes:2"_s;
}

void RewindTest::words_ofReasons()
{
    QFETCH(QStringList, reasons);
    std::vector<std::string> plain;
    for (const QString &reason : reasons)
        plain.push_back(reason.toStdString());
    QTEST(inexactText(plain), "text");
}

void RewindTest::look_ofKeptState_tellsInexactAndUndone()
{
    Cell cell;
    cell.executionCount = 4;
    cell.run.state = CellRun::State::Finished;
    QVERIFY(!lookOf(cell, {}).hasHalfDot);
    cell.run.before = CheckpointRef{"cp", {}};
    QVERIFY(!lookOf(cell, {}).hasHalfDot);
    cell.run.before->inexact = {"threads:1"};
    QVERIFY(lookOf(cell, {}).hasHalfDot);
    QVERIFY(spokenState(cell, {}).contains(u"not exact"_s));
    cell.run.isUndone = true;
    const CellLook look = lookOf(cell, {});
    QCOMPARE(look.metaText, u"Stale, ran after the rewind point"_s);
    QCOMPARE(look.stripe, CellLook::Stripe::Dashed);
}

void RewindTest::rewind_byKey_asksActsAndUndoes()
{
    runAll();
    select(1);
    press(ActionId::SandboxRewind, Qt::ShiftModifier);
    QTRY_VERIFY(question(u"rewindQuestion"_s) && question(u"rewindQuestion"_s)->isVisible());
    QMessageBox *asked = question(u"rewindQuestion"_s);
    QCOMPARE(asked->text(), u"Rewind to before cell [2]?"_s);
    QVERIFY(asked->informativeText().contains(u"Files, databases and the world outside are not rewound"_s));
    QVERIFY(asked->informativeText().contains(u"2 cells"_s));
    QVERIFY(click(asked, u"Rewind"_s));
    QTRY_VERIFY(cell(1).run.isUndone && cell(2).run.isUndone);
    QVERIFY(!cell(0).run.isUndone);
    QTRY_VERIFY(tab()->toast()->isVisible());
    QVERIFY(m_window->actionTable()->action(ActionId::SandboxUndoRewind)->isEnabled());
    QVERIFY(click(tab()->toast(), u"Undo"_s));
    QTRY_VERIFY(!cell(1).run.isUndone && !cell(2).run.isUndone);
    QTRY_VERIFY(!m_window->actionTable()->action(ActionId::SandboxUndoRewind)->isEnabled());
}

void RewindTest::rewind_inexact_namesWhatIsNot()
{
    runAll();
    context().states().inexact = {"threads:1", "files:2"};
    runAll();
    select(0);
    press(ActionId::SandboxRewind, Qt::ShiftModifier);
    QTRY_VERIFY(question(u"rewindQuestion"_s));
    QVERIFY(question(u"rewindQuestion"_s)
                ->informativeText()
                .contains(u"Not exact: 1 thread and 2 open files will not be as before."_s));
    QTest::keyClick(question(u"rewindQuestion"_s), Qt::Key_Escape);
    QTRY_VERIFY(!question(u"rewindQuestion"_s));
    QVERIFY(context().states().rewoundTo.empty());
}

void RewindTest::rewind_whileRunning_saysThatItStops()
{
    runAll();
    startHanging(2);
    select(1);
    press(ActionId::SandboxRewind, Qt::ShiftModifier);
    QTRY_VERIFY(question(u"rewindQuestion"_s));
    QVERIFY(question(u"rewindQuestion"_s)->informativeText().contains(u"is stopped at once"_s));
    QVERIFY(click(question(u"rewindQuestion"_s), u"Stop and rewind"_s));
    QTRY_COMPARE(cell(2).run.outcome, Outcome::Interrupted);
    QTRY_COMPARE(context().states().rewoundTo, std::vector<std::string>{"cp-2"});
}

void RewindTest::cellMenu_withoutStates_offersToRestart()
{
    m_provider->setKeepsCheckpoints(false);
    runAll();
    context().states().whyNot = "JavaScript cannot be rewound.";
    select(1);
    const QPoint place(10, 10);
    QContextMenuEvent event(QContextMenuEvent::Keyboard, place, tab()->view()->mapToGlobal(place));
    QApplication::sendEvent(tab()->view(), &event);
    auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
    QVERIFY(menu);
    QStringList enabled;
    QString reason;
    for (const QAction *action : menu->actions()) {
        const QString text = action->text().section(u'\t', 0, 0);
        if (action->isEnabled())
            enabled << text;
        else if (text.startsWith(u"Rewind"_s))
            reason = action->toolTip();
    }
    menu->close();
    QCOMPARE(reason, u"JavaScript cannot be rewound."_s);
    QVERIFY(enabled.contains(u"Restart and run all above…"_s));
    QVERIFY(!enabled.contains(u"Branch from here"_s));
}

void RewindTest::restartAbove_runsTheCellsAbove()
{
    runAll();
    select(2);
    press(ActionId::SandboxRestartRunAbove, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(question(u"restartAboveQuestion"_s));
    QVERIFY(click(question(u"restartAboveQuestion"_s), u"Restart and run all above"_s));
    QTRY_COMPARE(context().requests().size(), std::size_t(5));
    QCOMPARE(context().restartCount(), 1);
    QCOMPARE(context().requests().back().code, std::string("b"));
}

void RewindTest::branch_byKey_opensACopyOnItsContext()
{
    runAll();
    NotebookTab *origin = tab();
    select(1);
    press(ActionId::SandboxBranch, Qt::ControlModifier);
    QTRY_COMPARE(m_window->documents()->pageCount(), 2);
    QTRY_COMPARE(tab()->session()->state(), NotebookSession::State::Ready);
    QVERIFY(tab() != origin);
    QCOMPARE(tab()->title(), u"Untitled 1 (branch)"_s);
    QVERIFY(tab()->hasUnsavedWork());
    QVERIFY(!tab()->isPristine());
    QCOMPARE(tab()->mark().icon, u"fork"_s);
    QCOMPARE(tab()->tip(), u"branch of Untitled 1, before [2]"_s);
    QTRY_COMPARE(m_window->toolBar()->contextChip()->segmentText(ContextChip::Segment::Origin), tab()->tip());
    QVERIFY(cell(1).run.isUndone && !cell(0).run.isUndone);
    tab()->session()->runCells({cell(2).id});
    QTRY_COMPARE(cell(2).executionCount, 2);
    QCOMPARE(context(1).requests().size(), std::size_t(1));
    QCOMPARE(context(0).requests().size(), std::size_t(3));
    QCOMPARE(origin->document()->cellAt(2).executionCount, 3);
    QVERIFY(!origin->document()->cellAt(2).run.isUndone);
}

void RewindTest::branch_closed_endsItsContext()
{
    runAll();
    select(1);
    press(ActionId::SandboxBranch, Qt::ControlModifier);
    QTRY_COMPARE(m_window->documents()->pageCount(), 2);
    QTRY_COMPARE(tab()->session()->state(), NotebookSession::State::Ready);
    QCOMPARE(m_provider->contexts().size(), std::size_t(2));
    m_window->files()->close(tab());
    QTRY_VERIFY(question(u"closeQuestion"_s));
    QVERIFY(click(question(u"closeQuestion"_s), u"Close without saving"_s));
    QTRY_COMPARE(m_provider->contexts().size(), std::size_t(1));
    QCOMPARE(m_provider->sandboxes().size(), std::size_t(1));
    QTRY_COMPARE(m_window->documents()->pageCount(), 1);
}

void RewindTest::crash_rewoundByTheEngine_isSaid()
{
    runAll();
    startHanging(1);
    context().finishNow({Outcome::Crashed, 0, {}, "Python was ended by signal 11. It is as before this cell."});
    QTRY_COMPARE(tab()->banners()->shown().id, u"crash"_s);
    const BannerContent shown = tab()->banners()->shown();
    QCOMPARE(shown.title, u"Python was ended by signal 11."_s);
    QCOMPARE(shown.text, u"The context was rewound: variables are as they were before this cell."_s);
    QVERIFY(shown.actions.empty());
    tab()->session()->runCells({cell(0).id});
    QTRY_VERIFY(!tab()->banners()->contains(u"crash"_s));
}

void RewindTest::crash_olderStateKept_isRewoundByOneClick()
{
    runAll();
    startHanging(2);
    std::erase_if(context().states().kept, [](const CheckpointInfo &each) { return each.ref.id == "cp-4"; });
    context().finishNow({Outcome::Crashed, 0, {}, "Python was ended by signal 9. Variables are gone."});
    QTRY_COMPARE(tab()->banners()->shown().id, u"crash"_s);
    QTRY_VERIFY(click(tab()->banners(), u"Rewind to before cell [2]"_s));
    QTRY_COMPARE(context().states().rewoundTo, std::vector<std::string>{"cp-2"});
    QTRY_VERIFY(!tab()->banners()->contains(u"crash"_s));
}

void RewindTest::interrupt_withoutEffect_offersStopAndRewind()
{
    runAll();
    tab()->session()->interruptWatch()->setPatience(50ms);
    startHanging(1);
    context().setObeysInterrupt(false);
    QTRY_VERIFY(m_window->actionTable()->action(ActionId::RunInterrupt)->isEnabled());
    m_window->actionTable()->action(ActionId::RunInterrupt)->trigger();
    QTRY_COMPARE(tab()->banners()->shown().id, u"stuck"_s);
    QTRY_VERIFY(click(tab()->banners(), u"Stop and rewind"_s));
    QTRY_COMPARE(cell(1).run.outcome, Outcome::Interrupted);
    QTRY_VERIFY(!tab()->banners()->contains(u"stuck"_s));
    QCOMPARE(context().states().rewoundTo, std::vector<std::string>{"cp-4"});
}

QTEST_MAIN(RewindTest)
#include "tst_rewind.moc"
