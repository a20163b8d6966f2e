#include "core/support/logging.h"
#include "tests/support/fakedaytonafixture.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;
using namespace sandfish::test;
using namespace std::chrono_literals;
using Mode = FakeHttpServer::Mode;
using Reply = FakeHttpServer::Reply;

/// How the Daytona adapter calls: keys, refusals, rate limits (protocols.md §0, §3.4, §7.2-46 and -47, §7.5-65).
class DaytonaCallsTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void key_everyCall_carriesIt();
    void key_jwt_comesWithItsOrganization();
    void key_neverInLogsOrErrors();
    void redirect_elsewhere_isNotFollowed();
    void refusal_words_areShown_data();
    void refusal_words_areShown();
    void refusal_withoutBody_isWordedFromItsStatus();
    void refusal_schema_listsItsSentences();
    void rateLimit_onAGet_waitsAndRepeats();
    void rateLimit_withRetryAfter_waitsThatLong();
    void rateLimit_tooLongToWait_isTold();
    void rateLimit_onWhatCreates_isSentOnce();
    void rateLimit_cancelledWhileWaiting_ends();
    void reachability_lostAndBack_isToldOnceEach();

private:
    std::unique_ptr<FakeDaytonaFixture> m_fixture;
};

void DaytonaCallsTest::init()
{
    m_fixture = std::make_unique<FakeDaytonaFixture>();
}

void DaytonaCallsTest::key_everyCall_carriesIt()
{
    QVERIFY(m_fixture->list());
    QVERIFY(m_fixture->contexts());
    for (const auto &request : m_fixture->server.requests()) {
        QCOMPARE(request.headers.value("authorization"), "Bearer secret-key"_ba);
        QVERIFY(!request.headers.contains("x-daytona-organization-id"));
        QVERIFY(!request.path.contains("secret"));
    }
}

void DaytonaCallsTest::key_jwt_comesWithItsOrganization()
{
    m_fixture->config.organization = "org-7";
    m_fixture->connect();
    QVERIFY(m_fixture->list());
    QCOMPARE(m_fixture->server.requests().last().headers.value("x-daytona-organization-id"), "org-7"_ba);
}

namespace {

QStringList &logged()
{
    static QStringList lines;
    return lines;
}

} // namespace

void DaytonaCallsTest::key_neverInLogsOrErrors()
{
    QLoggingCategory::setFilterRules(u"sandfish.*=true"_s);
    const auto before = qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext &, const QString &text) { logged().append(text); });
    m_fixture->server.route(
        "GET", "/api/sandbox", Reply::json(R"({"message":"bad key","authorization":"Bearer secret-key"})", 400));
    const auto all = m_fixture->list();
    const auto context = m_fixture->open();
    m_fixture->server.closeConnections();
    qInstallMessageHandler(before);
    QLoggingCategory::setFilterRules({});
    QVERIFY(!all);
    QVERIFY(all.error().detail.find("secret-key") == std::string::npos);
    QVERIFY(all.error().message.find("secret-key") == std::string::npos);
    QVERIFY(!logged().isEmpty());
    QVERIFY2(!logged().join(u'\n').contains("secret-key"_L1), qPrintable(logged().join(u'\n')));
}

void DaytonaCallsTest::redirect_elsewhere_isNotFollowed()
{
    FakeHttpServer other;
    m_fixture->server.route("GET", "/api/sandbox", Reply::redirect(other.url(u"/api/sandbox"_s)));
    QVERIFY(!m_fixture->list());
    QVERIFY(other.requests().isEmpty());
}

void DaytonaCallsTest::refusal_words_areShown_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("400") << 400 << R"({"statusCode":400,"message":"Bad target","error":"Bad Request"})"_ba
                         << "rejected the request. It answered \"Bad target\""_ba;
    QTest::newRow("401") << 401 << R"({"statusCode":401,"message":"Invalid credentials"})"_ba
                         << "Check the key for 127.0.0.1"_ba;
    QTest::newRow("402") << 402 << R"({"message":"Top up your wallet","code":"PAYMENT_REQUIRED"})"_ba
                         << "Top up your wallet"_ba;
    QTest::newRow("403") << 403 << R"({"message":"Quota of 10 GiB exceeded","code":"FORBIDDEN"})"_ba
                         << "This key may not do that (FORBIDDEN). It answered \"Quota of 10 GiB exceeded\""_ba;
    QTest::newRow("409") << 409 << R"({"message":"State change in progress"})"_ba
                         << "State change in progress"_ba;
}

void DaytonaCallsTest::refusal_words_areShown()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, words);
    m_fixture->server.route("POST", "/api/sandbox", Reply::json(body, status));
    const auto made = m_fixture->create();
    QVERIFY(!made);
    QVERIFY2(made.error().message.find(words.toStdString()) != std::string::npos, made.error().message.c_str());
    QCOMPARE(m_fixture->server.requestCount("POST", "/api/sandbox"), 1);
}

void DaytonaCallsTest::refusal_withoutBody_isWordedFromItsStatus()
{
    m_fixture->server.route("GET", "/toolbox/*", Reply::empty(403));
    const auto all = m_fixture->contexts();
    QVERIFY(!all);
    QCOMPARE(all.error().kind, Error::Kind::Forbidden);
    QCOMPARE(all.error().message, std::string("The contexts could not be listed. This key may not do that."));
}

void DaytonaCallsTest::refusal_schema_listsItsSentences()
{
    m_fixture->server.route("GET", "/api/sandbox",
        Reply::json(R"({"message":["limit must be a number","states is wrong"],"error":"Bad Request"})", 400));
    const auto all = m_fixture->list();
    QVERIFY(all.error().message.find("limit must be a number; states is wrong") != std::string::npos);
}

void DaytonaCallsTest::rateLimit_onAGet_waitsAndRepeats()
{
    int left = 2;
    m_fixture->server.route("GET", "/api/sandbox", [&](const FakeHttpServer::Request &) {
        return left-- > 0 ? Reply::json(R"({"message":"Too Many Requests"})", 429)
                          : Reply::json(R"({"items":[],"nextCursor":null})");
    });
    QElapsedTimer age;
    age.start();
    QVERIFY(m_fixture->list());
    QCOMPARE(m_fixture->server.requestCount("GET", "/api/sandbox?"), 3);
    QVERIFY(age.elapsed() >= 60); // 20 ms, then twice that
}

void DaytonaCallsTest::rateLimit_withRetryAfter_waitsThatLong()
{
    int left = 1;
    m_fixture->server.route("GET", "/api/sandbox", [&](const FakeHttpServer::Request &) {
        Reply refusal = Reply::json("{}", 429);
        refusal.headers.emplaceBack("Retry-After", "1");
        return left-- > 0 ? refusal : Reply::json(R"({"items":[],"nextCursor":null})");
    });
    QElapsedTimer age;
    age.start();
    QVERIFY(m_fixture->list());
    QVERIFY(age.elapsed() >= 1000);
}

void DaytonaCallsTest::rateLimit_tooLongToWait_isTold()
{
    Reply refusal = Reply::json(R"({"message":"Slow down","code":"RATE_LIMITED"})", 429);
    refusal.headers.emplaceBack("Retry-After", "120");
    m_fixture->server.route("GET", "/api/sandbox", refusal);
    const auto all = m_fixture->list();
    QVERIFY(!all);
    QCOMPARE(all.error().retryAfter.value_or(0s), 120s);
    QVERIFY(all.error().message.find("Limit reached (RATE_LIMITED). Try again in 120 s.") != std::string::npos);
    QCOMPARE(m_fixture->server.requestCount("GET", "/api/sandbox?"), 1);
}

void DaytonaCallsTest::rateLimit_onWhatCreates_isSentOnce()
{
    m_fixture->server.setMode(Mode::RateLimited);
    QVERIFY(!m_fixture->create());
    QCOMPARE(m_fixture->server.requests().size(), 1);
}

void DaytonaCallsTest::rateLimit_cancelledWhileWaiting_ends()
{
    Reply refusal = Reply::json("{}", 429);
    refusal.headers.emplaceBack("Retry-After", "20");
    m_fixture->server.route("GET", "/api/sandbox", refusal);
    std::optional<Result<std::vector<SandboxInfo>>> answer;
    const Request request =
        m_fixture->provider->list(this, [&](const Result<std::vector<SandboxInfo>> &result) { answer = result; });
    QTRY_COMPARE(m_fixture->server.requestCount("GET", "/api/sandbox?"), 1);
    QTest::qWait(50);
    QVERIFY(request.isPending());
    request.cancel();
    QTRY_VERIFY(answer);
    QCOMPARE(answer->error().kind, Error::Kind::Cancelled);
}

void DaytonaCallsTest::reachability_lostAndBack_isToldOnceEach()
{
    QSignalSpy told(m_fixture->provider.get(), &Provider::reachabilityChanged);
    m_fixture->server.shutDown();
    QVERIFY(!m_fixture->list());
    QVERIFY(!m_fixture->list());
    QCOMPARE(told.count(), 1);
    QVERIFY(told.first().first().toString().contains("Cannot reach"_L1));
    QVERIFY(m_fixture->server.reopen());
    QVERIFY(m_fixture->list());
    QCOMPARE(told.count(), 2);
    QVERIFY(told.last().first().toString().isEmpty());
}

QTEST_GUILESS_MAIN(DaytonaCallsTest)
#include "tst_daytonacalls.moc"
