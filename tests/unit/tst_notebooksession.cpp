#include "core/document/notebookdocument.h"
#include "core/session/executionqueue.h"
#include "core/session/notebooksession.h"
#include "tests/support/scriptedprovider.h"

#include <QSignalSpy>
#include <QTest>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

using State = NotebookSession::State;

class NotebookSessionTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void runCells_firstRun_createsSandboxAndContext();
    void runCells_secondLanguage_opensASecondContext();
    void start_createFails_isFailedAndSaysWhy();
    void start_again_afterFailure_tries();
    void folder_isBoundAndTheWorkingFolder_data();
    void folder_isBoundAndTheWorkingFolder();
    void folder_remoteService_isNotBound();
    void network_off_isInTheSpec();
    void pause_running_cellGoesOnAfterResume();
    void pause_connectionLost_isInterruptedByPause();
    void pause_fails_goesOn();
    void runCells_whilePaused_asksToResume();
    void queuedCells_whilePaused_runAfterResume();
    void pausedByTheService_isPaused();
    void resume_sandboxGone_isGone();
    void restart_clearsQueueAndRestartsContexts();
    void kill_endsTheRunAndTheSandbox();
    void sandboxLost_keepsOutputsAndNextRunTellsOfVariables();
    void contextLost_sandboxLives_nextRunAttachesAgain();
    void attach_existingSandbox_usesItsContext();
    void attach_pausedSandbox_isPaused();
    void setProvider_detaches();
    void destroy_whileStarting_isSafe();

private:
    CellId add(const QString &source);
    const Cell &cell(const CellId &id) const { return *m_document->find(id); }
    ScriptedContext &context(std::size_t index = 0) const { return *m_provider->contexts().at(index); }
    void runHanging(const CellId &id);

    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<ScriptedProvider> m_provider;
    std::unique_ptr<NotebookSession> m_session;
};

void NotebookSessionTest::init()
{
    m_document = std::make_unique<NotebookDocument>();
    m_provider = std::make_unique<ScriptedProvider>();
    m_session = std::make_unique<NotebookSession>(m_document.get(), m_provider.get());
}

void NotebookSessionTest::cleanup()
{
    m_session.reset();
    m_provider.reset();
    m_document.reset();
}

CellId NotebookSessionTest::add(const QString &source)
{
    return m_document->insertCell(m_document->cellCount(), Cell::Type::Code, source);
}

void NotebookSessionTest::runHanging(const CellId &id)
{
    Script script = Script::printing("so far");
    script.staysOpen = true;
    m_provider->setDefaultScript(script);
    m_session->runCells({id});
    QTRY_COMPARE(cell(id).outputs.size(), std::size_t(1));
    QCOMPARE(m_session->state(), State::Busy);
}

void NotebookSessionTest::runCells_firstRun_createsSandboxAndContext()
{
    const CellId a = add(u"a"_s);
    QCOMPARE(m_session->state(), State::NoSandbox);
    m_session->runCells({a});
    QCOMPARE(m_session->state(), State::Starting);
    QTRY_COMPARE(cell(a).run.state, CellRun::State::Finished);
    QTRY_COMPARE(m_session->state(), State::Ready);
    QCOMPARE(m_provider->created().size(), std::size_t(1));
    QCOMPARE(m_session->contexts().size(), std::size_t(1));
    QCOMPARE(m_session->sandbox().id.value, std::string("sandbox-1"));
}

void NotebookSessionTest::runCells_secondLanguage_opensASecondContext()
{
    const CellId a = add(u"a"_s), b = add(u"b"_s), c = add(u"c"_s);
    m_document->setCellLanguage(a, u"bash"_s);
    m_session->runCells({a, b, c});
    QTRY_COMPARE(cell(c).run.state, CellRun::State::Finished);
    QCOMPARE(m_provider->opened().size(), std::size_t(2));
    QCOMPARE(m_session->contexts().front()->info().language, std::string("python"));
}

void NotebookSessionTest::start_createFails_isFailedAndSaysWhy()
{
    QSignalSpy failed(m_session.get(), &NotebookSession::failed);
    m_provider->failNext({Error::Kind::Unreachable, "The engine does not answer.", {}});
    const CellId a = add(u"a"_s), b = add(u"b"_s);
    m_session->runCells({a, b});
    QTRY_COMPARE(m_session->state(), State::Failed);
    QTRY_COMPARE(cell(a).run.outcome, Outcome::Aborted);
    QCOMPARE(cell(a).run.reason, std::string("The engine does not answer."));
    QCOMPARE(cell(b).run.state, CellRun::State::None);
    QCOMPARE(m_session->lastError().kind, Error::Kind::Unreachable);
    QCOMPARE(failed.count(), 1);
}

void NotebookSessionTest::start_again_afterFailure_tries()
{
    m_provider->failNext({Error::Kind::Unreachable, "The engine does not answer.", {}});
    m_session->start();
    QTRY_COMPARE(m_session->state(), State::Failed);
    m_session->start();
    QTRY_COMPARE(m_session->state(), State::Ready);
}

void NotebookSessionTest::folder_isBoundAndTheWorkingFolder_data()
{
    using Access = NotebookSession::FolderAccess;
    QTest::addColumn<int>("access");
    QTest::addColumn<bool>("isTrusted");
    QTest::addColumn<int>("bound");
    const auto row = [](const char *name, Access access, bool isTrusted, Access bound) {
        QTest::newRow(name) << int(access) << isTrusted << int(bound);
    };
    row("read and write", Access::ReadWrite, true, Access::ReadWrite);
    row("untrusted is read-only", Access::ReadWrite, false, Access::ReadOnly);
    row("read-only", Access::ReadOnly, true, Access::ReadOnly);
    row("none", Access::None, true, Access::None);
}

void NotebookSessionTest::folder_isBoundAndTheWorkingFolder()
{
    using Access = NotebookSession::FolderAccess;
    QFETCH(int, access);
    QFETCH(bool, isTrusted);
    QFETCH(int, bound);
    m_document->setTrusted(isTrusted);
    m_session->setFolder(u"/data/work"_s, Access(access));
    const CellId a = add(u"a"_s);
    m_session->runCells({a});
    QTRY_COMPARE(cell(a).run.state, CellRun::State::Finished);
    const std::vector<FolderBind> folders = m_provider->created().front().folders;
    const bool isBound = Access(bound) != Access::None;
    QCOMPARE(folders.size(), std::size_t(isBound ? 1 : 0));
    QCOMPARE(m_provider->opened().front().cwd, std::string(isBound ? "/data/work" : ""));
    if (isBound)
        QCOMPARE(folders[0].access == FolderBind::Access::ReadOnly, Access(bound) == Access::ReadOnly);
    QCOMPARE(m_session->effectiveFolderAccess(), Access(bound));
}

void NotebookSessionTest::folder_remoteService_isNotBound()
{
    m_provider->setCapabilities(Provider::Capability::Create);
    m_session->setFolder(u"/data/work"_s, NotebookSession::FolderAccess::ReadWrite);
    m_session->runCells({add(u"a"_s)});
    QTRY_COMPARE(m_provider->opened().size(), std::size_t(1));
    QVERIFY(m_provider->created().front().folders.empty());
    QVERIFY(m_provider->opened().front().cwd.empty());
}

void NotebookSessionTest::network_off_isInTheSpec()
{
    m_session->setNetworkEnabled(false);
    m_session->start();
    QTRY_COMPARE(m_session->state(), State::Ready);
    QVERIFY(!m_provider->created().front().hasNetwork);
}

void NotebookSessionTest::pause_running_cellGoesOnAfterResume()
{
    const CellId a = add(u"a"_s);
    runHanging(a);
    m_session->pause();
    QCOMPARE(m_session->state(), State::Pausing);
    QTRY_COMPARE(m_session->state(), State::Paused);
    QCOMPARE(cell(a).run.state, CellRun::State::Running);
    m_session->resume();
    QCOMPARE(m_session->state(), State::Resuming);
    QTRY_COMPARE(m_session->state(), State::Busy);
    context().finishNow({});
    QTRY_COMPARE(cell(a).run.state, CellRun::State::Finished);
    QCOMPARE(cell(a).run.outcome, Outcome::Ok);
    QCOMPARE(m_provider->opened().size(), std::size_t(1));
}

// The seed services drop their connections when they pause.
void NotebookSessionTest::pause_connectionLost_isInterruptedByPause()
{
    const CellId a = add(u"a"_s), b = add(u"b"_s);
    runHanging(a);
    m_session->pause();
    QTRY_COMPARE(m_session->state(), State::Paused);
    context().loseConnection();
    QTRY_COMPARE(cell(a).run.state, CellRun::State::Finished);
    QCOMPARE(cell(a).run.outcome, Outcome::Interrupted);
    QCOMPARE(cell(a).run.reason, std::string("Interrupted by pause after 0:00"));
    QCOMPARE(m_session->state(), State::Paused);
    m_session->resume();
    QTRY_COMPARE(m_session->state(), State::Ready);
    context().changeState(Context::State::Idle);
    context().setDefaultScript({});
    m_session->runCells({b});
    QTRY_COMPARE(cell(b).run.state, CellRun::State::Finished);
    QCOMPARE(cell(b).run.outcome, Outcome::Ok);
    QCOMPARE(m_provider->opened().size(), std::size_t(1));
}

void NotebookSessionTest::pause_fails_goesOn()
{
    const CellId a = add(u"a"_s);
    runHanging(a);
    QSignalSpy failed(m_session.get(), &NotebookSession::failed);
    m_provider->failNext({Error::Kind::ServerError, "It cannot pause now.", {}});
    m_session->pause();
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(m_session->state(), State::Busy);
    QVERIFY(!m_session->queue()->isHeld());
}

void NotebookSessionTest::runCells_whilePaused_asksToResume()
{
    m_session->start();
    QTRY_COMPARE(m_session->state(), State::Ready);
    m_session->pause();
    QTRY_COMPARE(m_session->state(), State::Paused);
    QSignalSpy needed(m_session.get(), &NotebookSession::resumeNeeded);
    const CellId a = add(u"a"_s);
    m_session->runCells({a});
    QCOMPARE(needed.count(), 1);
    QCOMPARE(cell(a).run.state, CellRun::State::None);
}

void NotebookSessionTest::queuedCells_whilePaused_runAfterResume()
{
    const CellId a = add(u"a"_s), b = add(u"b"_s);
    runHanging(a);
    m_session->runCells({b});
    m_session->pause();
    QTRY_COMPARE(m_session->state(), State::Paused);
    context().finishNow({});
    QTRY_COMPARE(cell(a).run.state, CellRun::State::Finished);
    QCOMPARE(cell(b).run.state, CellRun::State::Queued);
    context().setDefaultScript({});
    m_session->resume();
    QTRY_COMPARE(cell(b).run.state, CellRun::State::Finished);
}

void NotebookSessionTest::pausedByTheService_isPaused()
{
    m_session->start();
    QTRY_COMPARE(m_session->state(), State::Ready);
    SandboxInfo info = m_session->sandbox();
    info.state = SandboxState::Paused;
    m_provider->changeSandbox(info);
    QCOMPARE(m_session->state(), State::Paused);
    info.state = SandboxState::Running;
    m_provider->changeSandbox(info);
    QCOMPARE(m_session->state(), State::Ready);
}

void NotebookSessionTest::resume_sandboxGone_isGone()
{
    m_session->start();
    QTRY_COMPARE(m_session->state(), State::Ready);
    m_session->pause();
    QTRY_COMPARE(m_session->state(), State::Paused);
    m_provider->forgetSandbox(m_session->sandbox().id);
    m_session->resume();
    QTRY_COMPARE(m_session->state(), State::Gone);
}

void NotebookSessionTest::restart_clearsQueueAndRestartsContexts()
{
    const CellId a = add(u"a"_s), b = add(u"b"_s);
    runHanging(a);
    m_session->runCells({b});
    m_session->restart();
    QTRY_COMPARE(cell(a).run.outcome, Outcome::Interrupted);
    QCOMPARE(cell(b).run.state, CellRun::State::None);
    QCOMPARE(context().restartCount(), 1);
    QTRY_COMPARE(m_session->state(), State::Ready);
}

void NotebookSessionTest::kill_endsTheRunAndTheSandbox()
{
    const CellId a = add(u"a"_s);
    runHanging(a);
    m_session->kill();
    QCOMPARE(m_session->state(), State::Gone);
    QCOMPARE(cell(a).run.state, CellRun::State::Finished);
    QCOMPARE(cell(a).run.reason, std::string("The sandbox was shut down."));
    QTRY_VERIFY(m_provider->sandboxes().empty());
    QVERIFY(m_session->contexts().empty());
}

void NotebookSessionTest::sandboxLost_keepsOutputsAndNextRunTellsOfVariables()
{
    const CellId a = add(u"a"_s);
    runHanging(a);
    QSignalSpy noticed(m_session.get(), &NotebookSession::noticed);
    m_provider->forgetSandbox(m_session->sandbox().id);
    context().loseConnection();
    QTRY_COMPARE(m_session->state(), State::Gone);
    QCOMPARE(cell(a).run.outcome, Outcome::ConnectionLost);
    QVERIFY(!cell(a).run.reason.empty());
    QCOMPARE(cell(a).outputs.size(), std::size_t(1));
    m_provider->setDefaultScript({});
    m_session->runCells({a});
    QTRY_COMPARE(cell(a).run.state, CellRun::State::Finished);
    QCOMPARE(cell(a).run.outcome, Outcome::Ok);
    QCOMPARE(m_provider->created().size(), std::size_t(2));
    QCOMPARE(noticed.count(), 1);
}

void NotebookSessionTest::contextLost_sandboxLives_nextRunAttachesAgain()
{
    const CellId a = add(u"a"_s);
    runHanging(a);
    QSignalSpy failed(m_session.get(), &NotebookSession::failed);
    context().loseConnection();
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(m_session->state(), State::Ready);
    QVERIFY(m_session->contexts().empty());
    context().changeState(Context::State::Idle);
    context().setDefaultScript({});
    m_session->runCells({a});
    QTRY_COMPARE(cell(a).run.state, CellRun::State::Finished);
    QCOMPARE(cell(a).run.outcome, Outcome::Ok);
    QCOMPARE(m_provider->created().size(), std::size_t(1));
    QCOMPARE(m_provider->opened().size(), std::size_t(1));
}

void NotebookSessionTest::attach_existingSandbox_usesItsContext()
{
    const CellId a = add(u"a"_s);
    m_session->runCells({a});
    QTRY_COMPARE(cell(a).run.state, CellRun::State::Finished);
    const SandboxId sandbox = m_session->sandbox().id;
    NotebookDocument other;
    NotebookSession session(&other, m_provider.get());
    session.attach(sandbox);
    other.setSource(other.cellAt(0).id, u"x"_s);
    session.runCells({other.cellAt(0).id});
    QTRY_COMPARE(other.cellAt(0).run.state, CellRun::State::Finished);
    QCOMPARE(m_provider->created().size(), std::size_t(1));
    QCOMPARE(m_provider->opened().size(), std::size_t(1));
}

void NotebookSessionTest::attach_pausedSandbox_isPaused()
{
    SandboxInfo info;
    info.id.value = "old";
    info.state = SandboxState::Paused;
    m_provider->changeSandbox(info);
    m_session->attach(info.id);
    QTRY_COMPARE(m_session->state(), State::Paused);
    const CellId a = add(u"a"_s);
    m_session->resume();
    m_session->runCells({a});
    QTRY_COMPARE(cell(a).run.state, CellRun::State::Finished);
}

void NotebookSessionTest::setProvider_detaches()
{
    m_session->start();
    QTRY_COMPARE(m_session->state(), State::Ready);
    ScriptedProvider other;
    m_session->setProvider(&other);
    QCOMPARE(m_session->state(), State::NoSandbox);
    QCOMPARE(m_provider->sandboxes().size(), std::size_t(1));
    m_session->start();
    QTRY_COMPARE(m_session->state(), State::Ready);
    QCOMPARE(other.created().size(), std::size_t(1));
    m_session.reset();
}

void NotebookSessionTest::destroy_whileStarting_isSafe()
{
    const CellId a = add(u"a"_s);
    m_provider->setHeld(true);
    m_session->runCells({a});
    m_session.reset();
    m_provider->release();
    QCOMPARE(cell(a).run.state, CellRun::State::Queued);
}

QTEST_GUILESS_MAIN(NotebookSessionTest)
#include "tst_notebooksession.moc"
