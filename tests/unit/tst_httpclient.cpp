#include "core/net/httpclient.h"

#include "tests/support/fakehttpserver.h"

#include <QTest>

#include <optional>

using namespace Qt::StringLiterals;
using namespace sandfish;
using namespace sandfish::test;
using Mode = FakeHttpServer::Mode;
using Reply = FakeHttpServer::Reply;
using Kind = Error::Kind;

class HttpClientTest : public QObject
{
    Q_OBJECT
private slots:
    void sendJson_goodAnswer_givesValue();
    void sendJson_emptyBody_givesNull();
    void sendJson_sendsBodyAndHeaders();
    void sendJson_failure_isTheErrorOfTheTable_data();
    void sendJson_failure_isTheErrorOfTheTable();
    void sendJson_serviceWords_areQuoted_data();
    void sendJson_serviceWords_areQuoted();
    void sendJson_rateLimited_keepsRetryAfter();
    void sendJson_html_isProtocolError();
    void sendJson_nobodyListens_isUnreachable();
    void sendJson_noAnswer_isTimeout();
    void sendJson_getFailsOnce_isTriedAgain();
    void sendJson_postFails_isSentOnce_data();
    void sendJson_postFails_isSentOnce();
    void sendJson_redirectToOtherOrigin_sendsNothingThere();
    void sendJson_tooLargeAnswer_isRefused();
    void cancel_beforeAnswer_givesCancelledOnce();
    void destroyed_whilePending_givesCancelled();

private:
    Result<Json> answerTo(const HttpCall &call);
    HttpCall callTo(const FakeHttpServer &server, HttpCall::Verb verb = HttpCall::Verb::Get) const;
};

HttpCall HttpClientTest::callTo(const FakeHttpServer &server, HttpCall::Verb verb) const
{
    HttpCall call;
    call.verb = verb;
    call.url = server.url(u"/x"_s);
    call.headers = {{"X-API-Key", "secret-key"}};
    return call;
}

Result<Json> HttpClientTest::answerTo(const HttpCall &call)
{
    HttpClient client;
    std::optional<Result<Json>> answer;
    client.sendJson(call, this, [&](const Result<Json> &result) { answer = result; });
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, 10000))
        return Error{Kind::Internal, "no answer in the test", {}};
    return *answer;
}

void HttpClientTest::sendJson_goodAnswer_givesValue()
{
    FakeHttpServer server;
    server.route("GET", "/x", Reply::json(R"({"a":"é"})"));
    const Result<Json> answer = answerTo(callTo(server));
    QVERIFY(answer);
    QCOMPARE(stringOr(*answer, "a", ""), std::string("é"));
}

void HttpClientTest::sendJson_emptyBody_givesNull()
{
    FakeHttpServer server;
    server.route("DELETE", "/x", Reply::empty(204));
    const Result<Json> answer = answerTo(callTo(server, HttpCall::Verb::Delete));
    QVERIFY(answer);
    QVERIFY(answer->is_null());
}

void HttpClientTest::sendJson_sendsBodyAndHeaders()
{
    FakeHttpServer server;
    server.route("POST", "/x", Reply::json("{}"));
    HttpCall call = callTo(server, HttpCall::Verb::Post);
    call.body = R"({"é":1})";
    QVERIFY(answerTo(call));
    const FakeHttpServer::Request &request = server.requests().first();
    QCOMPARE(request.body, QByteArray::fromStdString(call.body));
    QCOMPARE(request.headers["x-api-key"], "secret-key"_ba);
    QCOMPARE(request.headers["content-type"], "application/json"_ba);
}

void HttpClientTest::sendJson_failure_isTheErrorOfTheTable_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<Error::Kind>("kind");
    QTest::newRow("400") << 400 << Kind::BadRequest;
    QTest::newRow("401") << 401 << Kind::Unauthenticated;
    QTest::newRow("402") << 402 << Kind::PaymentRequired;
    QTest::newRow("403") << 403 << Kind::Forbidden;
    QTest::newRow("404") << 404 << Kind::NotFound;
    QTest::newRow("408") << 408 << Kind::Timeout;
    QTest::newRow("409") << 409 << Kind::Conflict;
    QTest::newRow("410") << 410 << Kind::Gone;
    QTest::newRow("413") << 413 << Kind::TooLarge;
    QTest::newRow("422") << 422 << Kind::BadRequest;
    QTest::newRow("429") << 429 << Kind::RateLimited;
    QTest::newRow("500") << 500 << Kind::ServerError;
    QTest::newRow("501") << 501 << Kind::Unsupported;
    QTest::newRow("503") << 503 << Kind::Unavailable;
    QTest::newRow("504") << 504 << Kind::Timeout;
    QTest::newRow("507") << 507 << Kind::TooLarge;
}

void HttpClientTest::sendJson_failure_isTheErrorOfTheTable()
{
    QFETCH(int, status);
    QFETCH(Error::Kind, kind);
    FakeHttpServer server;
    server.route("POST", "/x", Reply::json(R"({"error":"the service's own words"})", status));
    const Result<Json> answer = answerTo(callTo(server, HttpCall::Verb::Post));
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, kind);
    QCOMPARE(answer.error().httpStatus, status);
    QVERIFY(answer.error().message.find("the service's own words") != std::string::npos);
}

void HttpClientTest::sendJson_serviceWords_areQuoted_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("seed control plane") << R"({"error":"projectId is required"})"_ba
                                        << "\"projectId is required\""_ba;
    QTest::newRow("current, code and text") << R"({"error":"SANDBOX_LIMIT_REACHED","message":"2 of 2 run"})"_ba
                                            << "\"2 of 2 run\""_ba;
    QTest::newRow("code server") << R"({"detail":"Context z not found"})"_ba
                                 << "\"Context z not found\""_ba;
    QTest::newRow("schema errors")
        << R"({"detail":[{"loc":["body","code"],"msg":"Field required","type":"missing"}]})"_ba
        << "\"Field required\""_ba;
    QTest::newRow("a key in it") << R"({"error":"bad api_key=abc123"})"_ba
                                 << "bad api_key=…"_ba;
}

void HttpClientTest::sendJson_serviceWords_areQuoted()
{
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, expected);
    FakeHttpServer server;
    server.route("POST", "/x", Reply::json(body, 400));
    const Result<Json> answer = answerTo(callTo(server, HttpCall::Verb::Post));
    QVERIFY(!answer);
    QVERIFY2(answer.error().message.find(expected.toStdString()) != std::string::npos, answer.error().message.c_str());
}

void HttpClientTest::sendJson_rateLimited_keepsRetryAfter()
{
    FakeHttpServer server;
    server.setMode(Mode::RateLimited);
    const Result<Json> answer = answerTo(callTo(server));
    QVERIFY(!answer);
    QCOMPARE(answer.error().retryAfter.value_or(std::chrono::seconds(0)), std::chrono::seconds(7));
    QVERIFY(answer.error().message.find("SANDBOX_RATE_LIMITED") != std::string::npos);
    QVERIFY(answer.error().message.find("7 s") != std::string::npos);
    QCOMPARE(server.requests().size(), 1);
}

void HttpClientTest::sendJson_html_isProtocolError()
{
    FakeHttpServer server;
    server.setMode(Mode::Html);
    const Result<Json> answer = answerTo(callTo(server));
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Kind::Protocol);
    QVERIFY(answer.error().message.find("Check the address") != std::string::npos);
}

void HttpClientTest::sendJson_nobodyListens_isUnreachable()
{
    FakeHttpServer server;
    const HttpCall call = callTo(server);
    server.shutDown();
    const Result<Json> answer = answerTo(call);
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Kind::Unreachable);
    QVERIFY(answer.error().message.find("127.0.0.1:") != std::string::npos);
}

void HttpClientTest::sendJson_noAnswer_isTimeout()
{
    FakeHttpServer server;
    server.setMode(Mode::Stall);
    HttpCall call = callTo(server);
    call.timeout = std::chrono::milliseconds(50);
    const Result<Json> answer = answerTo(call);
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Kind::Timeout);
}

void HttpClientTest::sendJson_getFailsOnce_isTriedAgain()
{
    FakeHttpServer server;
    server.route("GET", "/x", Reply::json("1"));
    server.setMode(Mode::ServerFault, {}, 1);
    const Result<Json> answer = answerTo(callTo(server));
    QVERIFY(answer);
    QCOMPARE(server.requests().size(), 2);
}

void HttpClientTest::sendJson_postFails_isSentOnce_data()
{
    QTest::addColumn<FakeHttpServer::Mode>("mode");
    QTest::newRow("500") << Mode::ServerFault;
    QTest::newRow("429") << Mode::RateLimited;
    QTest::newRow("closed without an answer") << Mode::Hangup;
}

void HttpClientTest::sendJson_postFails_isSentOnce()
{
    QFETCH(FakeHttpServer::Mode, mode);
    FakeHttpServer server;
    server.route("POST", "/x", Reply::json("1"));
    server.route("GET", "/x", Reply::json("1"));
    server.setMode(mode, {}, 1);
    HttpCall call = callTo(server, HttpCall::Verb::Post);
    call.body = "{}";
    const Result<Json> answer = answerTo(call);
    QVERIFY(!answer);
    QCOMPARE(server.requestCount("POST", "/x"), 1);
}

void HttpClientTest::sendJson_redirectToOtherOrigin_sendsNothingThere()
{
    FakeHttpServer elsewhere;
    elsewhere.route("GET", "/x", Reply::json("1"));
    elsewhere.route("POST", "/x", Reply::json("1"));
    FakeHttpServer server;
    server.route("GET", "/x", Reply::redirect(elsewhere.url(u"/x"_s)));
    server.route("POST", "/x", Reply::redirect(elsewhere.url(u"/x"_s)));
    for (const auto verb : {HttpCall::Verb::Get, HttpCall::Verb::Post}) {
        const Result<Json> answer = answerTo(callTo(server, verb));
        QVERIFY(!answer);
        QCOMPARE(answer.error().kind, Kind::Protocol);
        QVERIFY(answer.error().message.find("another address") != std::string::npos);
    }
    QCOMPARE(elsewhere.requests().size(), 0);
}

void HttpClientTest::sendJson_tooLargeAnswer_isRefused()
{
    FakeHttpServer server;
    server.route("GET", "/x", Reply::json('"' + QByteArray(20 << 20, 'x') + '"'));
    const Result<Json> answer = answerTo(callTo(server));
    QVERIFY(!answer);
    QCOMPARE(answer.error().kind, Kind::TooLarge);
}

void HttpClientTest::cancel_beforeAnswer_givesCancelledOnce()
{
    FakeHttpServer server;
    server.setMode(Mode::Stall);
    HttpClient client;
    QList<Error::Kind> ends;
    const Request request = client.sendJson(callTo(server), this,
        [&](const Result<Json> &result) { ends.append(result ? Kind::Internal : result.error().kind); });
    QTRY_COMPARE(server.requests().size(), 1);
    request.cancel();
    request.cancel();
    QVERIFY(ends.isEmpty()); // never inside the call
    QTRY_COMPARE(ends, QList<Error::Kind>{Kind::Cancelled});
    QTRY_COMPARE(server.openConnectionCount(), 0);
}

void HttpClientTest::destroyed_whilePending_givesCancelled()
{
    FakeHttpServer server;
    server.setMode(Mode::Stall);
    auto client = std::make_unique<HttpClient>();
    std::optional<Error::Kind> end;
    client->sendJson(callTo(server), this, [&](const Result<Json> &result) { end = result.error().kind; });
    QTRY_COMPARE(server.requests().size(), 1);
    client.reset();
    QTRY_COMPARE(end, std::optional(Kind::Cancelled));
}

QTEST_GUILESS_MAIN(HttpClientTest)
#include "tst_httpclient.moc"
