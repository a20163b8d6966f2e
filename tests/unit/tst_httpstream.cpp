#include "core/net/httpstream.h"

#include "tests/support/eventloopwatch.h"
#include "tests/support/fakehttpserver.h"

#include <QSignalSpy>
#include <QTest>

#include <optional>

using namespace Qt::StringLiterals;
using namespace sandfish;
using namespace sandfish::test;
using Mode = FakeHttpServer::Mode;
using Reply = FakeHttpServer::Reply;
using Kind = Error::Kind;

/// Collects what a stream hands out.
class Reader : public QObject
{
    Q_OBJECT
public:
    explicit Reader(const FakeHttpServer &server)
        : m_stream(m_pool, [this](std::string_view line) { return take(line); })
    {
        connect(&m_stream, &HttpStream::opened, this, [this] { isOpen = true; });
        connect(&m_stream, &HttpStream::turnEnded, this, [this] { ++turns; });
        connect(&m_stream, &HttpStream::finished, this, [this](const Result<> &result) {
            ++endCount;
            end = result;
        });
        call.verb = HttpCall::Verb::Post;
        call.url = server.url(u"/x"_s);
        call.body = "{}";
    }
    void start() { m_stream.open(call); }
    HttpStream &stream() { return m_stream; }

    HttpCall call;
    QByteArrayList lines;
    qint64 bytes = 0;
    bool keepsLines = true;
    HttpStream::Flow flow = HttpStream::Flow::GoOn;
    bool isOpen = false;
    int turns = 0;
    int endCount = 0;
    std::optional<Result<>> end;

private:
    HttpStream::Flow take(std::string_view line)
    {
        bytes += static_cast<qint64>(line.size());
        if (keepsLines)
            lines.append(QByteArray(line.data(), static_cast<qsizetype>(line.size())));
        return flow;
    }

    HttpStreamPool m_pool;
    HttpStream m_stream;
};

class HttpStreamTest : public QObject
{
    Q_OBJECT
private slots:
    void lines_cutAtEveryByte_areTheSame();
    void lines_slowDrip_areComplete();
    void end_cutMidRecord_isConnectionLost();
    void end_refusal_isTheErrorOfTheTable_data();
    void end_refusal_isTheErrorOfTheTable();
    void end_html_isProtocolError();
    void end_nobodyListens_isUnreachableAndUnsent();
    void end_closedWithoutAnswer_isSentOnce();
    void silence_longerThanTimeout_isNoEnd();
    void flow_waiting_stopsThePeer();
    void flood_manyLines_doesNotBlockTheLoop();
    void pool_manyStreams_allRunAtOnce();
    void abort_whileOpen_closesConnectionWithoutSignal();
};

void HttpStreamTest::lines_cutAtEveryByte_areTheSame()
{
    const QByteArray body = "{\"a\":\"é✓\"}\r\n\n{\"b\":2}\nlast";
    const QByteArrayList expected{"{\"a\":\"é✓\"}", "{\"b\":2}", "last"};
    for (qsizetype piece = 1; piece <= body.size(); ++piece) {
        FakeHttpServer server;
        Reply reply = Reply::stream(body);
        reply.pieceBytes = piece;
        server.route("POST", "/x", reply);
        Reader reader(server);
        reader.start();
        QTRY_VERIFY(reader.end);
        QVERIFY(reader.end->isOk());
        QCOMPARE(reader.lines, expected);
    }
}

void HttpStreamTest::lines_slowDrip_areComplete()
{
    FakeHttpServer server;
    server.route("POST", "/x", Reply::stream("{\"first\":1}\n{\"second\":2}\n"));
    server.setMode(Mode::SlowDrip);
    Reader reader(server);
    reader.start();
    QTRY_COMPARE(reader.endCount, 1);
    QVERIFY(reader.isOpen);
    QCOMPARE(reader.lines, (QByteArrayList{"{\"first\":1}", "{\"second\":2}"}));
    QVERIFY(reader.turns >= 1);
}

void HttpStreamTest::end_cutMidRecord_isConnectionLost()
{
    FakeHttpServer server;
    server.route("POST", "/x", Reply::stream("{\"first\":1}\n{\"second\":2222222222}\n"));
    server.setMode(Mode::CutMidRecord);
    Reader reader(server);
    reader.start();
    QTRY_COMPARE(reader.endCount, 1);
    QCOMPARE(reader.lines.first(), "{\"first\":1}"_ba);
    QVERIFY(!*reader.end);
    QCOMPARE(reader.end->error().kind, Kind::ConnectionLost);
}

void HttpStreamTest::end_refusal_isTheErrorOfTheTable_data()
{
    QTest::addColumn<FakeHttpServer::Mode>("mode");
    QTest::addColumn<Error::Kind>("kind");
    QTest::newRow("401") << Mode::Unauthorised << Kind::Unauthenticated;
    QTest::newRow("429") << Mode::RateLimited << Kind::RateLimited;
    QTest::newRow("500") << Mode::ServerFault << Kind::ServerError;
}

void HttpStreamTest::end_refusal_isTheErrorOfTheTable()
{
    QFETCH(FakeHttpServer::Mode, mode);
    QFETCH(Error::Kind, kind);
    FakeHttpServer server;
    server.setMode(mode);
    Reader reader(server);
    reader.start();
    QTRY_COMPARE(reader.endCount, 1);
    QVERIFY(!reader.isOpen);
    QVERIFY(reader.lines.isEmpty());
    QCOMPARE(reader.end->error().kind, kind);
    QCOMPARE(server.requests().size(), 1);
}

void HttpStreamTest::end_html_isProtocolError()
{
    FakeHttpServer server;
    server.setMode(Mode::Html);
    Reader reader(server);
    reader.start();
    QTRY_COMPARE(reader.endCount, 1);
    QCOMPARE(reader.end->error().kind, Kind::Protocol);
    QVERIFY(reader.lines.isEmpty());
}

void HttpStreamTest::end_nobodyListens_isUnreachableAndUnsent()
{
    FakeHttpServer server;
    server.shutDown();
    Reader reader(server);
    reader.start();
    QTRY_COMPARE(reader.endCount, 1);
    QCOMPARE(reader.end->error().kind, Kind::Unreachable);
    QVERIFY(!reader.stream().mayHaveArrived());
}

void HttpStreamTest::end_closedWithoutAnswer_isSentOnce()
{
    FakeHttpServer server;
    server.setMode(Mode::Hangup);
    Reader reader(server);
    reader.start();
    QTRY_COMPARE(reader.endCount, 1);
    QCOMPARE(reader.end->error().kind, Kind::ConnectionLost);
    QVERIFY(reader.stream().mayHaveArrived());
    QCOMPARE(server.requests().size(), 1);
}

void HttpStreamTest::silence_longerThanTimeout_isNoEnd()
{
    FakeHttpServer server;
    Reply reply = Reply::stream("{\"first\":1}\n{\"second\":2}\n");
    reply.pieceBytes = 12;
    reply.dripInterval = std::chrono::milliseconds(300);
    server.route("POST", "/x", reply);
    Reader reader(server);
    reader.call.timeout = std::chrono::milliseconds(100);
    reader.start();
    QTRY_COMPARE(reader.endCount, 1);
    QVERIFY(reader.end->isOk());
    QCOMPARE(reader.lines.size(), 2);
}

void HttpStreamTest::flow_waiting_stopsThePeer()
{
    const QByteArray line = QByteArray(1 << 20, 'x') + '\n';
    FakeHttpServer server;
    server.route("POST", "/x", Reply::stream(line.repeated(48)));
    Reader reader(server);
    reader.keepsLines = false;
    reader.flow = HttpStream::Flow::Wait;
    reader.start();
    QTRY_COMPARE(reader.bytes, 1 << 20);
    QTest::qWait(200);
    QCOMPARE(reader.bytes, 1 << 20);
    reader.flow = HttpStream::Flow::GoOn;
    reader.stream().proceed();
    QTRY_COMPARE_WITH_TIMEOUT(reader.endCount, 1, 20000);
    QVERIFY(reader.end->isOk());
    QCOMPARE(reader.bytes, 48 << 20);
}

void HttpStreamTest::flood_manyLines_doesNotBlockTheLoop()
{
    QByteArray body;
    for (int i = 0; i < 200000; ++i)
        body += R"({"type":"stdout","data":"line )" + QByteArray::number(i) + "\"}\n";
    FakeHttpServer server;
    Reply reply = Reply::stream(body);
    reply.pieceBytes = 64 << 10;
    server.route("POST", "/x", reply);
    Reader reader(server);
    EventLoopWatch watch;
    reader.start();
    QTRY_COMPARE_WITH_TIMEOUT(reader.endCount, 1, 20000);
    QCOMPARE(reader.lines.size(), 200000);
    QVERIFY2(!watch.wasBlocked(), watch.report());
}

void HttpStreamTest::pool_manyStreams_allRunAtOnce()
{
    FakeHttpServer server;
    Reply reply = Reply::stream("{\"first\":1}\n{\"second\":2}\n");
    reply.stallAt = 12;
    server.route("POST", "/x", reply);
    HttpStreamPool pool;
    int firstLines = 0;
    std::vector<std::unique_ptr<HttpStream>> streams;
    for (int i = 0; i < 12; ++i) {
        streams.push_back(std::make_unique<HttpStream>(pool, [&](std::string_view) {
            ++firstLines;
            return HttpStream::Flow::GoOn;
        }));
        HttpCall call;
        call.verb = HttpCall::Verb::Post;
        call.url = server.url(u"/x"_s);
        streams.back()->open(call);
    }
    QTRY_COMPARE(firstLines, 12);
}

void HttpStreamTest::abort_whileOpen_closesConnectionWithoutSignal()
{
    FakeHttpServer server;
    Reply reply = Reply::stream("{\"first\":1}\n{\"second\":2}\n");
    reply.stallAt = 12;
    server.route("POST", "/x", reply);
    Reader reader(server);
    QSignalSpy closed(&server, &FakeHttpServer::connectionClosed);
    reader.start();
    QTRY_COMPARE(reader.lines.size(), 1);
    reader.stream().abort();
    QTRY_COMPARE(closed.count(), 1);
    QCOMPARE(reader.endCount, 0);
}

QTEST_GUILESS_MAIN(HttpStreamTest)
#include "tst_httpstream.moc"
