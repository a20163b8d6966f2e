#include "core/providers/lizard/lizardprovider.h"
#include "tests/support/awaited.h"
#include "tests/support/enginefixture.h"
#include "tests/support/eventloopwatch.h"

#include <QTest>

#include <algorithm>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// The lizard adapter against the real sandfishd: what a context promises, with real interpreters.
class LizardContextTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void execute_twice_keepsVariables();
    void execute_severalAtOnce_runInOrder();
    void execute_output_comesWhileItRuns();
    void execute_bothStreams_keepTheirOrder();
    void execute_figureAndValue_areBundles();
    void execute_error_isCodeErrorWithTraceback();
    void execute_timeout_isTimedOutAndKeepsVariables();
    void execute_input_isAnswered();
    void interrupt_runningCode_keepsVariables();
    void restart_runningCode_forgetsVariables();
    void interpreter_ends_isCrashedAndComesBack();
    void attach_existingContext_seesItsVariables();
    void pause_duringARun_letsItGoOnAfterResume();
    void kill_duringARun_isConnectionLost();
    void daemon_killedDuringARun_isConnectionLost();
    void create_withoutProject_isAccepted();

private:
    std::unique_ptr<LizardProvider> makeProvider(const QString &project = u"tests"_s) const;
    std::shared_ptr<Context> open(const std::string &language = "python");
    Execution *run(Context &context, const std::string &code) const { return context.execute({code}); }
    std::string value(Context &context, const std::string &code) const;

    std::unique_ptr<EngineFixture> m_engine;
    std::unique_ptr<LizardProvider> m_provider;
    SandboxId m_sandbox;
};

void LizardContextTest::init()
{
    m_engine = std::make_unique<EngineFixture>();
    QVERIFY(m_engine->start());
    m_provider = makeProvider();
    const auto sandbox = awaited<SandboxInfo>(
        [&](QObject *receiver, auto done) { m_provider->create({}, receiver, std::move(done)); }, 60000);
    QVERIFY2(sandbox, sandbox ? "" : sandbox.error().message.c_str());
    m_sandbox = sandbox->id;
}

void LizardContextTest::cleanup()
{
    m_provider.reset();
    m_engine.reset();
}

std::unique_ptr<LizardProvider> LizardContextTest::makeProvider(const QString &project) const
{
    return std::make_unique<LizardProvider>(LizardProvider::Config{u"lizard"_s, u"Lizard"_s}, m_engine->url({}),
        m_engine->readyLine().value("apiKey"_L1).toString().toUtf8(), project);
}

std::shared_ptr<Context> LizardContextTest::open(const std::string &language)
{
    const auto context = awaited<std::shared_ptr<Context>>(
        [&](QObject *receiver, auto done) {
            m_provider->openContext(m_sandbox, {language, {}}, receiver, std::move(done));
        },
        60000);
    return context ? *context : nullptr;
}

std::string LizardContextTest::value(Context &context, const std::string &code) const
{
    const Recorder recorder(run(context, code));
    if (!recorder.waitForEnd(60000))
        return "it did not end";
    const auto results = recorder.all<ExecuteResult>();
    const auto errors = recorder.all<ErrorOutput>();
    if (results.size() == 1)
        return std::string(results.front().data.text("text/plain"));
    return errors.empty() ? std::string() : errors.front().name;
}

void LizardContextTest::execute_twice_keepsVariables()
{
    for (const auto &[language, set, get] :
        {std::tuple{"python", "x = 41", "x + 1"}, std::tuple{"javascript", "let x = 41", "x + 1"}}) {
        const auto context = open(language);
        QVERIFY(context);
        QCOMPARE(value(*context, set), std::string());
        QCOMPARE(value(*context, get), std::string("42"));
    }
}

void LizardContextTest::execute_severalAtOnce_runInOrder()
{
    const auto context = open();
    QVERIFY(context);
    std::vector<std::unique_ptr<Recorder>> recorders;
    for (const char *code : {"x = 1", "x = x * 10 + 2", "x = x * 10 + 3\nprint(x)"})
        recorders.push_back(std::make_unique<Recorder>(run(*context, code)));
    QVERIFY(recorders.back()->waitForEnd(60000));
    QCOMPARE(recorders.back()->text(), std::string("123\n"));
    QCOMPARE(recorders.back()->summary.executionCount, 3);
    QCOMPARE(recorders.front()->summary.executionCount, 1);
}

void LizardContextTest::execute_output_comesWhileItRuns()
{
    EventLoopWatch watch;
    const auto context = open();
    QVERIFY(context);
    const Recorder recorder(run(*context, "print('first')\nprint(input())"));
    QTRY_COMPARE_WITH_TIMEOUT(recorder.text(), std::string("first\n"), 60000);
    QCOMPARE(recorder.finishedCount, 0);
    QCOMPARE(context->state(), Context::State::Busy);
    QVERIFY2(!watch.wasBlocked(), watch.report());
}

void LizardContextTest::execute_bothStreams_keepTheirOrder()
{
    const auto context = open();
    QVERIFY(context);
    const Recorder recorder(run(
        *context, "import sys\nfor i in range(50):\n  print(i, flush=True)\n  print(i, file=sys.stderr, flush=True)"));
    QVERIFY(recorder.waitForEnd(60000));
    std::string all;
    for (const ExecutionEvent &event : recorder.events) {
        if (const auto *stream = std::get_if<StreamText>(&event))
            all += stream->text;
    }
    std::string expected;
    for (int i = 0; i < 50; ++i)
        expected += std::to_string(i) + '\n' + std::to_string(i) + '\n';
    QCOMPARE(all, expected);
}

void LizardContextTest::execute_figureAndValue_areBundles()
{
    const auto context = open();
    QVERIFY(context);
    const Recorder recorder(run(*context,
        "class Both:\n  def _repr_mimebundle_(self, include=None, exclude=None):\n"
        "    return {'text/plain': 'plain', 'text/html': '<b>rich</b>'}\nBoth()"));
    QVERIFY(recorder.waitForEnd(60000));
    const auto results = recorder.all<ExecuteResult>();
    QCOMPARE(results.size(), std::size_t(1));
    QCOMPARE(std::string(results.front().data.text("text/plain")), std::string("plain"));
    QCOMPARE(std::string(results.front().data.text("text/html")), std::string("<b>rich</b>"));
}

void LizardContextTest::execute_error_isCodeErrorWithTraceback()
{
    const auto context = open();
    QVERIFY(context);
    const Recorder recorder(run(*context, "def f():\n  return 1/0\nf()"));
    QVERIFY(recorder.waitForEnd(60000));
    QCOMPARE(recorder.summary.outcome, Outcome::CodeError);
    const auto errors = recorder.all<ErrorOutput>();
    QCOMPARE(errors.size(), std::size_t(1));
    QCOMPARE(errors.front().name, std::string("ZeroDivisionError"));
    QVERIFY(errors.front().traceback.front().find("line 2, in f") != std::string::npos);
    QCOMPARE(context->state(), Context::State::Idle);
}

void LizardContextTest::execute_timeout_isTimedOutAndKeepsVariables()
{
    const auto context = open();
    QVERIFY(context);
    ExecuteRequest request;
    request.code = "import time\nx = 42\ntime.sleep(60)";
    request.timeout = 300ms;
    const Recorder recorder(context->execute(request));
    QVERIFY(recorder.waitForEnd(60000));
    QCOMPARE(recorder.summary.outcome, Outcome::TimedOut);
    QVERIFY(!recorder.summary.reason.empty());
    QCOMPARE(value(*context, "x"), std::string("42"));
}

void LizardContextTest::execute_input_isAnswered()
{
    const auto context = open();
    QVERIFY(context);
    Execution *execution = run(*context, "print(input('a? '))\ninput()");
    const Recorder recorder(execution);
    QTRY_COMPARE_WITH_TIMEOUT(execution->state(), Execution::State::AwaitingInput, 60000);
    QCOMPARE(recorder.all<InputRequest>().front().prompt, std::string("a? "));
    execution->sendInput("naïve");
    QTRY_COMPARE_WITH_TIMEOUT(recorder.all<InputRequest>().size(), std::size_t(2), 60000);
    QCOMPARE(recorder.text(), std::string("naïve\n"));
    execution->endInput();
    QVERIFY(recorder.waitForEnd(60000));
    QCOMPARE(recorder.all<ErrorOutput>().front().name, std::string("EOFError"));
}

void LizardContextTest::interrupt_runningCode_keepsVariables()
{
    const auto context = open();
    QVERIFY(context);
    const Recorder recorder(run(*context, "x = 42\nprint('ready')\nwhile True: pass"));
    QTRY_COMPARE_WITH_TIMEOUT(recorder.text(), std::string("ready\n"), 60000);
    QVERIFY(
        awaited<std::monostate>([&](QObject *receiver, auto done) { context->interrupt(receiver, std::move(done)); }));
    QVERIFY(recorder.waitForEnd(60000));
    QCOMPARE(recorder.summary.outcome, Outcome::Interrupted);
    QCOMPARE(value(*context, "x"), std::string("42"));
}

void LizardContextTest::restart_runningCode_forgetsVariables()
{
    const auto context = open();
    QVERIFY(context);
    const Recorder running(run(*context, "x = 42\nprint('ready')\nwhile True: pass"));
    const Recorder waiting(run(*context, "never"));
    QTRY_COMPARE_WITH_TIMEOUT(running.text(), std::string("ready\n"), 60000);
    QVERIFY(awaited<std::monostate>(
        [&](QObject *receiver, auto done) { context->restart(receiver, std::move(done)); }, 60000));
    QVERIFY(running.waitForEnd(60000));
    QCOMPARE(running.summary.outcome, Outcome::Interrupted);
    QCOMPARE(waiting.summary.outcome, Outcome::Aborted);
    QCOMPARE(value(*context, "x"), std::string("NameError"));
}

void LizardContextTest::interpreter_ends_isCrashedAndComesBack()
{
    const auto context = open();
    QVERIFY(context);
    const Recorder recorder(run(*context, "import os\nprint('before', flush=True)\nos._exit(3)"));
    QVERIFY(recorder.waitForEnd(60000));
    QCOMPARE(recorder.summary.outcome, Outcome::Crashed);
    QCOMPARE(recorder.text(), std::string("before\n"));
    QVERIFY(!recorder.summary.reason.empty());
    const Recorder next(run(*context, "print(6 * 7)"));
    QVERIFY(next.waitForEnd(60000));
    QCOMPARE(next.text(), std::string("42\n"));
    QVERIFY(!next.all<Notice>().empty());
}

void LizardContextTest::attach_existingContext_seesItsVariables()
{
    const auto context = open();
    QVERIFY(context);
    QCOMPARE(value(*context, "x = 42"), std::string());
    const auto other = makeProvider();
    const auto all = awaited<std::vector<ContextInfo>>(
        [&](QObject *receiver, auto done) { other->listContexts(m_sandbox, receiver, std::move(done)); });
    QVERIFY(all);
    const ContextId id = context->info().id;
    const auto known = std::find_if(all->begin(), all->end(), [&](const ContextInfo &info) { return info.id == id; });
    QVERIFY(known != all->end());
    const auto attached = awaited<std::shared_ptr<Context>>(
        [&](QObject *receiver, auto done) { other->attachContext(m_sandbox, *known, receiver, std::move(done)); });
    QVERIFY(attached);
    QCOMPARE(value(**attached, "x"), std::string("42"));
}

void LizardContextTest::pause_duringARun_letsItGoOnAfterResume()
{
    const auto context = open();
    QVERIFY(context);
    const Recorder recorder(run(*context, "print('ready')\nprint(input())"));
    QTRY_COMPARE_WITH_TIMEOUT(recorder.all<InputRequest>().size(), std::size_t(1), 60000);
    const auto paused = awaited<SandboxInfo>(
        [&](QObject *receiver, auto done) { m_provider->pause(m_sandbox, receiver, std::move(done)); });
    QVERIFY(paused);
    QCOMPARE(paused->state, SandboxState::Paused);
    const auto resumed = awaited<SandboxInfo>(
        [&](QObject *receiver, auto done) { m_provider->resume(m_sandbox, receiver, std::move(done)); });
    QVERIFY(resumed);
    QCOMPARE(resumed->state, SandboxState::Running);
    QCOMPARE(recorder.finishedCount, 0);
    context->findChild<Execution *>()->sendInput("went on");
    QVERIFY(recorder.waitForEnd(60000));
    QCOMPARE(recorder.summary.outcome, Outcome::Ok);
    QCOMPARE(recorder.text(), std::string("ready\nwent on\n"));
}

void LizardContextTest::kill_duringARun_isConnectionLost()
{
    const auto context = open();
    QVERIFY(context);
    const Recorder recorder(run(*context, "print('ready')\nwhile True: pass"));
    QTRY_COMPARE_WITH_TIMEOUT(recorder.text(), std::string("ready\n"), 60000);
    QVERIFY(awaited<std::monostate>(
        [&](QObject *receiver, auto done) { m_provider->kill(m_sandbox, receiver, std::move(done)); }));
    QVERIFY(recorder.waitForEnd(60000));
    QVERIFY(recorder.summary.outcome != Outcome::Ok);
    QVERIFY(!recorder.summary.reason.empty());
    QCOMPARE(recorder.finishedCount, 1);
}

void LizardContextTest::daemon_killedDuringARun_isConnectionLost()
{
    const auto context = open();
    QVERIFY(context);
    const Recorder recorder(run(*context, "print('ready')\nwhile True: pass"));
    QTRY_COMPARE_WITH_TIMEOUT(recorder.text(), std::string("ready\n"), 60000);
    m_engine->process().kill();
    QVERIFY(recorder.waitForEnd(60000));
    QCOMPARE(recorder.summary.outcome, Outcome::ConnectionLost);
    QCOMPARE(recorder.finishedCount, 1);
}

void LizardContextTest::create_withoutProject_isAccepted()
{
    const auto provider = makeProvider({});
    const auto sandbox = awaited<SandboxInfo>(
        [&](QObject *receiver, auto done) { provider->create({}, receiver, std::move(done)); }, 60000);
    QVERIFY2(sandbox, sandbox ? "" : sandbox.error().message.c_str());
}

QTEST_GUILESS_MAIN(LizardContextTest)
#include "tst_lizardcontext.moc"
