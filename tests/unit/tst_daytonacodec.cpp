#include "core/providers/daytona/daytonacodec.h"
#include "core/providers/daytona/daytonaoutcome.h"
#include "core/providers/daytona/daytonaworker.h"

#include <QProcess>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;
using namespace sandfish::Daytona;
using namespace std::chrono_literals;

/// The pure functions of the Daytona adapter: protocols.md §3.
class DaytonaCodecTest : public QObject
{
    Q_OBJECT
private slots:
    void state_word_isNeutral_data();
    void state_word_isNeutral();
    void sandbox_full_hasAllMembers();
    void sandbox_empty_raisesNothing();
    void sandbox_notebookName_comesFromTheLabel();
    void create_spec_isTheServicesBody();
    void create_nothingWished_leavesTheServicesDefaults();
    void execute_message_hasTheMembers();
    void execute_defaultContext_isLeftOut();
    void list_path_repeatsTheKey();
    void toolbox_address_isUsable_data();
    void toolbox_address_isUsable();
    void frame_missingMembers_areEmpty();
    void frame_unknownType_isEmpty();
    void frame_garbage_isAnError();
    void end_traceAndClose_giveTheOutcome_data();
    void end_traceAndClose_giveTheOutcome();
    void end_everyFailure_saysWhatToDo();
    void worker_printed_isParsed();
    void worker_codeOfASandbox_isRefused();
    void worker_interrupt_reachesThatProcessAlone();
};

void DaytonaCodecTest::state_word_isNeutral_data()
{
    QTest::addColumn<QByteArray>("word");
    QTest::addColumn<SandboxState>("state");
    for (const char *word : {"creating", "pending_build", "building_snapshot", "pulling_snapshot"})
        QTest::newRow(word) << QByteArray(word) << SandboxState::Creating;
    for (const char *word : {"restoring", "starting", "resuming"})
        QTest::newRow(word) << QByteArray(word) << SandboxState::Resuming;
    for (const char *word : {"archiving", "resizing", "snapshotting", "forking", "defrosting", "11184809"})
        QTest::newRow(word) << QByteArray(word) << SandboxState::Busy;
    for (const char *word : {"error", "build_failed"})
        QTest::newRow(word) << QByteArray(word) << SandboxState::Failed;
    for (const char *word : {"stopped", "archived"})
        QTest::newRow(word) << QByteArray(word) << SandboxState::Stopped;
    for (const char *word : {"stopping", "destroying"})
        QTest::newRow(word) << QByteArray(word) << SandboxState::Stopping;
    QTest::newRow("started") << "started"_ba << SandboxState::Running;
    QTest::newRow("pausing") << "pausing"_ba << SandboxState::Pausing;
    QTest::newRow("paused") << "paused"_ba << SandboxState::Paused;
    QTest::newRow("destroyed") << "destroyed"_ba << SandboxState::Gone;
    QTest::newRow("none") << ""_ba << SandboxState::Unknown;
}

void DaytonaCodecTest::state_word_isNeutral()
{
    QFETCH(QByteArray, word);
    QFETCH(SandboxState, state);
    QCOMPARE(stateFrom(word.toStdString()), state);
    const SandboxInfo info = parseSandbox({{"id", "a"}, {"state", word.toStdString()}});
    QCOMPARE(info.rawState, word.toStdString());
}

void DaytonaCodecTest::sandbox_full_hasAllMembers()
{
    const auto json = parseJson(
        R"({"id":"a","name":"blue","snapshot":"small","state":"started","memory":2,"labels":{"k":"v"},
        "createdAt":"2026-05-01T10:00:00.000Z","lastActivityAt":"2026-05-01T11:00:00.000Z","autoStopInterval":15})");
    QVERIFY(json);
    const SandboxInfo info = parseSandbox(*json);
    QCOMPARE(info.name, std::string("blue"));
    QCOMPARE(info.templateName, std::string("small"));
    QCOMPARE(info.memoryLimitBytes.value_or(0), std::int64_t(2) << 30);
    QCOMPARE(info.metadata.at("k"), std::string("v"));
    QCOMPARE(*info.endsAt - *info.startedAt, std::chrono::minutes(75));
    QCOMPARE(info.pauseKeeps, PauseKeeps::FilesAndMemory);
}

void DaytonaCodecTest::sandbox_empty_raisesNothing()
{
    for (const char *text : {"{}", "[]", "null", R"({"id":5,"labels":[1],"memory":"x","state":{}})"}) {
        const auto json = parseJson(text);
        QVERIFY(json);
        QVERIFY(parseSandbox(*json).id.isEmpty());
    }
    QVERIFY(!parsePage(Json("x")));
    QVERIFY(parsePage(Json::array())->sandboxes.empty());
}

void DaytonaCodecTest::sandbox_notebookName_comesFromTheLabel()
{
    const SandboxInfo info =
        parseSandbox({{"id", "a"}, {"name", "a"}, {"labels", {{std::string(kNameLabel), "tour.ipynb"}}}});
    QCOMPARE(info.name, std::string("tour.ipynb"));
}

void DaytonaCodecTest::create_spec_isTheServicesBody()
{
    SandboxSpec spec;
    spec.name = "tour";
    spec.templateName = "small";
    spec.environment = {{"A", "1"}};
    spec.metadata = {{"k", "v"}};
    spec.timeout = 61s;
    spec.hasNetwork = false;
    const Json expected = {{"snapshot", "small"}, {"env", {{"A", "1"}}}, {"target", "eu"}, {"networkBlockAll", true},
        {"autoStopInterval", 2},
        {"labels", {{"code-toolbox-language", "python"}, {"k", "v"}, {"sandfish-name", "tour"}}}};
    QCOMPARE(createBody(spec, u"eu"_s), dumpJson(expected));
}

void DaytonaCodecTest::create_nothingWished_leavesTheServicesDefaults()
{
    QCOMPARE(createBody({}, {}), std::string(R"({"labels":{"code-toolbox-language":"python"}})"));
}

void DaytonaCodecTest::execute_message_hasTheMembers()
{
    const ExecuteRequest request{"1+1", {}, {{"A", "é"}}, 1500ms};
    const Json expected = {{"code", "1+1"}, {"contextId", "c"}, {"timeout", 2}, {"envs", {{"A", "é"}}}};
    QCOMPARE(executeMessage(request, {"c"}), dumpJson(expected));
}

void DaytonaCodecTest::execute_defaultContext_isLeftOut()
{
    // Without a limit of ours the service would set 600 s of its own.
    QCOMPARE(executeMessage({.code = "x"}, {}), std::string(R"({"code":"x","timeout":0})"));
}

void DaytonaCodecTest::list_path_repeatsTheKey()
{
    const QString path = listPath("a+b/=");
    QVERIFY(path.contains("&states=started&"_L1) && path.contains("&states=stopped&"_L1));
    QVERIFY(!path.contains("destroy"_L1));
    QVERIFY(path.endsWith("&cursor=a%2Bb%2F%3D"_L1));
}

void DaytonaCodecTest::toolbox_address_isUsable_data()
{
    QTest::addColumn<QByteArray>("toolbox");
    QTest::addColumn<QString>("control");
    QTest::addColumn<bool>("isUsable");
    const QString vendor = u"https://app.daytona.io/api"_s;
    QTest::newRow("vendor") << "https://proxy.app.daytona.io/toolbox"_ba << vendor << true;
    QTest::newRow("key in plain text") << "http://proxy.app.daytona.io/toolbox"_ba << vendor << false;
    QTest::newRow("a server of this computer") << "https://127.0.0.1:8/toolbox"_ba << vendor << false;
    QTest::newRow("self-hosted here") << "http://proxy.localhost:4000/t"_ba << u"http://localhost:3000/api"_s << true;
    QTest::newRow("self-hosted there") << "http://10.0.0.7:4000/t"_ba << u"http://10.0.0.7:3000/api"_s << true;
    QTest::newRow("file") << "file:///etc"_ba << vendor << false;
    QTest::newRow("empty") << ""_ba << vendor << false;
}

void DaytonaCodecTest::toolbox_address_isUsable()
{
    QFETCH(QByteArray, toolbox);
    QFETCH(QString, control);
    QFETCH(bool, isUsable);
    QCOMPARE(usableToolbox(toolbox.toStdString(), QUrl(control)).isValid(), isUsable);
}

void DaytonaCodecTest::frame_missingMembers_areEmpty()
{
    const auto error = decodeFrame(R"({"type":"error"})");
    QVERIFY(error && error->event);
    QVERIFY(std::get<ErrorOutput>(*error->event).name.empty());
    const auto text = decodeFrame(R"({"type":"stderr","text":null})");
    QVERIFY(text && text->event);
    QCOMPARE(std::get<StreamText>(*text->event).channel, StreamText::Channel::Stderr);
}

void DaytonaCodecTest::frame_unknownType_isEmpty()
{
    const auto frame = decodeFrame(R"({"type":"hologram","text":"x","more":[1]})");
    QVERIFY(frame);
    QVERIFY(!frame->event && frame->control.empty());
}

void DaytonaCodecTest::frame_garbage_isAnError()
{
    for (const char *text : {"", "{", "[1]", "nonsense"})
        QVERIFY(!decodeFrame(text));
}

namespace {

constexpr int kLost = -1; // no close frame

RunEnd endOf(const QByteArray &seen, int code, const QByteArray &reason)
{
    const RunTrace trace{seen.contains('o') || seen.contains('e'), seen.contains('e'), seen.contains('c'),
        seen.contains('i'), seen.contains('u')};
    if (code == kLost)
        return runEnd(trace, Error{Error::Kind::ConnectionLost, "The connection to host was lost.", {}});
    return runEnd(trace, SocketClose{code, reason.toStdString()});
}

} // namespace

void DaytonaCodecTest::end_traceAndClose_giveTheOutcome_data()
{
    QTest::addColumn<QByteArray>("seen"); // output, error, completed, interrupted, the user's wish
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("reason");
    QTest::addColumn<Outcome>("outcome");
    QTest::addColumn<ContextFate>("fate");
    using enum ContextFate;
    QTest::newRow("completed") << "oc"_ba << 1000 << ""_ba << Outcome::Ok << Alive;
    QTest::newRow("completed, then lost") << "c"_ba << kLost << ""_ba << Outcome::Ok << Alive;
    QTest::newRow("error and completed") << "ec"_ba << 1000 << ""_ba << Outcome::CodeError << Alive;
    QTest::newRow("error alone") << "e"_ba << 1000 << ""_ba << Outcome::CodeError << Alive;
    QTest::newRow("error, then lost") << "e"_ba << kLost << ""_ba << Outcome::ConnectionLost << Alive;
    QTest::newRow("interrupted, normal close") << "oi"_ba << 1000 << ""_ba << Outcome::TimedOut << Alive;
    QTest::newRow("interrupted by the limit") << "i"_ba << 4008 << ""_ba << Outcome::TimedOut << Alive;
    QTest::newRow("interrupted by the user") << "iu"_ba << 4008 << ""_ba << Outcome::Interrupted << Alive;
    QTest::newRow("killed by the limit") << "o"_ba << 4008 << ""_ba << Outcome::TimedOut << Reset;
    QTest::newRow("no end, normal close") << "o"_ba << 1000 << ""_ba << Outcome::ConnectionLost << Alive;
    QTest::newRow("nothing at all") << ""_ba << 1000 << ""_ba << Outcome::ConnectionLost << Alive;
    QTest::newRow("cut") << "o"_ba << kLost << ""_ba << Outcome::ConnectionLost << Alive;
    QTest::newRow("crash") << "o"_ba << 1001 << "worker process ended"_ba << Outcome::Crashed << Reset;
    QTest::newRow("shutdown") << ""_ba << 1001 << "context shutdown"_ba << Outcome::Crashed << Gone;
    QTest::newRow("bad message") << ""_ba << 1002 << "bad request"_ba << Outcome::Rejected << Alive;
    QTest::newRow("protocol error later") << "o"_ba << 1002 << ""_ba << Outcome::ConnectionLost << Alive;
    QTest::newRow("no code") << ""_ba << 1008 << "code is required"_ba << Outcome::Rejected << Alive;
    QTest::newRow("no context") << ""_ba << 1008 << "context not found: c"_ba << Outcome::Rejected << Gone;
    QTest::newRow("slow") << ""_ba << 1008 << "slow consumer"_ba << Outcome::ConnectionLost << Alive;
    QTest::newRow("internal") << ""_ba << 1011 << "x"_ba << Outcome::ConnectionLost << Alive;
    QTest::newRow("no code in the frame") << "o"_ba << 1005 << ""_ba << Outcome::ConnectionLost << Alive;
}

void DaytonaCodecTest::end_traceAndClose_giveTheOutcome()
{
    QFETCH(QByteArray, seen);
    QFETCH(int, code);
    QFETCH(QByteArray, reason);
    QFETCH(Outcome, outcome);
    QFETCH(ContextFate, fate);
    const RunEnd end = endOf(seen, code, reason);
    QCOMPARE(end.summary.outcome, outcome);
    QCOMPARE(end.fate, fate);
}

void DaytonaCodecTest::end_everyFailure_saysWhatToDo()
{
    for (const auto &[code, reason] : {std::pair{1001, "worker process ended"}, std::pair{1008, "code is required"},
             std::pair{1011, "keep-alive"}, std::pair{kLost, ""}, std::pair{4008, ""}}) {
        const std::string text = endOf("o", code, reason).summary.reason;
        QVERIFY2(text.size() > 40 && text.find(". ") != std::string::npos && text.back() == '.', text.c_str());
    }
    QVERIFY(endOf("", 1008, "code is required").summary.reason.find("\"code is required\"") != std::string::npos);
}

void DaytonaCodecTest::worker_printed_isParsed()
{
    const auto worker = parseWorker("{\"pid\": 41, \"started\": \"777\", \"version\": \"3.12.1\"}\n");
    QVERIFY(worker);
    QCOMPARE(worker->pid, 41);
    QCOMPARE(worker->version, std::string("3.12.1"));
}

void DaytonaCodecTest::worker_codeOfASandbox_isRefused()
{
    for (const char *text : {"", "x", R"({"pid":1,"started":"7"})", R"({"pid":41,"started":"7; rm -rf /"})",
             R"({"pid":"41","started":"7"})", R"({"pid":41,"started":""})"})
        QVERIFY2(!parseWorker(text), text);
}

void DaytonaCodecTest::worker_interrupt_reachesThatProcessAlone()
{
    QProcess python;
    python.start(
        u"python3"_s, {u"-u"_s, u"-c"_s, QString::fromStdString(workerCode()) + u"import time\ntime.sleep(60)"_s});
    QTRY_VERIFY_WITH_TIMEOUT(python.canReadLine(), 30000);
    auto worker = parseWorker(python.readLine().toStdString());
    QVERIFY(worker);
    QCOMPARE(worker->pid, python.processId());
    const auto interrupt = [](const Worker &target) {
        const auto body = parseJson(interruptBody(target));
        QProcess shell;
        shell.start(u"sh"_s, QStringList());
        shell.write(QByteArray::fromStdString(stringOr(*body, "command", "")));
        shell.closeWriteChannel();
        return QTest::qWaitFor([&] { return shell.state() == QProcess::NotRunning; }, 30000) ? shell.exitCode() : -1;
    };
    Worker other = *worker;
    other.startTime += "1";
    QCOMPARE(interrupt(other), kWorkerHasGone);
    QCOMPARE(python.state(), QProcess::Running);
    QCOMPARE(interrupt(*worker), 0);
    QTRY_COMPARE_WITH_TIMEOUT(python.state(), QProcess::NotRunning, 30000);
    QVERIFY(python.readAllStandardError().contains("KeyboardInterrupt"));
    QCOMPARE(interrupt(*worker), kWorkerHasGone);
}

QTEST_GUILESS_MAIN(DaytonaCodecTest)
#include "tst_daytonacodec.moc"
