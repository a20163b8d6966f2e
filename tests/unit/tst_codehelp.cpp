#include "core/session/codehelp.h"

#include "core/document/notebookdocument.h"
#include "core/session/notebooksession.h"
#include "tests/support/awaited.h"
#include "tests/support/scriptedprovider.h"

#include <QTest>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

using Source = CodeHelp::Source;

/// Who is asked about code that is being written, and why not the kernel.
class CodeHelpTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void source_beforeTheFirstRun_isNoKernel();
    void source_idleKernel_isTheKernel();
    void source_otherLanguage_isNoKernel();
    void source_whileACellRuns_isBusy();
    void source_paused_isPaused();
    void source_untrusted_isUntrusted();
    void source_withoutLooks_isUnsupported();
    void source_sessionDied_isNoKernel();
    void complete_kernel_isAsked();
    void complete_busy_isRefusedAndNotAsked();
    void inspect_withoutInspection_isRefused();

private:
    CellId run(const QString &source);
    ScriptedContext &context() const { return *m_provider->contexts().at(0); }

    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<ScriptedProvider> m_provider;
    std::unique_ptr<NotebookSession> m_session;
    std::unique_ptr<CodeHelp> m_help;
};

void CodeHelpTest::init()
{
    m_document = std::make_unique<NotebookDocument>();
    m_provider = std::make_unique<ScriptedProvider>();
    m_session = std::make_unique<NotebookSession>(m_document.get(), m_provider.get());
    m_help = std::make_unique<CodeHelp>(m_session.get());
}

void CodeHelpTest::cleanup()
{
    m_help.reset();
    m_session.reset();
    m_provider.reset();
    m_document.reset();
}

CellId CodeHelpTest::run(const QString &source)
{
    const CellId id = m_document->insertCell(0, Cell::Type::Code, source);
    m_session->runCells({id});
    [&] { QTRY_VERIFY(m_document->find(id)->run.state >= CellRun::State::Running); }();
    if (m_document->find(id)->run.state != CellRun::State::Running)
        [&] { QTRY_COMPARE(m_session->state(), NotebookSession::State::Ready); }();
    context().look().looks = Context::Look::Complete | Context::Look::Inspect;
    return id;
}

void CodeHelpTest::source_beforeTheFirstRun_isNoKernel()
{
    QCOMPARE(m_help->source(u"python"_s), Source::NoKernel);
    QVERIFY(!m_help->canInspect(u"python"_s));
}

void CodeHelpTest::source_idleKernel_isTheKernel()
{
    run(u"x = 1"_s);
    QTRY_COMPARE(m_help->source(u"python"_s), Source::Kernel);
    QVERIFY(m_help->canInspect(u"python"_s));
    QCOMPARE(m_help->source(u"Python3"_s), Source::Kernel); // an alias of protocols.md §1.3
}

void CodeHelpTest::source_otherLanguage_isNoKernel()
{
    run(u"x = 1"_s);
    QCOMPARE(m_help->source(u"bash"_s), Source::NoKernel);
}

void CodeHelpTest::source_whileACellRuns_isBusy()
{
    m_provider->setDefaultScript(Script::hanging());
    run(u"wait()"_s);
    QTRY_COMPARE(m_help->source(u"python"_s), Source::Busy);
}

void CodeHelpTest::source_paused_isPaused()
{
    run(u"x = 1"_s);
    QTRY_COMPARE(m_session->state(), NotebookSession::State::Ready);
    m_session->pause();
    QTRY_COMPARE(m_session->state(), NotebookSession::State::Paused);
    QCOMPARE(m_help->source(u"python"_s), Source::Paused);
}

void CodeHelpTest::source_untrusted_isUntrusted()
{
    run(u"x = 1"_s);
    QTRY_COMPARE(m_help->source(u"python"_s), Source::Kernel);
    m_document->setTrusted(false);
    QCOMPARE(m_help->source(u"python"_s), Source::Untrusted);
    QVERIFY(!m_help->canInspect(u"python"_s));
}

void CodeHelpTest::source_withoutLooks_isUnsupported()
{
    run(u"x = 1"_s);
    context().look().looks = {};
    QTRY_COMPARE(m_help->source(u"python"_s), Source::Unsupported);
}

void CodeHelpTest::source_sessionDied_isNoKernel()
{
    run(u"x = 1"_s);
    m_session.reset();
    QCOMPARE(m_help->source(u"python"_s), Source::NoKernel);
}

void CodeHelpTest::complete_kernel_isAsked()
{
    run(u"x = 1"_s);
    QTRY_COMPARE(m_help->source(u"python"_s), Source::Kernel);
    context().look().completions = [](const CodePlace &) { return CompletionList{{{"xylophone", "instance"}}, 0, 2}; };
    const auto answer = awaited<CompletionList>([&](QObject *receiver, auto done) {
        m_help->complete(u"python"_s, {"xy", 2}, receiver, std::move(done));
    });
    QVERIFY(answer);
    QCOMPARE(answer->matches.at(0).text, std::string("xylophone"));
    QCOMPARE(context().look().completionsAsked.at(0).code, std::string("xy"));
}

void CodeHelpTest::complete_busy_isRefusedAndNotAsked()
{
    m_provider->setDefaultScript(Script::hanging());
    run(u"wait()"_s);
    const auto answer = awaited<CompletionList>([&](QObject *receiver, auto done) {
        m_help->complete(u"python"_s, {"xy", 2}, receiver, std::move(done));
    });
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Error::Kind::Unsupported);
    QVERIFY(context().look().completionsAsked.empty());
}

void CodeHelpTest::inspect_withoutInspection_isRefused()
{
    run(u"x = 1"_s);
    context().look().looks = Context::Look::Complete;
    QTRY_COMPARE(m_help->source(u"python"_s), Source::Kernel);
    const auto answer = awaited<Inspection>([&](QObject *receiver, auto done) {
        m_help->inspect(u"python"_s, {"xy", 2}, receiver, std::move(done));
    });
    QVERIFY(!answer);
    QVERIFY(context().look().inspectionsAsked.empty());
}

QTEST_GUILESS_MAIN(CodeHelpTest)
#include "tst_codehelp.moc"
