#include "core/document/notebookdocument.h"
#include "core/session/notebooksession.h"
#include "core/support/settings.h"
#include "tests/support/awaited.h"
#include "tests/support/scriptedprovider.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/text/themesource.h"
#include "ui/window/filecontroller.h"
#include "ui/window/mainwindow.h"
#include "ui/window/notebooktab.h"
#include "ui/window/sandboxmemory.h"
#include "ui/window/sandfishstyle.h"

#include <QApplication>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

using State = NotebookSession::State;
using FolderAccess = NotebookSession::FolderAccess;

/// Which sandboxes a window makes ahead, comes back to, ends and asks about, with a provider that needs no engine.
class WindowSandboxesTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void unusedTabs_ownSandbox_untilTheFirstRun();
    void unusedTabs_sharedSandbox_areNone();
    void close_ofUnusedNotebook_endsItsSandbox();
    void close_ofSandboxUsedByAnotherProgram_keepsIt();
    void close_ofSharedSandbox_keepsIt();
    void reopen_whileUnusedSandboxEnds_startsAnother();
    void startAhead_ofTrustedNotebook_comesBackToItsSandbox();
    void startAhead_ofUntrustedNotebook_leavesAWritableSandbox();
    void quit_ofUnusedNotebook_endsItsSandbox();
    void quit_ofSandboxUsedByAnotherProgram_keepsIt();
    void quitQuestion_byKey_isCancelled_data();
    void quitQuestion_byKey_isCancelled();
    void quitQuestion_pauseAll_leavesUnusedOnesToEnd();
    void quitQuestion_leaveRunning_isThePrimaryWay();

private:
    NotebookTab *tab() const { return m_window->currentTab(); }
    bool exists(const SandboxId &id) const { return m_provider->sandboxes().contains(id); }
    NotebookTab *newReadyTab();
    SandboxId addSandbox(const char *id, FolderBind::Access access) const;
    void addContext(const SandboxId &sandbox, int executionCount) const;
    /// What was asked for up to now is answered, and so is what was asked for then.
    void waitForAnswers();
    QString writeNotebook() const;
    NotebookTab *openReadyTab(const QString &path);
    QMessageBox *question() const { return m_window->findChild<QMessageBox *>(u"sandboxQuestion"_s); }
    QPushButton *choice(const QString &text) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<ThemeSource> m_themes;
    std::unique_ptr<OutputRendererRegistry> m_renderers;
    std::unique_ptr<ScriptedProvider> m_provider;
    std::unique_ptr<MainWindow> m_window;
};

void WindowSandboxesTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_settings = std::make_unique<Settings>(m_folder->filePath(u"sandfish.ini"_s));
    m_themes = std::make_unique<ThemeSource>(Theme::forApplication(Theme::Mode::Light));
    m_renderers = OutputRendererRegistry::withDefaults();
    QApplication::setStyle(new SandfishStyle(m_themes.get()));
    QApplication::setQuitOnLastWindowClosed(false);
    m_provider = std::make_unique<ScriptedProvider>();
    AppContext context;
    context.providers = {m_provider.get()};
    context.renderers = m_renderers.get();
    context.themes = m_themes.get();
    context.settings = m_settings.get();
    context.stateFolder = m_folder->filePath(u"window"_s);
    m_window = std::make_unique<MainWindow>(context);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void WindowSandboxesTest::cleanup()
{
    m_window.reset();
    m_provider.reset();
    m_renderers.reset();
    QApplication::setStyle(u"Fusion"_s);
    m_themes.reset();
    m_settings.reset();
    m_folder.reset();
}

/// An untitled notebook whose sandbox was made ahead and has a context, as the engine gives it one; nullptr: it failed.
NotebookTab *WindowSandboxesTest::newReadyTab()
{
    NotebookTab *added = m_window->files()->newNotebook();
    if (!QTest::qWaitFor([added] { return added->session()->state() == State::Ready; }))
        return nullptr;
    addContext(added->session()->sandbox().id, 0);
    return added;
}

SandboxId WindowSandboxesTest::addSandbox(const char *id, FolderBind::Access access) const
{
    SandboxInfo info{SandboxId{id}, id};
    info.state = SandboxState::Running;
    info.folders = {{m_folder->path().toStdString(), access}};
    m_provider->changeSandbox(info);
    return info.id;
}

void WindowSandboxesTest::addContext(const SandboxId &sandbox, int executionCount) const
{
    m_provider->addContext(sandbox, {{"context"}, "javascript", {}, ContextState::Idle, {}, executionCount});
}

void WindowSandboxesTest::waitForAnswers()
{
    for (int i = 0; i < 2; ++i) {
        QVERIFY(awaited<std::vector<SandboxInfo>>(
            [this](QObject *receiver, auto done) { m_provider->list(receiver, std::move(done)); }));
    }
}

QString WindowSandboxesTest::writeNotebook() const
{
    const QString path = m_folder->filePath(u"note.ipynb"_s);
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(NotebookDocument().toJson()) > 0 ? path : QString();
}

/// nullptr: it failed.
NotebookTab *WindowSandboxesTest::openReadyTab(const QString &path)
{
    m_window->files()->open(path);
    const bool isReady = QTest::qWaitFor(
        [&] { return tab() && tab()->filePath() == path && tab()->session()->state() == State::Ready; });
    return isReady ? tab() : nullptr;
}

QPushButton *WindowSandboxesTest::choice(const QString &text) const
{
    const auto buttons = question() ? question()->findChildren<QPushButton *>() : QList<QPushButton *>();
    for (QPushButton *button : buttons) {
        if (button->text() == text)
            return button;
    }
    return nullptr;
}

void WindowSandboxesTest::unusedTabs_ownSandbox_untilTheFirstRun()
{
    NotebookTab *added = newReadyTab();
    QVERIFY(added);
    QCOMPARE(m_window->files()->unusedTabs(), std::vector{added});
    added->session()->runCells({added->document()->insertCell(0, Cell::Type::Code, u"1"_s)});
    QVERIFY(m_window->files()->unusedTabs().empty());
}

void WindowSandboxesTest::unusedTabs_sharedSandbox_areNone()
{
    NotebookTab *owner = newReadyTab();
    NotebookTab *guest = newReadyTab();
    QVERIFY(owner && guest);
    guest->session()->attach(owner->session()->sandbox().id);
    QTRY_COMPARE(guest->session()->state(), State::Ready);
    QVERIFY(owner->session()->isSandboxUnused());
    QVERIFY(m_window->files()->unusedTabs().empty());
}

void WindowSandboxesTest::close_ofUnusedNotebook_endsItsSandbox()
{
    NotebookTab *added = newReadyTab();
    QVERIFY(added);
    const SandboxId sandbox = added->session()->sandbox().id;
    m_window->files()->close(added);
    QTRY_VERIFY(!exists(sandbox));
}

void WindowSandboxesTest::close_ofSandboxUsedByAnotherProgram_keepsIt()
{
    NotebookTab *added = newReadyTab();
    QVERIFY(added);
    const SandboxId sandbox = added->session()->sandbox().id;
    addContext(sandbox, 2);
    m_window->files()->close(added);
    waitForAnswers();
    QVERIFY(exists(sandbox));
}

void WindowSandboxesTest::close_ofSharedSandbox_keepsIt()
{
    NotebookTab *owner = newReadyTab();
    NotebookTab *guest = newReadyTab();
    QVERIFY(owner && guest);
    const SandboxId sandbox = owner->session()->sandbox().id;
    guest->session()->attach(sandbox);
    QTRY_COMPARE(guest->session()->state(), State::Ready);
    m_window->files()->close(owner);
    waitForAnswers();
    QVERIFY(exists(sandbox));
    QCOMPARE(guest->session()->state(), State::Ready);
}

void WindowSandboxesTest::reopen_whileUnusedSandboxEnds_startsAnother()
{
    const QString path = writeNotebook();
    NotebookTab *first = openReadyTab(path);
    QVERIFY(first);
    const SandboxId sandbox = first->session()->sandbox().id;
    addContext(sandbox, 0);
    m_provider->setHeld(true);
    m_window->files()->close(first);
    m_window->files()->open(path);
    QTRY_VERIFY(tab() && tab()->session()->state() == State::Starting);
    m_provider->release();
    QTRY_COMPARE(tab()->session()->state(), State::Ready);
    QTRY_VERIFY(!exists(sandbox));
    QCOMPARE(tab()->session()->state(), State::Ready);
    QVERIFY(exists(tab()->session()->sandbox().id));
}

void WindowSandboxesTest::startAhead_ofTrustedNotebook_comesBackToItsSandbox()
{
    const QString path = writeNotebook();
    NotebookTab *first = openReadyTab(path);
    QVERIFY(first);
    first->setTrusted();
    m_window->files()->close(first);
    const SandboxId earlier = addSandbox("earlier", FolderBind::Access::ReadWrite);
    SandboxMemory(m_settings.get()).remember(path, {m_provider->id(), earlier, FolderAccess::ReadWrite});
    const NotebookTab *second = openReadyTab(path);
    QVERIFY(second);
    QCOMPARE(second->session()->sandbox().id.value, earlier.value);
    QCOMPARE(second->session()->effectiveFolderAccess(), FolderAccess::ReadWrite);
}

// Another program has put another notebook in the place of the one that had the sandbox.
void WindowSandboxesTest::startAhead_ofUntrustedNotebook_leavesAWritableSandbox()
{
    const QString path = writeNotebook();
    const SandboxId earlier = addSandbox("earlier", FolderBind::Access::ReadWrite);
    SandboxMemory(m_settings.get()).remember(path, {m_provider->id(), earlier, FolderAccess::ReadWrite});
    const NotebookTab *opened = openReadyTab(path);
    QVERIFY(opened);
    QVERIFY(!opened->document()->isTrusted());
    QVERIFY(opened->session()->sandbox().id != earlier);
    QCOMPARE(opened->session()->effectiveFolderAccess(), FolderAccess::ReadOnly);
    QVERIFY(exists(earlier));
}

void WindowSandboxesTest::quit_ofUnusedNotebook_endsItsSandbox()
{
    NotebookTab *added = newReadyTab();
    QVERIFY(added);
    const SandboxId sandbox = added->session()->sandbox().id;
    m_window->close();
    QTRY_VERIFY(!m_window->isVisible());
    QVERIFY(!exists(sandbox));
}

void WindowSandboxesTest::quit_ofSandboxUsedByAnotherProgram_keepsIt()
{
    NotebookTab *added = newReadyTab();
    QVERIFY(added);
    const SandboxId sandbox = added->session()->sandbox().id;
    addContext(sandbox, 2);
    m_window->close();
    QTRY_VERIFY(!m_window->isVisible());
    QVERIFY(exists(sandbox));
}

void WindowSandboxesTest::quitQuestion_byKey_isCancelled_data()
{
    QTest::addColumn<Qt::Key>("key");
    QTest::newRow("Escape") << Qt::Key_Escape;
    QTest::newRow("Return") << Qt::Key_Return;
}

void WindowSandboxesTest::quitQuestion_byKey_isCancelled()
{
    QFETCH(Qt::Key, key);
    const SandboxId sandbox = addSandbox("earlier", FolderBind::Access::ReadOnly);
    m_window->close();
    QTRY_VERIFY(question() && question()->isVisible());
    QCOMPARE(question()->escapeButton(), choice(u"Cancel"_s));
    QTest::keyClick(question(), key);
    QTRY_VERIFY(!question());
    waitForAnswers();
    QVERIFY(m_window->isVisible());
    QCOMPARE(m_provider->sandboxes().at(sandbox).state, SandboxState::Running);
}

void WindowSandboxesTest::quitQuestion_pauseAll_leavesUnusedOnesToEnd()
{
    NotebookTab *added = newReadyTab();
    QVERIFY(added);
    const SandboxId unused = added->session()->sandbox().id;
    const SandboxId other = addSandbox("earlier", FolderBind::Access::ReadOnly);
    m_window->close();
    QTRY_VERIFY(question() && question()->isVisible());
    QCOMPARE(question()->text(), u"1 sandbox runs"_s);
    choice(u"Pause all"_s)->click();
    QTRY_VERIFY(!m_window->isVisible());
    QCOMPARE(m_provider->sandboxes().at(other).state, SandboxState::Paused);
    QVERIFY(!exists(unused));
}

void WindowSandboxesTest::quitQuestion_leaveRunning_isThePrimaryWay()
{
    const SandboxId sandbox = addSandbox("earlier", FolderBind::Access::ReadOnly);
    m_window->close();
    QTRY_VERIFY(question() && question()->isVisible());
    QVERIFY(choice(u"Leave running"_s)->property("sandfishPrimary").toBool());
    QVERIFY(!choice(u"Cancel"_s)->property("sandfishPrimary").toBool());
    choice(u"Leave running"_s)->click();
    QTRY_VERIFY(!m_window->isVisible());
    QCOMPARE(m_provider->sandboxes().at(sandbox).state, SandboxState::Running);
}

QTEST_MAIN(WindowSandboxesTest)
#include "tst_windowsandboxes.moc"
