#include "core/document/notebookdocument.h"
#include "core/session/notebooksession.h"
#include "core/session/unusedsandbox.h"
#include "tests/support/scriptedprovider.h"

#include <QSignalSpy>
#include <QTest>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

namespace {

using State = NotebookSession::State;
using FolderAccess = NotebookSession::FolderAccess;

/// A notebook that is opened again, and sandboxes that nobody used.
class SessionReattachTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void reattach_livingSandbox_isUsedWithItsFolder();
    void reattach_missingSandbox_isNoFailure();
    void reattach_missingLocalSandbox_startsAnother();
    void reattach_missingSandbox_runsWhatWaits();
    void reattach_unreachableService_isAFailure();
    void reattach_writableSandbox_isForTrustedNotebooks_data();
    void reattach_writableSandbox_isForTrustedNotebooks();
    void contexts_ofOneLanguage_mostUsedIsTaken();
    void unused_startedAhead_untilTheFirstRun();
    void unused_sandboxOfAnEarlierSession_never();
    void unused_paused_isKept();
    void end_unusedSandbox_kills_data();
    void end_unusedSandbox_kills();
    void end_lostService_isDone_data();
    void end_lostService_isDone();

private:
    SandboxId addSandbox(SandboxState state);
    CellId addCell() { return m_document->insertCell(m_document->cellCount(), Cell::Type::Code, u"1"_s); }
    const Cell &cell(const CellId &id) const { return *m_document->find(id); }

    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<ScriptedProvider> m_provider;
    std::unique_ptr<NotebookSession> m_session;
};

void SessionReattachTest::init()
{
    m_document = std::make_unique<NotebookDocument>();
    m_provider = std::make_unique<ScriptedProvider>();
    m_session = std::make_unique<NotebookSession>(m_document.get(), m_provider.get());
}

void SessionReattachTest::cleanup()
{
    m_session.reset();
    m_provider.reset();
    m_document.reset();
}

SandboxId SessionReattachTest::addSandbox(SandboxState state)
{
    SandboxInfo info;
    info.id.value = "earlier";
    info.state = state;
    m_provider->changeSandbox(info);
    return info.id;
}

void SessionReattachTest::reattach_livingSandbox_isUsedWithItsFolder()
{
    m_session->setFolder(u"/work"_s, FolderAccess::ReadWrite);
    m_session->reattach(addSandbox(SandboxState::Running), FolderAccess::ReadOnly);
    QTRY_COMPARE(m_session->state(), State::Ready);
    QCOMPARE(m_session->effectiveFolderAccess(), FolderAccess::ReadOnly);
    const CellId id = addCell();
    m_session->runCells({id});
    QTRY_COMPARE(cell(id).run.state, CellRun::State::Finished);
    QVERIFY(m_provider->created().empty());
    QCOMPARE(m_provider->opened().front().cwd, std::string("/work"));
}

void SessionReattachTest::reattach_missingSandbox_isNoFailure()
{
    m_provider->setCapabilities(Provider::Capability::Pause);
    QSignalSpy failed(m_session.get(), &NotebookSession::failed);
    m_session->reattach(SandboxId{"gone"}, FolderAccess::None);
    QCOMPARE(m_session->state(), State::Starting);
    QTRY_COMPARE(m_session->state(), State::NoSandbox);
    QVERIFY(failed.isEmpty());
    QVERIFY(m_provider->created().empty());
}

void SessionReattachTest::reattach_missingLocalSandbox_startsAnother()
{
    m_provider->setCapabilities(Provider::Capability::FolderBinds);
    m_session->reattach(SandboxId{"gone"}, FolderAccess::None);
    QTRY_COMPARE(m_session->state(), State::Ready);
    QCOMPARE(m_provider->created().size(), std::size_t(1));
}

void SessionReattachTest::reattach_missingSandbox_runsWhatWaits()
{
    const CellId id = addCell();
    m_session->reattach(SandboxId{"gone"}, FolderAccess::None);
    m_session->runCells({id});
    QTRY_COMPARE(cell(id).run.state, CellRun::State::Finished);
    QCOMPARE(cell(id).run.outcome, Outcome::Ok);
}

void SessionReattachTest::reattach_unreachableService_isAFailure()
{
    m_provider->failNext({Error::Kind::Unreachable, "no network", {}});
    m_session->reattach(addSandbox(SandboxState::Running), FolderAccess::None);
    QTRY_COMPARE(m_session->state(), State::Failed);
}

void SessionReattachTest::reattach_writableSandbox_isForTrustedNotebooks_data()
{
    QTest::addColumn<bool>("isTrusted");
    QTest::addColumn<FolderAccess>("remembered");
    QTest::addColumn<FolderBind::Access>("bound");
    QTest::addColumn<bool>("isUsed");
    const auto writable = FolderBind::Access::ReadWrite;
    const auto readOnly = FolderBind::Access::ReadOnly;
    QTest::newRow("untrusted, the service says writable") << false << FolderAccess::None << writable << false;
    QTest::newRow("untrusted, remembered as writable") << false << FolderAccess::ReadWrite << readOnly << false;
    QTest::newRow("untrusted, read-only") << false << FolderAccess::ReadOnly << readOnly << true;
    QTest::newRow("trusted, writable") << true << FolderAccess::ReadWrite << writable << true;
}

void SessionReattachTest::reattach_writableSandbox_isForTrustedNotebooks()
{
    QFETCH(bool, isTrusted);
    QFETCH(FolderAccess, remembered);
    QFETCH(FolderBind::Access, bound);
    QFETCH(bool, isUsed);
    m_document->setTrusted(isTrusted);
    m_session->setFolder(u"/work"_s, FolderAccess::ReadWrite);
    SandboxInfo info{SandboxId{"earlier"}};
    info.state = SandboxState::Running;
    info.folders = {{"/work", bound}};
    m_provider->changeSandbox(info);
    QSignalSpy failed(m_session.get(), &NotebookSession::failed);
    m_session->reattach(info.id, remembered);
    QTRY_COMPARE(m_session->state(), State::Ready);
    QCOMPARE(m_session->sandbox().id == info.id, isUsed);
    QCOMPARE(m_provider->created().size(), std::size_t(isUsed ? 0 : 1));
    if (!isUsed)
        QCOMPARE(m_provider->created().front().folders.front().access, FolderBind::Access::ReadOnly);
    QVERIFY(failed.isEmpty());
    QVERIFY(m_provider->sandboxes().contains(info.id));
}

void SessionReattachTest::contexts_ofOneLanguage_mostUsedIsTaken()
{
    const SandboxId sandbox = addSandbox(SandboxState::Running);
    const auto add = [&](const char *id, std::optional<int> runs) {
        m_provider->addContext(sandbox, {{id}, "python", {}, ContextState::Idle, {}, runs});
    };
    add("unknown", std::nullopt);
    add("unused", 0);
    add("own", 7);
    add("other", 2);
    m_session->reattach(sandbox, FolderAccess::None);
    QTRY_COMPARE(m_session->contexts().size(), std::size_t(1));
    QCOMPARE(m_session->contexts().front()->info().id.value, std::string("own"));
}

void SessionReattachTest::unused_startedAhead_untilTheFirstRun()
{
    QVERIFY(!m_session->isSandboxUnused());
    m_session->start();
    QTRY_VERIFY(m_session->isSandboxUnused());
    const CellId id = addCell();
    m_session->runCells({id});
    QVERIFY(!m_session->isSandboxUnused());
    QTRY_COMPARE(cell(id).run.state, CellRun::State::Finished);
    QVERIFY(!m_session->isSandboxUnused());
}

void SessionReattachTest::unused_sandboxOfAnEarlierSession_never()
{
    m_session->reattach(addSandbox(SandboxState::Running), FolderAccess::None);
    QTRY_COMPARE(m_session->state(), State::Ready);
    QVERIFY(!m_session->isSandboxUnused());
}

// Who pauses a sandbox wants to keep it.
void SessionReattachTest::unused_paused_isKept()
{
    m_provider->setCapabilities(Provider::Capability::Pause);
    m_session->start();
    QTRY_COMPARE(m_session->state(), State::Ready);
    m_session->pause();
    QTRY_COMPARE(m_session->state(), State::Paused);
    QVERIFY(!m_session->isSandboxUnused());
}

void SessionReattachTest::end_unusedSandbox_kills_data()
{
    QTest::addColumn<std::vector<ContextInfo>>("contexts");
    QTest::addColumn<bool>("isEnded");
    const auto context = [](const char *id, std::optional<int> runs, ContextState state = ContextState::Idle) {
        return ContextInfo{{id}, "python", {}, state, {}, runs};
    };
    QTest::newRow("unused") << std::vector{context("a", 0), context("b", 0)} << true;
    QTest::newRow("used") << std::vector{context("a", 0), context("b", 3)} << false;
    QTest::newRow("count unknown") << std::vector{context("a", 0), context("b", std::nullopt)} << false;
    QTest::newRow("being used") << std::vector{context("a", 0, ContextState::Busy)} << false;
    QTest::newRow("contexts taken away") << std::vector<ContextInfo>() << false;
}

void SessionReattachTest::end_unusedSandbox_kills()
{
    QFETCH(std::vector<ContextInfo>, contexts);
    QFETCH(bool, isEnded);
    const SandboxId sandbox = addSandbox(SandboxState::Running);
    for (const ContextInfo &context : contexts)
        m_provider->addContext(sandbox, context);
    int doneCount = 0;
    endUnusedSandbox(*m_provider, sandbox, this, [&doneCount] { ++doneCount; });
    QCOMPARE(doneCount, 0);
    QTRY_COMPARE(doneCount, 1);
    QCOMPARE(m_provider->sandboxes().contains(sandbox), !isEnded);
}

void SessionReattachTest::end_lostService_isDone_data()
{
    QTest::addColumn<bool>("isLostBeforeTheList");
    QTest::newRow("before the list") << true;
    QTest::newRow("before the kill") << false;
}

void SessionReattachTest::end_lostService_isDone()
{
    QFETCH(bool, isLostBeforeTheList);
    const Error lost{Error::Kind::Unreachable, "no network", {}};
    const SandboxId sandbox = addSandbox(SandboxState::Running);
    m_provider->addContext(sandbox, {{"a"}, "python", {}, ContextState::Idle, {}, 0});
    m_provider->setHeld(true);
    int doneCount = 0;
    endUnusedSandbox(*m_provider, sandbox, this, [&doneCount] { ++doneCount; });
    if (isLostBeforeTheList)
        m_provider->failNext(lost);
    m_provider->release();
    if (!isLostBeforeTheList)
        m_provider->failNext(lost);
    QTRY_COMPARE(doneCount, 1);
    QVERIFY(m_provider->sandboxes().contains(sandbox));
}

} // namespace

QTEST_GUILESS_MAIN(SessionReattachTest)
#include "tst_sessionreattach.moc"
