#include "core/base/json.h"
#include "core/providers/lizard/lizardcheckpoints.h"
#include "tests/unit/lizardfixture.h"

#include <QTest>

using namespace sandfish;
using namespace sandfish::test;
using Kind = FakeLizard::Kind;
using Reply = FakeHttpServer::Reply;

/// The extension "checkpoints" of core/engine/PROTOCOL.md §3.2 and §3.4 from the client's side.
class LizardCheckpointsTest : public QObject, private LizardFixture
{
    Q_OBJECT
private slots:
    void init() { close(); }
    void started_withCheckpoint_carriesIt();
    void list_isRead();
    void list_hasBadMembers_keepsTheRest();
    void keepState_asksForAPinnedOne();
    void unpin_namesTheCheckpoint();
    void rewind_idle_sendsTheCheckpoint();
    void rewind_gone_isNotFoundAndTheContextLives();
    void rewind_whileRunning_isRefusedUnlessItMayStop();
    void rewind_stop_endsTheRunAsInterrupted();
    void branch_givesTheNewContext();
    void languageRefused_isRemembered();
    void seed_hasNone();

private:
    void openEngine() { open(Kind::LocalEngine); }
    void route(const QByteArray &method, const QByteArray &rest, const Reply &reply)
    {
        m_server->route(method, "/cap-1/contexts/c1" + rest, reply);
    }
    Json lastBody(const QByteArray &rest) const;
    void startOpenRun();
};

namespace {

const QByteArray kCheckpoint =
    R"({"id":"cp1","execution_id":"e7","execution_count":3,"inexact":["threads:2","files:1"],)"
    R"("created":"2026-01-31T23:59:59.123Z","pinned":true})";
const QByteArray kContext = R"({"id":"c1","language":"python","cwd":"/","state":"idle","executionCount":3})";

} // namespace

Json LizardCheckpointsTest::lastBody(const QByteArray &rest) const
{
    const auto &all = m_server->requests();
    for (auto it = all.rbegin(); it != all.rend(); ++it) {
        if (!it->path.endsWith(rest))
            continue;
        const Result<Json> body = parseJsonObject(it->body.toStdString());
        return body ? *body : Json();
    }
    return {};
}

void LizardCheckpointsTest::startOpenRun()
{
    const QByteArray head = "{\"type\":\"accepted\",\"execution_id\":\"e1\",\"context_id\":\"c1\"}\n"
                            "{\"type\":\"started\",\"seq\":1,\"execution_count\":1}\n";
    Reply reply = Reply::stream(head + "{\"type\":\"done\",\"seq\":2,\"execution_count\":1}\n");
    reply.stallAt = head.size();
    m_server->setExecuteReply(reply);
}

void LizardCheckpointsTest::started_withCheckpoint_carriesIt()
{
    openEngine();
    m_server->setExecuteReply(Reply::stream("{\"type\":\"accepted\",\"execution_id\":\"e1\",\"context_id\":\"c1\"}\n"
                                            "{\"type\":\"started\",\"seq\":1,\"execution_count\":4,"
                                            "\"checkpoint\":{\"id\":\"cp1\",\"inexact\":[\"threads:1\"]}}\n"
                                            "{\"type\":\"done\",\"seq\":2,\"execution_count\":4}\n"));
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    const auto started = recorder.all<ExecutionStarted>();
    QCOMPARE(started.size(), std::size_t(1));
    QVERIFY(started.front().checkpoint.has_value());
    QVERIFY(*started.front().checkpoint == (CheckpointRef{"cp1", {"threads:1"}}));
}

void LizardCheckpointsTest::list_isRead()
{
    openEngine();
    route("GET", "/checkpoints", Reply::json('[' + kCheckpoint + ']'));
    const auto list = awaited<std::vector<CheckpointInfo>>(
        [&](QObject *receiver, auto done) { m_context->checkpoints(receiver, std::move(done)); });
    QVERIFY(list);
    QCOMPARE(list->size(), std::size_t(1));
    QVERIFY(list->front() == (CheckpointInfo{{"cp1", {"threads:2", "files:1"}}, "e7", 3, true}));
}

void LizardCheckpointsTest::list_hasBadMembers_keepsTheRest()
{
    const Json list = {
        {{"id", ""}}, 7, {{"id", "a"}, {"inexact", {1, "gpu"}}}, nullptr, {{"id", "b"}, {"inexact", "x"}}};
    const auto read = Lizard::parseCheckpoints(list);
    QCOMPARE(read.size(), std::size_t(2));
    QVERIFY(read[0].ref == (CheckpointRef{"a", {"gpu"}}));
    QCOMPARE(read[1].ref.id, std::string("b"));
    QVERIFY(Lizard::parseCheckpoints(Json()).empty());
}

void LizardCheckpointsTest::keepState_asksForAPinnedOne()
{
    openEngine();
    route("POST", "/checkpoints", Reply::json(kCheckpoint, 201));
    const auto kept =
        awaited<CheckpointInfo>([&](QObject *receiver, auto done) { m_context->keepState(receiver, std::move(done)); });
    QVERIFY(kept);
    QCOMPARE(kept->ref.id, std::string("cp1"));
    QVERIFY(lastBody("/checkpoints") == (Json{{"pinned", true}}));
}

void LizardCheckpointsTest::unpin_namesTheCheckpoint()
{
    openEngine();
    route("POST", "/checkpoints/cp1/pin", Reply::json(kCheckpoint));
    QVERIFY(awaited<std::monostate>(
        [&](QObject *receiver, auto done) { m_context->unpinCheckpoint("cp1", receiver, std::move(done)); }));
    QVERIFY(lastBody("/checkpoints/cp1/pin") == (Json{{"pinned", false}}));
}

void LizardCheckpointsTest::rewind_idle_sendsTheCheckpoint()
{
    openEngine();
    route("POST", "/rewind", Reply::json(kContext));
    QVERIFY(awaited<std::monostate>([&](QObject *receiver, auto done) {
        m_context->rewind("cp1", Context::WhileBusy::Refuse, receiver, std::move(done));
        QCOMPARE(m_context->state(), Context::State::Starting);
    }));
    QVERIFY(lastBody("/rewind") == (Json{{"checkpoint", "cp1"}, {"stop", false}}));
    QCOMPARE(m_context->state(), Context::State::Idle);
}

void LizardCheckpointsTest::rewind_gone_isNotFoundAndTheContextLives()
{
    openEngine();
    route("POST", "/rewind", Reply::json(R"({"detail":"Checkpoint cp1 is not kept"})", 404));
    const auto result = awaited<std::monostate>([&](QObject *receiver, auto done) {
        m_context->rewind("cp1", Context::WhileBusy::Refuse, receiver, std::move(done));
    });
    QVERIFY(!result);
    QCOMPARE(result.error().kind, Error::Kind::NotFound);
    QCOMPARE(m_context->state(), Context::State::Idle);
    Recorder recorder(run());
    QVERIFY(recorder.waitForEnd());
    QCOMPARE(recorder.summary.outcome, Outcome::Ok);
}

void LizardCheckpointsTest::rewind_whileRunning_isRefusedUnlessItMayStop()
{
    openEngine();
    startOpenRun();
    Recorder recorder(run());
    QTRY_COMPARE(recorder.all<ExecutionStarted>().size(), std::size_t(1));
    const auto result = awaited<std::monostate>([&](QObject *receiver, auto done) {
        m_context->rewind("cp1", Context::WhileBusy::Refuse, receiver, std::move(done));
    });
    QVERIFY(!result);
    QCOMPARE(result.error().kind, Error::Kind::Conflict);
    QCOMPARE(m_server->requestCount("POST", "/cap-1/contexts/c1/rewind"), 0);
    QCOMPARE(recorder.finishedCount, 0);
}

void LizardCheckpointsTest::rewind_stop_endsTheRunAsInterrupted()
{
    openEngine();
    startOpenRun();
    route("POST", "/rewind", Reply::json(kContext));
    Recorder running(run("first"));
    Recorder waiting(run("second"));
    QTRY_COMPARE(running.all<ExecutionStarted>().size(), std::size_t(1));
    QVERIFY(awaited<std::monostate>([&](QObject *receiver, auto done) {
        m_context->rewind("cp1", Context::WhileBusy::Stop, receiver, std::move(done));
    }));
    QVERIFY(lastBody("/rewind") == (Json{{"checkpoint", "cp1"}, {"stop", true}}));
    QCOMPARE(waiting.summary.outcome, Outcome::Aborted);
    QVERIFY(running.waitForEnd());
    QCOMPARE(running.summary.outcome, Outcome::Interrupted);
    QCOMPARE(running.summary.reason, std::string("The context was rewound to before this run."));
    QTRY_COMPARE(m_context->state(), Context::State::Idle);
}

void LizardCheckpointsTest::branch_givesTheNewContext()
{
    openEngine();
    route("POST", "/branch", Reply::json(R"({"id":"c2","language":"python","cwd":"/data","state":"idle"})", 201));
    const auto made = awaited<ContextInfo>(
        [&](QObject *receiver, auto done) { m_context->branch("cp1", receiver, std::move(done)); });
    QVERIFY(made);
    QCOMPARE(made->id.value, std::string("c2"));
    QCOMPARE(made->cwd, std::string("/data"));
    QVERIFY(lastBody("/branch") == (Json{{"checkpoint", "cp1"}}));
}

void LizardCheckpointsTest::languageRefused_isRemembered()
{
    openEngine();
    QVERIFY(m_context->keepsCheckpoints());
    route("GET", "/checkpoints", Reply::json(R"({"detail":"Bash contexts cannot be rewound."})", 501));
    const auto list = awaited<std::vector<CheckpointInfo>>(
        [&](QObject *receiver, auto done) { m_context->checkpoints(receiver, std::move(done)); });
    QVERIFY(!list);
    QCOMPARE(list.error().kind, Error::Kind::Unsupported);
    QVERIFY(!m_context->keepsCheckpoints());
    QVERIFY(QString::fromStdString(m_context->whyNoCheckpoints()).contains(QLatin1String("Bash contexts")));
}

void LizardCheckpointsTest::seed_hasNone()
{
    open(Kind::Seed);
    QVERIFY(!m_context->keepsCheckpoints());
    const auto result = awaited<std::monostate>([&](QObject *receiver, auto done) {
        m_context->rewind("cp1", Context::WhileBusy::Stop, receiver, std::move(done));
    });
    QVERIFY(!result);
    QCOMPARE(result.error().kind, Error::Kind::Unsupported);
    QCOMPARE(m_server->requestCount("POST", "/cap-1/contexts/c1/rewind"), 0);
}

QTEST_GUILESS_MAIN(LizardCheckpointsTest)
#include "tst_lizardcheckpoints.moc"
