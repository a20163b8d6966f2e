#include "core/providers/daytona/daytonaprovider.h"
#include "tests/support/awaited.h"
#include "tests/support/enginefixture.h"
#include "tests/support/eventloopwatch.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// The Daytona adapter against the real sandfishd, whose Daytona face the vendor's own SDK is tested with too.
class DaytonaAdapterTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void create_sandbox_isListedAndRuns();
    void execute_twice_keepsVariables();
    void execute_output_comesWhileItRuns();
    void execute_bothStreams_areApart();
    void execute_error_isCodeErrorWithTraceback();
    void execute_largeOutput_isWhole();
    void execute_limit_isTimedOutAndKeepsVariables();
    void execute_input_endsAtOnce();
    void execute_crash_isCrashedAndComesBack();
    void interrupt_running_keepsVariables();
    void restart_running_forgetsVariablesUnderANewId();
    void attach_existingContext_seesItsVariables();
    void stopAndStart_keepFilesAndLoseVariables();
    void pauseAndResume_keepVariables();
    void stop_duringARun_isNoSuccess();
    void kill_duringARun_isNoSuccess();
    void kill_sandbox_isGone();
    void key_wrong_isUnauthenticated();

private:
    template <typename T, typename Act> Result<T> call(Act act)
    {
        return awaited<T>([&](QObject *receiver, auto done) { act(*m_provider, receiver, std::move(done)); }, 60000);
    }
    template <typename Member> Result<SandboxInfo> change(Member member)
    {
        return call<SandboxInfo>([&](auto &p, auto *r, auto done) { (p.*member)(m_sandbox, r, std::move(done)); });
    }
    std::shared_ptr<Context> open();
    /// What the code prints; the name of its error where it raises one.
    std::string printed(Context &context, const std::string &code) const;
    ExecutionSummary ended(Context &context, const ExecuteRequest &request) const;

    std::unique_ptr<EngineFixture> m_engine;
    std::unique_ptr<DaytonaProvider> m_provider;
    SandboxId m_sandbox;
};

void DaytonaAdapterTest::init()
{
    m_engine = std::make_unique<EngineFixture>();
    QVERIFY(m_engine->start());
    DaytonaConfig config;
    config.apiUrl = m_engine->url(u"/daytona/api"_s);
    config.key = m_engine->readyLine().value("apiKey"_L1).toString().toUtf8();
    m_provider = std::make_unique<DaytonaProvider>(config);
    SandboxSpec spec;
    spec.name = "tour";
    const auto made = call<SandboxInfo>([&](auto &p, auto *r, auto done) { p.create(spec, r, std::move(done)); });
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    QCOMPARE(made->state, SandboxState::Running);
    m_sandbox = made->id;
}

void DaytonaAdapterTest::cleanup()
{
    m_provider.reset();
    m_engine.reset();
}

std::shared_ptr<Context> DaytonaAdapterTest::open()
{
    const auto context = call<std::shared_ptr<Context>>([&](auto &p, auto *r, auto done) {
        p.openContext(m_sandbox, {"python", {}}, r, std::move(done));
    });
    if (!context) {
        qWarning("%s", context.error().message.c_str());
        return nullptr;
    }
    return *context;
}

std::string DaytonaAdapterTest::printed(Context &context, const std::string &code) const
{
    const Recorder recorder(context.execute({.code = code}));
    if (!recorder.waitForEnd(60000))
        return "it did not end";
    const auto errors = recorder.all<ErrorOutput>();
    return errors.empty() ? recorder.text() : errors.front().name;
}

ExecutionSummary DaytonaAdapterTest::ended(Context &context, const ExecuteRequest &request) const
{
    const Recorder recorder(context.execute(request));
    return recorder.waitForEnd(60000) ? recorder.summary : ExecutionSummary{Outcome::Aborted, 0, {}, "it did not end"};
}

void DaytonaAdapterTest::create_sandbox_isListedAndRuns()
{
    const auto all = call<std::vector<SandboxInfo>>([](auto &p, auto *r, auto done) { p.list(r, std::move(done)); });
    QVERIFY2(all, all ? "" : all.error().message.c_str());
    QCOMPARE(all->size(), std::size_t(1));
    QVERIFY(all->front().id == m_sandbox);
    QCOMPARE(all->front().name, std::string("tour"));
    QCOMPARE(all->front().state, SandboxState::Running);
    QVERIFY(all->front().endsAt.has_value());
}

void DaytonaAdapterTest::execute_twice_keepsVariables()
{
    const auto context = open();
    QVERIFY(context);
    QCOMPARE(printed(*context, "x = 41"), std::string());
    QCOMPARE(printed(*context, "print(x + 1)"), std::string("42\n"));
    QVERIFY(!context->info().version.empty());
}

void DaytonaAdapterTest::execute_output_comesWhileItRuns()
{
    EventLoopWatch watch;
    const auto context = open();
    QVERIFY(context);
    Recorder recorder(context->execute({.code = "import time\nprint('first', flush=True)\ntime.sleep(600)"}));
    QTRY_COMPARE_WITH_TIMEOUT(recorder.text(), std::string("first\n"), 60000);
    QCOMPARE(recorder.finishedCount, 0);
    QCOMPARE(context->state(), Context::State::Busy);
    QVERIFY2(!watch.wasBlocked(), watch.report());
}

void DaytonaAdapterTest::execute_bothStreams_areApart()
{
    const auto context = open();
    QVERIFY(context);
    const Recorder recorder(context->execute({.code = "import sys\nprint('o é😀')\nprint('e', file=sys.stderr)"}));
    QVERIFY(recorder.waitForEnd(60000));
    QCOMPARE(recorder.text(), std::string("o é😀\n"));
    QCOMPARE(recorder.text(StreamText::Channel::Stderr), std::string("e\n"));
    QCOMPARE(recorder.summary.outcome, Outcome::Ok);
}

void DaytonaAdapterTest::execute_error_isCodeErrorWithTraceback()
{
    const auto context = open();
    QVERIFY(context);
    const Recorder recorder(context->execute({.code = "print('before')\n1/0"}));
    QVERIFY(recorder.waitForEnd(60000));
    QCOMPARE(recorder.text(), std::string("before\n"));
    QCOMPARE(recorder.summary.outcome, Outcome::CodeError);
    const auto errors = recorder.all<ErrorOutput>();
    QCOMPARE(errors.size(), std::size_t(1));
    QCOMPARE(errors.front().name, std::string("ZeroDivisionError"));
    QVERIFY(errors.front().traceback.front().find("line 2") != std::string::npos);
}

void DaytonaAdapterTest::execute_largeOutput_isWhole()
{
    const auto context = open();
    QVERIFY(context);
    const Recorder recorder(context->execute({.code = "for i in range(100000):\n  print(i)"}));
    QVERIFY(recorder.waitForEnd(60000));
    const std::string text = recorder.text();
    QCOMPARE(std::count(text.begin(), text.end(), '\n'), 100000);
    QVERIFY(text.ends_with("\n99999\n"));
}

void DaytonaAdapterTest::execute_limit_isTimedOutAndKeepsVariables()
{
    const auto context = open();
    QVERIFY(context);
    const auto summary = ended(*context, {.code = "x = 7\nwhile True: pass", .timeout = 1s});
    QCOMPARE(summary.outcome, Outcome::TimedOut);
    QVERIFY2(summary.reason.find("variables are kept") != std::string::npos, summary.reason.c_str());
    QCOMPARE(printed(*context, "print(x)"), std::string("7\n"));
}

void DaytonaAdapterTest::execute_input_endsAtOnce()
{
    const auto context = open();
    QVERIFY(context);
    QCOMPARE(printed(*context, "input('name? ')"), std::string("EOFError"));
}

void DaytonaAdapterTest::execute_crash_isCrashedAndComesBack()
{
    const auto context = open();
    QVERIFY(context);
    const auto summary = ended(*context, {.code = "import os\nos._exit(3)"});
    QCOMPARE(summary.outcome, Outcome::Crashed);
    QCOMPARE(printed(*context, "print(1)"), std::string("1\n"));
}

void DaytonaAdapterTest::interrupt_running_keepsVariables()
{
    const auto context = open();
    QVERIFY(context);
    Recorder recorder(context->execute({.code = "x = 5\nprint('on', flush=True)\nwhile True: pass"}));
    QTRY_COMPARE_WITH_TIMEOUT(recorder.text(), std::string("on\n"), 60000);
    const auto sent = awaited<std::monostate>(
        [&](QObject *receiver, auto done) { context->interrupt(receiver, std::move(done)); }, 60000);
    QVERIFY2(sent, sent ? "" : sent.error().message.c_str());
    QVERIFY(recorder.waitForEnd(60000));
    QCOMPARE(recorder.summary.outcome, Outcome::Interrupted);
    QCOMPARE(printed(*context, "print(x)"), std::string("5\n"));
}

void DaytonaAdapterTest::restart_running_forgetsVariablesUnderANewId()
{
    const auto context = open();
    QVERIFY(context);
    QCOMPARE(printed(*context, "x = 1"), std::string());
    const ContextId before = context->info().id;
    Recorder recorder(context->execute({.code = "print('on', flush=True)\nwhile True: pass"}));
    QTRY_COMPARE_WITH_TIMEOUT(recorder.text(), std::string("on\n"), 60000);
    QVERIFY(awaited<std::monostate>(
        [&](QObject *receiver, auto done) { context->restart(receiver, std::move(done)); }, 60000));
    QVERIFY(recorder.waitForEnd(60000));
    QCOMPARE(recorder.summary.outcome, Outcome::Interrupted);
    QVERIFY(context->info().id != before);
    QCOMPARE(printed(*context, "print(x)"), std::string("NameError"));
}

void DaytonaAdapterTest::attach_existingContext_seesItsVariables()
{
    const auto context = open();
    QVERIFY(context);
    QCOMPARE(printed(*context, "x = 'kept'"), std::string());
    const auto contexts = call<std::vector<ContextInfo>>(
        [&](auto &p, auto *r, auto done) { p.listContexts(m_sandbox, r, std::move(done)); });
    QVERIFY(contexts);
    const ContextInfo info = context->info();
    QVERIFY(std::any_of(
        contexts->begin(), contexts->end(), [&](const ContextInfo &listed) { return listed.id == info.id; }));
    const auto attached = call<std::shared_ptr<Context>>(
        [&](auto &p, auto *r, auto done) { p.attachContext(m_sandbox, info, r, std::move(done)); });
    QVERIFY(attached);
    QCOMPARE(printed(**attached, "print(x)"), std::string("kept\n"));
}

void DaytonaAdapterTest::stopAndStart_keepFilesAndLoseVariables()
{
    const auto context = open();
    QVERIFY(context);
    QCOMPARE(printed(*context, "x = 1\nopen('kept.txt', 'w').write('kept')"), std::string());
    const auto stopped = change(&Provider::stop);
    QVERIFY2(stopped, stopped ? "" : stopped.error().message.c_str());
    QCOMPARE(stopped->state, SandboxState::Stopped);
    QSignalSpy lost(context.get(), &Context::connectionLost);
    const auto summary = ended(*context, {.code = "print(1)"});
    QCOMPARE(summary.outcome, Outcome::ConnectionLost);
    QVERIFY2(summary.reason.find("Resume it") != std::string::npos, summary.reason.c_str());
    QCOMPARE(lost.count(), 1);
    const auto started = change(&Provider::resume);
    QVERIFY2(started, started ? "" : started.error().message.c_str());
    QCOMPARE(started->state, SandboxState::Running);
    const auto fresh = open();
    QVERIFY(fresh);
    QCOMPARE(printed(*fresh, "print(open('kept.txt').read())"), std::string("kept\n"));
    QCOMPARE(printed(*fresh, "print(x)"), std::string("NameError"));
}

void DaytonaAdapterTest::pauseAndResume_keepVariables()
{
    const auto context = open();
    QVERIFY(context);
    QCOMPARE(printed(*context, "x = 'kept'"), std::string());
    const auto paused = change(&Provider::pause);
    QVERIFY2(paused, paused ? "" : paused.error().message.c_str());
    QCOMPARE(paused->state, SandboxState::Paused);
    QVERIFY(change(&Provider::resume));
    QCOMPARE(printed(*context, "print(x)"), std::string("kept\n"));
}

void DaytonaAdapterTest::stop_duringARun_isNoSuccess()
{
    const auto context = open();
    QVERIFY(context);
    Recorder recorder(context->execute({.code = "import time\nprint('on', flush=True)\ntime.sleep(600)"}));
    QTRY_COMPARE_WITH_TIMEOUT(recorder.text(), std::string("on\n"), 60000);
    QVERIFY(change(&Provider::stop));
    QVERIFY(recorder.waitForEnd(60000));
    QVERIFY(recorder.summary.outcome == Outcome::Crashed || recorder.summary.outcome == Outcome::ConnectionLost);
    QVERIFY(!recorder.summary.reason.empty());
    QCOMPARE(recorder.text(), std::string("on\n"));
}

void DaytonaAdapterTest::kill_duringARun_isNoSuccess()
{
    const auto context = open();
    QVERIFY(context);
    Recorder recorder(context->execute({.code = "import time\nprint('on', flush=True)\ntime.sleep(600)"}));
    QTRY_COMPARE_WITH_TIMEOUT(recorder.text(), std::string("on\n"), 60000);
    QVERIFY(call<std::monostate>([&](auto &p, auto *r, auto done) { p.kill(m_sandbox, r, std::move(done)); }));
    QVERIFY(recorder.waitForEnd(60000));
    QVERIFY(recorder.summary.outcome == Outcome::Crashed || recorder.summary.outcome == Outcome::ConnectionLost);
}

void DaytonaAdapterTest::kill_sandbox_isGone()
{
    QVERIFY(call<std::monostate>([&](auto &p, auto *r, auto done) { p.kill(m_sandbox, r, std::move(done)); }));
    const auto all = call<std::vector<SandboxInfo>>([](auto &p, auto *r, auto done) { p.list(r, std::move(done)); });
    QVERIFY(all && all->empty());
    const auto info = call<SandboxInfo>([&](auto &p, auto *r, auto done) { p.info(m_sandbox, r, std::move(done)); });
    QVERIFY(!info || info->state == SandboxState::Gone);
    QVERIFY(call<std::monostate>([&](auto &p, auto *r, auto done) { p.kill(m_sandbox, r, std::move(done)); }));
}

void DaytonaAdapterTest::key_wrong_isUnauthenticated()
{
    DaytonaConfig config = m_provider->config();
    config.key = "wrong";
    m_provider = std::make_unique<DaytonaProvider>(config);
    const auto all = call<std::vector<SandboxInfo>>([](auto &p, auto *r, auto done) { p.list(r, std::move(done)); });
    QVERIFY(!all);
    QCOMPARE(all.error().kind, Error::Kind::Unauthenticated);
    QVERIFY(all.error().message.find("Check the key") != std::string::npos);
}

QTEST_GUILESS_MAIN(DaytonaAdapterTest)
#include "tst_daytonaadapter.moc"
