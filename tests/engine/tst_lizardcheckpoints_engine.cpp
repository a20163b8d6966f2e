#include "core/providers/lizard/lizardprovider.h"
#include "tests/support/awaited.h"
#include "tests/support/enginefixture.h"

#include <QTest>

#include <algorithm>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;

using WhileBusy = Context::WhileBusy;

namespace {

constexpr int kLimitMs = 60000;

} // namespace

/// The checkpoints of the real sandfishd through the lizard adapter (core/engine/PROTOCOL.md §3.4).
class LizardCheckpointsEngineTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void rewind_bringsVariablesAndCountBack();
    void rewind_forward_toTheStateThatWasLeft();
    void rewind_busyC_endsTheRun();
    void branch_goesOnBesideTheFirst();
    void crash_isRewoundAtOnce();
    void javascript_saysThatItCannot();

private:
    std::shared_ptr<Context> open(const std::string &language = "python");
    /// The value or the name of the error; \a before gets the state from before the run.
    std::string run(Context &context, const std::string &code, CheckpointRef *before = nullptr);
    bool rewind(Context &context, const CheckpointRef &to, WhileBusy whileBusy = WhileBusy::Refuse);

    std::unique_ptr<EngineFixture> m_engine;
    std::unique_ptr<LizardProvider> m_provider;
    SandboxId m_sandbox;
    int m_lastCount = 0;
};

void LizardCheckpointsEngineTest::init()
{
    m_engine = std::make_unique<EngineFixture>();
    QVERIFY(m_engine->start());
    m_provider = std::make_unique<LizardProvider>(LizardProvider::Config{u"lizard"_s, u"Lizard"_s}, m_engine->url({}),
        m_engine->readyLine().value("apiKey"_L1).toString().toUtf8(), u"tests"_s);
    const auto sandbox = awaited<SandboxInfo>(
        [&](QObject *receiver, auto done) { m_provider->create({}, receiver, std::move(done)); }, kLimitMs);
    QVERIFY2(sandbox, sandbox ? "" : sandbox.error().message.c_str());
    m_sandbox = sandbox->id;
}

void LizardCheckpointsEngineTest::cleanup()
{
    m_provider.reset();
    m_engine.reset();
}

std::shared_ptr<Context> LizardCheckpointsEngineTest::open(const std::string &language)
{
    const auto context = awaited<std::shared_ptr<Context>>(
        [&](QObject *receiver, auto done) {
            m_provider->openContext(m_sandbox, {language, {}}, receiver, std::move(done));
        },
        kLimitMs);
    return context ? *context : nullptr;
}

std::string LizardCheckpointsEngineTest::run(Context &context, const std::string &code, CheckpointRef *before)
{
    const Recorder recorder(context.execute({code}));
    if (!recorder.waitForEnd(kLimitMs))
        return "it did not end";
    m_lastCount = recorder.summary.executionCount;
    const auto started = recorder.all<ExecutionStarted>();
    if (before && !started.empty() && started.front().checkpoint)
        *before = *started.front().checkpoint;
    const auto results = recorder.all<ExecuteResult>();
    const auto errors = recorder.all<ErrorOutput>();
    if (results.size() == 1)
        return std::string(results.front().data.text("text/plain"));
    return errors.empty() ? std::string() : errors.front().name;
}

bool LizardCheckpointsEngineTest::rewind(Context &context, const CheckpointRef &to, WhileBusy whileBusy)
{
    return awaited<std::monostate>(
        [&](QObject *receiver, auto done) { context.rewind(to.id, whileBusy, receiver, std::move(done)); }, kLimitMs)
        .isOk();
}

void LizardCheckpointsEngineTest::rewind_bringsVariablesAndCountBack()
{
    const auto context = open();
    QVERIFY(context && context->keepsCheckpoints());
    CheckpointRef before;
    run(*context, "x = 1");
    run(*context, "x = 2", &before);
    QVERIFY(!before.id.empty());
    QVERIFY(before.inexact.empty());
    QCOMPARE(run(*context, "x"), std::string("2"));
    QCOMPARE(m_lastCount, 3);
    QVERIFY(rewind(*context, before));
    QCOMPARE(run(*context, "x"), std::string("1"));
    QCOMPARE(m_lastCount, 2);
}

void LizardCheckpointsEngineTest::rewind_forward_toTheStateThatWasLeft()
{
    const auto context = open();
    CheckpointRef before;
    run(*context, "x = 1");
    run(*context, "x = 2", &before);
    const auto left = awaited<CheckpointInfo>(
        [&](QObject *receiver, auto done) { context->keepState(receiver, std::move(done)); }, kLimitMs);
    QVERIFY2(left, left ? "" : left.error().message.c_str());
    QVERIFY(left->isPinned);
    QVERIFY(rewind(*context, before));
    QCOMPARE(run(*context, "x"), std::string("1"));
    QVERIFY(rewind(*context, left->ref));
    QCOMPARE(run(*context, "x"), std::string("2"));
    QVERIFY(awaited<std::monostate>(
        [&](QObject *receiver, auto done) { context->unpinCheckpoint(left->ref.id, receiver, std::move(done)); }));
    const auto list = awaited<std::vector<CheckpointInfo>>(
        [&](QObject *receiver, auto done) { context->checkpoints(receiver, std::move(done)); });
    QVERIFY(list && !list->empty());
    for (const CheckpointInfo &each : *list)
        QVERIFY(!each.isPinned);
}

// A lock of a C call that is held for ever, with the interrupt's signal blocked, reacts to nothing.
void LizardCheckpointsEngineTest::rewind_busyC_endsTheRun()
{
    const auto context = open();
    run(*context, "x = 1");
    const Recorder hung(context->execute({"import signal, time\nx = 2\nprint('in', flush=True)\n"
                                          "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\n"
                                          "while True: time.sleep(10)"}));
    QTRY_COMPARE_WITH_TIMEOUT(hung.text(), std::string("in\n"), kLimitMs);
    const auto started = hung.all<ExecutionStarted>();
    QVERIFY(started.front().checkpoint);
    QVERIFY(!rewind(*context, *started.front().checkpoint, WhileBusy::Refuse));
    QVERIFY(rewind(*context, *started.front().checkpoint, WhileBusy::Stop));
    QVERIFY(hung.waitForEnd(kLimitMs));
    QCOMPARE(hung.summary.outcome, Outcome::Interrupted);
    QCOMPARE(run(*context, "x"), std::string("1"));
}

void LizardCheckpointsEngineTest::branch_goesOnBesideTheFirst()
{
    const auto context = open();
    CheckpointRef before;
    run(*context, "k = 1");
    run(*context, "k = 100", &before);
    const auto made = awaited<ContextInfo>(
        [&](QObject *receiver, auto done) { context->branch(before.id, receiver, std::move(done)); }, kLimitMs);
    QVERIFY2(made, made ? "" : made.error().message.c_str());
    QVERIFY(made->id != context->info().id);
    const auto second = awaited<std::shared_ptr<Context>>(
        [&](QObject *receiver, auto done) { m_provider->attachContext(m_sandbox, *made, receiver, std::move(done)); },
        kLimitMs);
    QVERIFY(second);
    QCOMPARE(run(**second, "k += 3\nk"), std::string("4"));
    QCOMPARE(run(*context, "k += 2\nk"), std::string("102"));
}

void LizardCheckpointsEngineTest::crash_isRewoundAtOnce()
{
    const auto context = open();
    run(*context, "x = 1");
    CheckpointRef before;
    QCOMPARE(run(*context, "import os, signal\nx = 2\nos.kill(os.getpid(), signal.SIGSEGV)", &before),
        std::string("KernelDied"));
    const auto list = awaited<std::vector<CheckpointInfo>>(
        [&](QObject *receiver, auto done) { context->checkpoints(receiver, std::move(done)); });
    QVERIFY(list);
    QVERIFY(
        std::any_of(list->begin(), list->end(), [&](const CheckpointInfo &each) { return each.ref.id == before.id; }));
    QCOMPARE(run(*context, "x"), std::string("1"));
}

void LizardCheckpointsEngineTest::javascript_saysThatItCannot()
{
    const auto context = open("javascript");
    QVERIFY(context && !context->keepsCheckpoints());
    CheckpointRef before;
    run(*context, "let x = 1", &before);
    QVERIFY(before.id.empty());
    QVERIFY(QString::fromStdString(context->whyNoCheckpoints()).contains(u"JavaScript cannot be rewound"_s));
}

QTEST_GUILESS_MAIN(LizardCheckpointsEngineTest)
#include "tst_lizardcheckpoints_engine.moc"
