#include "tests/support/eventloopwatch.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/scriptedcontext.h"

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QSignalSpy>
#include <QTest>

#include <ctime>

using namespace Qt::StringLiterals;
using namespace sandfish;
using namespace sandfish::test;

/// The tools of the other tests.
class TestSupportTest : public QObject
{
    Q_OBJECT
private slots:
    void watch_idleLoop_seesNoBlock();
    void watch_computingTooLong_seesBlock();
    void server_cutMidRecord_closesInsideBody();
    void context_scriptedTurns_arriveInOrder();
    void context_hanging_endsOnInterrupt();
};

void TestSupportTest::watch_idleLoop_seesNoBlock()
{
    EventLoopWatch watch;
    QTest::qWait(100);
    QVERIFY2(!watch.wasBlocked(), watch.report());
}

void TestSupportTest::watch_computingTooLong_seesBlock()
{
    EventLoopWatch watch(std::chrono::milliseconds(10));
    const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 5;
    while (std::clock() < end) { }
    QVERIFY(watch.wasBlocked());
    QVERIFY(watch.longestBusyGap() >= std::chrono::milliseconds(100));
}

void TestSupportTest::server_cutMidRecord_closesInsideBody()
{
    FakeHttpServer server;
    server.route("GET", "/x", FakeHttpServer::Reply::stream("0123456789"));
    server.setMode(FakeHttpServer::Mode::CutMidRecord);
    QNetworkAccessManager manager;
    const std::unique_ptr<QNetworkReply> reply(manager.get(QNetworkRequest(server.url(u"/x"_s))));
    QTRY_VERIFY(reply->isFinished());
    QCOMPARE(reply->readAll(), "01234"_ba);
    QVERIFY(reply->error() != QNetworkReply::NoError);
}

void TestSupportTest::context_scriptedTurns_arriveInOrder()
{
    ScriptedContext context;
    context.setDefaultScript({{{StreamText{StreamText::Channel::Stdout, "a"}}, {InputRequest{"name? ", false}},
                                  {StreamText{StreamText::Channel::Stdout, "b"}}},
        {}, false});
    std::string seen;
    Execution *execution = context.execute({.code = "x"});
    QSignalSpy finished(execution, &Execution::finished);
    connect(execution, &Execution::received, this, [&](const std::vector<ExecutionEvent> &events) {
        const auto *text = std::get_if<StreamText>(&events.front());
        seen += text ? text->text : "?";
    });
    QTRY_COMPARE(execution->state(), Execution::State::AwaitingInput);
    execution->sendInput("me");
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(seen, std::string("a?b"));
    QCOMPARE(context.inputs(), std::vector<std::string>{"me"});
}

void TestSupportTest::context_hanging_endsOnInterrupt()
{
    ScriptedContext context;
    context.setDefaultScript(Script::hanging());
    Execution *execution = context.execute({.code = "while True: pass"});
    ExecutionSummary summary;
    QSignalSpy finished(execution, &Execution::finished);
    connect(execution, &Execution::finished, this, [&](const ExecutionSummary &s) { summary = s; });
    QTRY_COMPARE(execution->state(), Execution::State::Running);
    context.interrupt(this, {});
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(summary.outcome, Outcome::Interrupted);
    QTRY_COMPARE(context.state(), Context::State::Idle);
}

QTEST_GUILESS_MAIN(TestSupportTest)
#include "tst_testsupport.moc"
