#include "core/providers/providerregistry.h"
#include "tests/support/fakedaytonafixture.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;
using namespace sandfish::test;
using namespace std::chrono_literals;
using Mode = FakeHttpServer::Mode;
using Reply = FakeHttpServer::Reply;

/// Sandboxes and contexts as the Daytona adapter tells of them: protocols.md §3, §7.5. What changes a sandbox is in
/// tst_daytonalifecycle, runs are in tst_daytonaexecution.
class DaytonaProviderTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void registry_environment_makesTheProvider();
    void registry_badEnvironment_saysWhatToSet_data();
    void registry_badEnvironment_saysWhatToSet();
    void list_pages_areFollowedToTheLast();
    void list_endlessCursor_ends();
    void list_states_areRepeatedKeys();
    void list_unknownState_isKeptForDisplay();
    void list_page_isWordedAsAnotherService();
    void info_unknownSandbox_isNotFoundAndGone();
    void capabilities_areThoseOfTheService();
    void contexts_list_givesTheNewestFirst();
    void contexts_ended_isDead();
    void openContext_python_isMadeInItsFolder();
    void openContext_anotherLanguage_isRefusedBeforeItIsSent();
    void openContext_emptyRefusal_namesTheFolder();
    void attachContext_gone_isNotFound();
    void closeContext_goneAlready_isNoError();
    void toolbox_address_isAskedOnceWhereUnknown();
    void toolbox_loopbackOfARemoteService_isNotUsed();

private:
    std::unique_ptr<FakeDaytonaFixture> m_fixture;
};

void DaytonaProviderTest::init()
{
    m_fixture = std::make_unique<FakeDaytonaFixture>();
}

void DaytonaProviderTest::registry_environment_makesTheProvider()
{
    qputenv("DAYTONA_API_KEY", "dtn_1");
    qputenv("DAYTONA_API_URL", "");
    qputenv("DAYTONA_TARGET", "us");
    QVERIFY(ProviderRegistry::configuredIds().contains(u"daytona"_s));
    const auto made = ProviderRegistry::make(u"daytona"_s);
    QVERIFY(made);
    const auto *provider = qobject_cast<DaytonaProvider *>(made->get());
    QVERIFY(provider);
    QCOMPARE(provider->config().apiUrl, QUrl(u"https://app.daytona.io/api"_s));
    QCOMPARE(provider->config().target, u"us"_s);
    for (const char *name : {"DAYTONA_API_KEY", "DAYTONA_API_URL", "DAYTONA_TARGET"})
        qunsetenv(name);
    QVERIFY(!ProviderRegistry::configuredIds().contains(u"daytona"_s));
}

void DaytonaProviderTest::registry_badEnvironment_saysWhatToSet_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("no key") << "DAYTONA_TARGET"_ba
                            << "eu"_ba
                            << "Set DAYTONA_API_KEY"_ba;
    QTest::newRow("key of two lines") << "DAYTONA_API_KEY"_ba
                                      << "a\nb"_ba
                                      << "Set DAYTONA_API_KEY"_ba;
    QTest::newRow("token alone") << "DAYTONA_JWT_TOKEN"_ba
                                 << "t"_ba
                                 << "Set DAYTONA_ORGANIZATION_ID"_ba;
}

void DaytonaProviderTest::registry_badEnvironment_saysWhatToSet()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, words);
    qputenv(name.constData(), value);
    const auto made = ProviderRegistry::make(u"daytona"_s);
    qunsetenv(name.constData());
    QVERIFY(!made);
    QVERIFY2(made.error().message.find(words.toStdString()) != std::string::npos, made.error().message.c_str());
}

void DaytonaProviderTest::list_pages_areFollowedToTheLast()
{
    m_fixture->server.route("GET", "/api/sandbox", [](const FakeHttpServer::Request &request) {
        if (request.path.endsWith("&cursor=p%2F2"))
            return Reply::json(R"({"items":[{"id":"b"}],"nextCursor":"p3"})");
        if (request.path.endsWith("&cursor=p3"))
            return Reply::json(R"({"items":[{"id":"c","state":"destroyed"},{"id":"d"}],"nextCursor":null})");
        return Reply::json(R"({"items":[{"id":"a"}],"nextCursor":"p/2"})");
    });
    const auto all = m_fixture->list();
    QVERIFY(all);
    QCOMPARE(all->size(), std::size_t(3));
    QCOMPARE(all->back().id.value, std::string("d"));
    QCOMPARE(m_fixture->server.requestCount("GET", "/api/sandbox?"), 3);
}

void DaytonaProviderTest::list_endlessCursor_ends()
{
    m_fixture->server.route("GET", "/api/sandbox", Reply::json(R"({"items":[{"id":"a"}],"nextCursor":"same"})"));
    QVERIFY(m_fixture->list());
    QCOMPARE(m_fixture->server.requestCount("GET", "/api/sandbox?"), 2);
}

void DaytonaProviderTest::list_states_areRepeatedKeys()
{
    QVERIFY(m_fixture->list());
    const QByteArray path = m_fixture->server.requests().last().path;
    QVERIFY2(path.count("&states=") > 10 && !path.contains("%2C"), path.constData());
}

void DaytonaProviderTest::list_unknownState_isKeptForDisplay()
{
    m_fixture->server.route(
        "GET", "/api/sandbox", Reply::json(R"({"items":[{"id":"a","state":"defrosting","extra":{}}],"more":1})"));
    const auto all = m_fixture->list();
    QVERIFY(all);
    QCOMPARE(all->front().state, SandboxState::Busy);
    QCOMPARE(all->front().rawState, std::string("defrosting"));
}

void DaytonaProviderTest::list_page_isWordedAsAnotherService()
{
    m_fixture->server.setMode(Mode::Html);
    const auto all = m_fixture->list();
    QVERIFY(!all);
    QCOMPARE(all.error().kind, Error::Kind::Protocol);
    QVERIFY(all.error().message.find("Check the address") != std::string::npos);
}

void DaytonaProviderTest::info_unknownSandbox_isNotFoundAndGone()
{
    QSignalSpy changed(m_fixture->provider.get(), &Provider::sandboxChanged);
    const auto info = m_fixture->info("other");
    QVERIFY(!info);
    QCOMPARE(info.error().kind, Error::Kind::NotFound);
    QCOMPARE(changed.first().first().value<SandboxInfo>().state, SandboxState::Gone);
}

void DaytonaProviderTest::capabilities_areThoseOfTheService()
{
    using Capability = Provider::Capability;
    const Provider::Capabilities all = m_fixture->provider->capabilities();
    for (const Capability has : {Capability::Create, Capability::Pause, Capability::Stop, Capability::SetTimeout,
             Capability::MultipleContexts, Capability::Interrupt})
        QVERIFY(all.testFlag(has));
    for (const Capability lacks : {Capability::Stdin, Capability::FolderBinds, Capability::Files, Capability::Complete,
             Capability::Snapshot, Capability::Fork})
        QVERIFY(!all.testFlag(lacks));
}

void DaytonaProviderTest::contexts_list_givesTheNewestFirst()
{
    m_fixture->server.route("GET", "/toolbox/sb-1/process/interpreter/context",
        Reply::json(R"({"contexts":[{"id":"old","createdAt":"2026-05-01T10:00:00Z","language":"python"},
            {"id":"new","createdAt":"2026-05-01T11:00:00Z","language":"python"},{"cwd":"/"}]})"));
    const auto all = m_fixture->contexts();
    QVERIFY(all);
    QCOMPARE(all->size(), std::size_t(2));
    QCOMPARE(all->front().id.value, std::string("new"));
}

void DaytonaProviderTest::contexts_ended_isDead()
{
    m_fixture->server.route("GET", "/toolbox/sb-1/process/interpreter/context",
        Reply::json(R"({"contexts":[{"id":"a","active":false},{"id":"b","active":true}]})"));
    const auto all = m_fixture->contexts();
    QVERIFY(all);
    QCOMPARE(all->at(0).state, ContextState::Dead);
    QCOMPARE(all->at(1).state, ContextState::Unknown);
}

void DaytonaProviderTest::openContext_python_isMadeInItsFolder()
{
    const auto context = m_fixture->open({"python", "/srv"});
    QVERIFY(context);
    QCOMPARE((*context)->info().id.value, std::string("c-1"));
    QCOMPARE(m_fixture->server.requests().last().body, R"({"cwd":"/srv","language":"python"})"_ba);
}

void DaytonaProviderTest::openContext_anotherLanguage_isRefusedBeforeItIsSent()
{
    const auto context = m_fixture->open({"javascript", {}});
    QVERIFY(!context);
    QCOMPARE(context.error().kind, Error::Kind::Unsupported);
    QVERIFY(context.error().message.find("choose another service") != std::string::npos);
    QVERIFY(m_fixture->server.requests().isEmpty());
}

void DaytonaProviderTest::openContext_emptyRefusal_namesTheFolder()
{
    m_fixture->server.route("POST", "/toolbox/sb-1/process/interpreter/context", Reply::empty(500));
    const auto context = m_fixture->open({"python", "/missing"});
    QVERIFY(!context);
    QVERIFY2(context.error().message.find("folder /missing") != std::string::npos, context.error().message.c_str());
    QVERIFY(context.error().message.find("Try again later") != std::string::npos);
}

void DaytonaProviderTest::attachContext_gone_isNotFound()
{
    const auto context = awaited<std::shared_ptr<Context>>([&](QObject *receiver, auto done) {
        m_fixture->provider->attachContext({"sb-1"}, {{"c-9"}, "python"}, receiver, std::move(done));
    });
    QVERIFY(!context);
    QCOMPARE(context.error().kind, Error::Kind::NotFound);
}

void DaytonaProviderTest::closeContext_goneAlready_isNoError()
{
    QVERIFY(awaited<std::monostate>([&](QObject *receiver, auto done) {
        m_fixture->provider->closeContext({"sb-1"}, {"c-9"}, receiver, std::move(done));
    }));
}

void DaytonaProviderTest::toolbox_address_isAskedOnceWhereUnknown()
{
    QVERIFY(m_fixture->contexts());
    QVERIFY(m_fixture->contexts());
    QCOMPARE(m_fixture->server.requestCount("GET", "/api/sandbox/sb-1/toolbox-proxy-url"), 1);
    m_fixture->connect();
    QVERIFY(m_fixture->info());
    QVERIFY(m_fixture->contexts());
    QCOMPARE(m_fixture->server.requestCount("GET", "/api/sandbox/sb-1/toolbox-proxy-url"), 1);
}

void DaytonaProviderTest::toolbox_loopbackOfARemoteService_isNotUsed()
{
    FakeHttpServer other;
    m_fixture->server.route("GET", "/api/sandbox/sb-1/toolbox-proxy-url", Reply::json(R"({"url":"ftp://127.0.0.1/"})"));
    const auto all = m_fixture->contexts();
    QVERIFY(!all);
    QCOMPARE(all.error().kind, Error::Kind::Protocol);
}

QTEST_GUILESS_MAIN(DaytonaProviderTest)
#include "tst_daytonaprovider.moc"
