#include "core/session/variablewatch.h"

#include "core/document/notebookdocument.h"
#include "core/session/notebooksession.h"
#include "core/session/valuereader.h"
#include "tests/support/scriptedprovider.h"

#include <QSignalSpy>
#include <QTest>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

using State = VariableWatch::State;

/// When variables are read, and when not: case P40 of notebooks.md.
class VariableWatchTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void state_withoutSession_isNoNotebook();
    void state_beforeTheFirstRun_isNoContext();
    void state_serviceWithoutLooks_isUnsupported();
    void run_ended_isReadOnce();
    void run_severalCells_areReadOnce();
    void run_goesOn_isNotRead();
    void inactive_isNotReadUntilActive();
    void refusedByStartingInterpreter_isAskedAgain();
    void failed_keepsTheLastReading();
    void pause_keepsTheLastReading();
    void otherSession_andBack_showsItsLastReading();
    void otherLanguage_showsItsContext();
    void session_dies_isNoNotebook();
    void reader_askedWhileBusy_answersAfterwards();
    void reader_manyQuestions_dropsTheOldest();
    void reader_contextRestarted_saysOutdated();
    void reader_sandboxKilled_isGone();

private:
    CellId add(const QString &source);
    const Cell &cell(const CellId &id) const { return *m_document->find(id); }
    ScriptedContext &context(std::size_t index = 0) const { return *m_provider->contexts().at(index); }
    ScriptedLook &look(std::size_t index = 0) const { return context(index).look(); }
    void runFirst();
    CellId runHanging();

    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<ScriptedProvider> m_provider;
    std::unique_ptr<NotebookSession> m_session;
    std::unique_ptr<VariableWatch> m_watch;
};

void VariableWatchTest::init()
{
    m_document = std::make_unique<NotebookDocument>();
    m_provider = std::make_unique<ScriptedProvider>();
    m_session = std::make_unique<NotebookSession>(m_document.get(), m_provider.get());
    m_watch = std::make_unique<VariableWatch>();
}

void VariableWatchTest::cleanup()
{
    m_watch.reset();
    m_session.reset();
    m_provider.reset();
    m_document.reset();
}

CellId VariableWatchTest::add(const QString &source)
{
    return m_document->insertCell(m_document->cellCount(), Cell::Type::Code, source);
}

/// One cell has run, and the context shows one variable.
void VariableWatchTest::runFirst()
{
    const CellId id = add(u"x = 1"_s);
    m_session->runCells({id});
    QTRY_COMPARE(cell(id).run.state, CellRun::State::Finished);
    QTRY_COMPARE(m_session->state(), NotebookSession::State::Ready);
    look().looks = Context::Look::Variables | Context::Look::Value;
    look().variables = {{{"x", "int", 28, "1", std::nullopt}}, 1};
    look().value = [](const ValueQuery &query) {
        ValuePage page;
        page.offset = query.offset;
        page.total = 1000;
        page.text = "at " + std::to_string(query.offset);
        return page;
    };
}

CellId VariableWatchTest::runHanging()
{
    context().setDefaultScript(Script::hanging());
    const CellId id = add(u"wait()"_s);
    m_session->runCells({id});
    [&] { QTRY_COMPARE(cell(id).run.state, CellRun::State::Running); }();
    return id;
}

void VariableWatchTest::state_withoutSession_isNoNotebook()
{
    m_watch->setActive(true);
    QCOMPARE(m_watch->state(), State::NoNotebook);
}

void VariableWatchTest::state_beforeTheFirstRun_isNoContext()
{
    m_watch->setSession(m_session.get());
    QCOMPARE(m_watch->state(), State::NoContext);
    m_session->start();
    QTRY_COMPARE(m_session->state(), NotebookSession::State::Ready);
    QCOMPARE(m_watch->state(), State::NoContext);
}

void VariableWatchTest::state_serviceWithoutLooks_isUnsupported()
{
    runFirst();
    look().looks = {};
    m_watch->setActive(true);
    m_watch->setSession(m_session.get());
    QCOMPARE(m_watch->state(), State::Unsupported);
    QTest::qWait(0);
    QCOMPARE(look().variablesAsked, 0);
}

void VariableWatchTest::run_ended_isReadOnce()
{
    runFirst();
    m_watch->setActive(true);
    m_watch->setSession(m_session.get());
    QCOMPARE(m_watch->state(), State::Reading);
    QTRY_COMPARE(m_watch->state(), State::Current);
    QCOMPARE(m_watch->variables().variables.at(0).name, std::string("x"));
    QVERIFY(m_watch->readAt().isValid());
    QCOMPARE(look().variablesAsked, 1);
}

void VariableWatchTest::run_severalCells_areReadOnce()
{
    runFirst();
    m_watch->setActive(true);
    m_watch->setSession(m_session.get());
    QTRY_COMPARE(m_watch->state(), State::Current);
    const std::vector<CellId> ids{add(u"a"_s), add(u"b"_s), add(u"c"_s)};
    QSignalSpy read(m_watch.get(), &VariableWatch::readAgain);
    m_session->runCells(ids);
    QTRY_COMPARE(cell(ids.back()).run.state, CellRun::State::Finished);
    QTRY_COMPARE(read.count(), 1);
    QCOMPARE(look().variablesAsked, 2);
}

void VariableWatchTest::run_goesOn_isNotRead()
{
    runFirst();
    m_watch->setActive(true);
    m_watch->setSession(m_session.get());
    QTRY_COMPARE(m_watch->state(), State::Current);
    runHanging();
    QCOMPARE(m_watch->state(), State::Busy);
    m_watch->refresh(); // not even then
    QVERIFY(!QTest::qWaitFor([this] { return look().variablesAsked > 1; }, 400));
    QCOMPARE(m_watch->variables().variables.size(), std::size_t(1)); // the last reading stays
    context().finishNow({Outcome::Ok});
    QTRY_COMPARE(look().variablesAsked, 2);
    QTRY_COMPARE(m_watch->state(), State::Current);
}

void VariableWatchTest::inactive_isNotReadUntilActive()
{
    runFirst();
    m_watch->setSession(m_session.get());
    QVERIFY(!QTest::qWaitFor([this] { return look().variablesAsked > 0; }, 400));
    m_watch->setActive(true);
    QTRY_COMPARE(look().variablesAsked, 1);
}

void VariableWatchTest::refusedByStartingInterpreter_isAskedAgain()
{
    runFirst();
    look().isRefusing = true;
    m_watch->setActive(true);
    m_watch->setSession(m_session.get());
    QTRY_VERIFY(look().variablesAsked > 1);
    look().isRefusing = false;
    QTRY_COMPARE(m_watch->state(), State::Current);
}

void VariableWatchTest::failed_keepsTheLastReading()
{
    runFirst();
    m_watch->setActive(true);
    m_watch->setSession(m_session.get());
    QTRY_COMPARE(m_watch->state(), State::Current);
    look().isHeld = true;
    m_watch->refresh();
    QTRY_COMPARE(look().variablesAsked, 2);
    look().failure = Error{Error::Kind::Timeout, "Too slow.", {}};
    look().release();
    QTRY_COMPARE(m_watch->state(), State::Failed);
    QCOMPARE(m_watch->errorText(), u"Too slow."_s);
    QCOMPARE(m_watch->variables().variables.size(), std::size_t(1));
    look().failure.reset();
    m_watch->refresh();
    QTRY_COMPARE(m_watch->state(), State::Current);
}

void VariableWatchTest::pause_keepsTheLastReading()
{
    runFirst();
    m_watch->setActive(true);
    m_watch->setSession(m_session.get());
    QTRY_COMPARE(m_watch->state(), State::Current);
    m_session->pause();
    QTRY_COMPARE(m_session->state(), NotebookSession::State::Paused);
    QCOMPARE(m_watch->state(), State::Paused);
    QCOMPARE(m_watch->variables().variables.size(), std::size_t(1));
    QCOMPARE(look().variablesAsked, 1);
}

void VariableWatchTest::otherSession_andBack_showsItsLastReading()
{
    runFirst();
    m_watch->setActive(true);
    m_watch->setSession(m_session.get());
    QTRY_COMPARE(m_watch->state(), State::Current);
    NotebookDocument document;
    NotebookSession other(&document, m_provider.get());
    m_watch->setSession(&other);
    QCOMPARE(m_watch->state(), State::NoContext);
    QVERIFY(m_watch->variables().variables.empty());
    m_watch->setSession(m_session.get());
    QCOMPARE(m_watch->variables().variables.size(), std::size_t(1));
}

void VariableWatchTest::otherLanguage_showsItsContext()
{
    runFirst();
    const CellId id = add(u"y=2"_s);
    m_document->setCellLanguage(id, u"bash"_s);
    m_session->runCells({id});
    QTRY_COMPARE(cell(id).run.state, CellRun::State::Finished);
    look(1).looks = Context::Look::Variables;
    look(1).variables = {{{"y", "string", std::nullopt, "2", std::nullopt}}, 1};
    m_watch->setActive(true);
    m_watch->setSession(m_session.get());
    QTRY_COMPARE(m_watch->state(), State::Current);
    QCOMPARE(m_watch->variables().variables.at(0).name, std::string("x"));
    m_watch->setLanguage(u"bash"_s);
    QTRY_COMPARE(m_watch->variables().variables.size(), std::size_t(1));
    QCOMPARE(m_watch->variables().variables.at(0).name, std::string("y"));
}

void VariableWatchTest::session_dies_isNoNotebook()
{
    runFirst();
    m_watch->setActive(true);
    m_watch->setSession(m_session.get());
    QTRY_COMPARE(m_watch->state(), State::Current);
    look().isHeld = true;
    m_watch->refresh();
    QTRY_COMPARE(look().variablesAsked, 2);
    m_session.reset();
    QCOMPARE(m_watch->state(), State::NoNotebook);
    QVERIFY(m_watch->variables().variables.empty());
}

void VariableWatchTest::reader_askedWhileBusy_answersAfterwards()
{
    runFirst();
    runHanging();
    ValueReader reader(m_session.get(), m_session->contexts().front(), "x");
    QCOMPARE(reader.state(), ValueReader::State::Busy);
    QSignalSpy pages(&reader, &ValueReader::pageRead);
    reader.ask(300, 100);
    QTest::qWait(0);
    QVERIFY(look().valuesAsked.empty());
    context().finishNow({Outcome::Ok});
    QTRY_COMPARE(pages.count(), 1);
    QCOMPARE(look().valuesAsked.at(0).offset, 300);
    QCOMPARE(look().valuesAsked.at(0).limit, 100);
}

void VariableWatchTest::reader_manyQuestions_dropsTheOldest()
{
    runFirst();
    look().isHeld = true;
    ValueReader reader(m_session.get(), m_session->contexts().front(), "x");
    QSignalSpy dropped(&reader, &ValueReader::dropped);
    for (std::int64_t offset = 0; offset < 700; offset += 100)
        reader.ask(offset, 100);
    look().release();
    QTRY_VERIFY(!reader.isAsking());
    QCOMPARE(dropped.count(), 2);                   // one is under way, four wait
    QCOMPARE(look().valuesAsked.at(1).offset, 600); // the newest is what is looked at
}

void VariableWatchTest::reader_contextRestarted_saysOutdated()
{
    runFirst();
    ValueReader reader(m_session.get(), m_session->contexts().front(), "x");
    QSignalSpy outdated(&reader, &ValueReader::outdated);
    const CellId id = add(u"x = 2"_s);
    m_session->runCells({id});
    QTRY_COMPARE(outdated.count(), 1);
    QCOMPARE(reader.state(), ValueReader::State::Ready);
}

void VariableWatchTest::reader_sandboxKilled_isGone()
{
    runFirst();
    ValueReader reader(m_session.get(), m_session->contexts().front(), "x");
    QSignalSpy pages(&reader, &ValueReader::pageRead);
    m_session->kill();
    QCOMPARE(reader.state(), ValueReader::State::Gone);
    reader.ask(0, 100);
    QVERIFY(look().valuesAsked.empty());
}

QTEST_GUILESS_MAIN(VariableWatchTest)
#include "tst_variablewatch.moc"
