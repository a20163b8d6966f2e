#include "core/providers/lizard/lizardprovider.h"

#include "core/providers/lizard/lizardcodec.h"

#include "tests/support/awaited.h"
#include "tests/support/fakelizard.h"

#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sandfish;
using namespace sandfish::test;
using Mode = FakeHttpServer::Mode;
using Reply = FakeHttpServer::Reply;

/// The calls of the provider; runs are in tst_lizardexecution.
class LizardProviderTest : public QObject
{
    Q_OBJECT
private slots:
    void list_seed_countsAsRunning();
    void list_engine_showsItsState();
    void list_unknownState_isKeptForDisplay();
    void capabilities_seed_lackTheExtensions();
    void capabilities_engine_haveTheExtensions();
    void capabilities_pageInPlaceOfEngine_areTheSeeds();
    void create_seed_sendsNoExtension();
    void create_engine_sendsFoldersAndNetwork();
    void create_rateLimited_isSentOnce();
    void pause_seed_isRememberedInLists();
    void pause_engine_givesItsAnswer();
    void kill_goneAlready_isNoError();
    void kill_sandbox_isToldAsGone();
    void info_unknownSandbox_isNotFound();
    void key_wrong_isUnauthenticatedWithAdvice();
    void key_everyControlCall_carriesIt();
    void key_codeServer_neverSeesIt();
    void openContext_engine_givesContext();
    void contexts_engine_tellHowOftenTheyRan();
    void attachContext_gone_isNotFound();
    void attachContext_busy_showsState();
    void expose_manyCalls_isAskedOnce();
    void expose_addressChanged_isAskedAgain();
    void expose_loopbackAddressOfRemoteService_isNotUsed();
    void reachability_lostAndBack_isToldOnceEach();

private:
    std::unique_ptr<LizardProvider> providerOf(const FakeHttpServer &server) const;
};

namespace {

Result<std::vector<SandboxInfo>> list(Provider &provider)
{
    return awaited<std::vector<SandboxInfo>>(
        [&](QObject *receiver, auto done) { provider.list(receiver, std::move(done)); });
}

Result<SandboxInfo> create(Provider &provider, const SandboxSpec &spec)
{
    return awaited<SandboxInfo>(
        [&](QObject *receiver, auto done) { provider.create(spec, receiver, std::move(done)); });
}

Result<std::vector<ContextInfo>> contexts(Provider &provider)
{
    return awaited<std::vector<ContextInfo>>(
        [&](QObject *receiver, auto done) { provider.listContexts({"s1"}, receiver, std::move(done)); });
}

const FakeHttpServer::Request &lastRequest(const FakeHttpServer &server)
{
    return server.requests().last();
}

} // namespace

std::unique_ptr<LizardProvider> LizardProviderTest::providerOf(const FakeHttpServer &server) const
{
    return std::make_unique<LizardProvider>(
        LizardProvider::Config{u"lizard"_s, u"Lizard"_s}, server.url(), "secret-key"_ba, u"project-1"_s);
}

void LizardProviderTest::list_seed_countsAsRunning()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    const auto provider = providerOf(server);
    const auto all = list(*provider);
    QVERIFY(all);
    QCOMPARE(all->size(), std::size_t(1));
    const SandboxInfo &info = all->front();
    QCOMPARE(info.id.value, std::string("s1"));
    QCOMPARE(info.name, std::string("s1"));
    QCOMPARE(info.state, SandboxState::Running);
    QCOMPARE(info.metadata.at("owner"), std::string("me"));
    QCOMPARE(info.pauseKeeps, PauseKeeps::Unknown);
    QCOMPARE(*info.endsAt - *info.startedAt, std::chrono::hours(1));
}

void LizardProviderTest::list_engine_showsItsState()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    const auto provider = providerOf(server);
    QSignalSpy changed(provider.get(), &Provider::sandboxChanged);
    const auto all = list(*provider);
    QVERIFY(all);
    const SandboxInfo &info = all->front();
    QCOMPARE(info.name, std::string("blue"));
    QCOMPARE(info.isolation, std::string("full"));
    QCOMPARE(info.pauseKeeps, PauseKeeps::FilesAndMemory);
    QCOMPARE(info.memoryBytes.value_or(0), 1048576);
    using Access = FolderBind::Access;
    QVERIFY(info.folders == (std::vector<FolderBind>{{"/a", Access::ReadWrite}, {"/b", Access::ReadOnly}}));
    QVERIFY(list(*provider));
    QCOMPARE(changed.count(), 1); // the second list was the same
}

void LizardProviderTest::list_unknownState_isKeptForDisplay()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    server.route("GET", "/api/sandboxes", Reply::json(R"([{"sandboxId":"s2","status":"defrosting","extra":{}}])"));
    const auto provider = providerOf(server);
    const auto all = list(*provider);
    QVERIFY(all);
    QCOMPARE(all->front().state, SandboxState::Busy);
    QCOMPARE(all->front().rawState, std::string("defrosting"));
}

void LizardProviderTest::capabilities_seed_lackTheExtensions()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    const auto provider = providerOf(server);
    QVERIFY(list(*provider));
    QVERIFY(provider->capabilities().testFlag(Provider::Capability::Pause));
    QVERIFY(!provider->capabilities().testFlag(Provider::Capability::Interrupt));
    QVERIFY(!provider->capabilities().testFlag(Provider::Capability::FolderBinds));
}

void LizardProviderTest::capabilities_engine_haveTheExtensions()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    const auto provider = providerOf(server);
    QVERIFY(list(*provider));
    QVERIFY(provider->capabilities().testFlag(Provider::Capability::Interrupt));
    QVERIFY(provider->capabilities().testFlag(Provider::Capability::Stdin));
    QVERIFY(provider->capabilities().testFlag(Provider::Capability::FolderBinds));
}

void LizardProviderTest::capabilities_pageInPlaceOfEngine_areTheSeeds()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    server.setMode(Mode::Html, "/v1/");
    const auto provider = providerOf(server);
    QVERIFY(list(*provider));
    QVERIFY(!provider->capabilities().testFlag(Provider::Capability::Interrupt));
}

void LizardProviderTest::create_seed_sendsNoExtension()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    const auto provider = providerOf(server);
    SandboxSpec spec;
    spec.name = "blue";
    spec.folders = {{"/home/me", FolderBind::Access::ReadOnly}};
    const auto info = create(*provider, spec);
    QVERIFY(info);
    QCOMPARE(info->id.value, std::string("s1"));
    const auto &all = server.requests();
    const auto post =
        std::find_if(all.begin(), all.end(), [](const auto &request) { return request.method == "POST"; });
    const Result<Json> body = parseJsonObject(post->body.toStdString());
    QVERIFY(body);
    QCOMPARE(stringOr(*body, "projectId", ""), std::string("project-1"));
    QCOMPARE(stringOr(*body, "template", ""), std::string("code-interpreter-v1"));
    QCOMPARE(integerOr(*body, "timeoutMs", 0), 300000);
    QVERIFY(!body->contains("sandfish"));
}

void LizardProviderTest::create_engine_sendsFoldersAndNetwork()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    const auto provider = providerOf(server);
    SandboxSpec spec;
    spec.name = "blue";
    spec.hasNetwork = false;
    spec.folders = {{"/home/me", FolderBind::Access::ReadOnly}, {"/data", FolderBind::Access::ReadWrite}};
    QVERIFY(create(*provider, spec));
    const Result<Json> body = parseJsonObject(lastRequest(server).body.toStdString());
    QVERIFY(body);
    const Json expected = {{"name", "blue"}, {"network", false},
        {"folders", {{{"path", "/home/me"}, {"access", "ro"}}, {{"path", "/data"}, {"access", "rw"}}}}};
    QCOMPARE(dumpJson((*body)["sandfish"]), dumpJson(expected));
}

void LizardProviderTest::create_rateLimited_isSentOnce()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    server.setMode(Mode::RateLimited, "/api");
    const auto provider = providerOf(server);
    const auto info = create(*provider, {});
    QVERIFY(!info);
    QCOMPARE(info.error().kind, Error::Kind::RateLimited);
    QVERIFY(info.error().message.find("Too many sandboxes") != std::string::npos);
    QCOMPARE(server.requestCount("POST", "/api/sandboxes"), 1);
}

void LizardProviderTest::pause_seed_isRememberedInLists()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    const auto provider = providerOf(server);
    const auto paused =
        awaited<SandboxInfo>([&](QObject *receiver, auto done) { provider->pause({"s1"}, receiver, std::move(done)); });
    QVERIFY(paused);
    QCOMPARE(paused->state, SandboxState::Paused);
    QCOMPARE(list(*provider)->front().state, SandboxState::Paused);
    const auto resumed = awaited<SandboxInfo>(
        [&](QObject *receiver, auto done) { provider->resume({"s1"}, receiver, std::move(done)); });
    QVERIFY(resumed);
    QCOMPARE(list(*provider)->front().state, SandboxState::Running);
}

void LizardProviderTest::pause_engine_givesItsAnswer()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    const auto provider = providerOf(server);
    QSignalSpy changed(provider.get(), &Provider::sandboxChanged);
    const auto paused =
        awaited<SandboxInfo>([&](QObject *receiver, auto done) { provider->pause({"s1"}, receiver, std::move(done)); });
    QVERIFY(paused);
    QCOMPARE(paused->state, SandboxState::Paused);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(server.requestCount("GET", "/api/sandboxes/s1"), 0);
}

void LizardProviderTest::kill_goneAlready_isNoError()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    const auto provider = providerOf(server);
    QVERIFY(awaited<std::monostate>(
        [&](QObject *receiver, auto done) { provider->kill({"s9"}, receiver, std::move(done)); }));
}

void LizardProviderTest::kill_sandbox_isToldAsGone()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    const auto provider = providerOf(server);
    QSignalSpy changed(provider.get(), &Provider::sandboxChanged);
    QVERIFY(awaited<std::monostate>(
        [&](QObject *receiver, auto done) { provider->kill({"s1"}, receiver, std::move(done)); }));
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed[0][0].value<SandboxInfo>().state, SandboxState::Gone);
}

void LizardProviderTest::info_unknownSandbox_isNotFound()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    const auto provider = providerOf(server);
    const auto info = awaited<SandboxInfo>(
        [&](QObject *receiver, auto done) { provider->info({"../x?y"}, receiver, std::move(done)); });
    QVERIFY(!info);
    QCOMPARE(info.error().kind, Error::Kind::NotFound);
    QCOMPARE(lastRequest(server).path, "/api/sandboxes/..%2Fx%3Fy"_ba);
}

void LizardProviderTest::key_wrong_isUnauthenticatedWithAdvice()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    server.setMode(Mode::Unauthorised);
    const auto provider = providerOf(server);
    const auto all = list(*provider);
    QVERIFY(!all);
    QCOMPARE(all.error().kind, Error::Kind::Unauthenticated);
    QVERIFY(all.error().message.find("Check the key") != std::string::npos);
    QVERIFY(all.error().message.find("secret-key") == std::string::npos);
    QVERIFY(all.error().detail.find("secret-key") == std::string::npos);
}

void LizardProviderTest::key_everyControlCall_carriesIt()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    const auto provider = providerOf(server);
    QVERIFY(list(*provider));
    for (const auto &request : server.requests())
        QCOMPARE(request.headers["x-api-key"], "secret-key"_ba);
}

void LizardProviderTest::key_codeServer_neverSeesIt()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    const auto provider = providerOf(server);
    QVERIFY(contexts(*provider));
    QVERIFY(lastRequest(server).path.startsWith("/cap-1/"));
    QVERIFY(!lastRequest(server).headers.contains("x-api-key"));
}

void LizardProviderTest::openContext_engine_givesContext()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    const auto provider = providerOf(server);
    const auto context = awaited<std::shared_ptr<Context>>([&](QObject *receiver, auto done) {
        provider->openContext({"s1"}, {"python", "/data"}, receiver, std::move(done));
    });
    QVERIFY(context);
    QCOMPARE((*context)->info().id.value, std::string("c1"));
    QCOMPARE((*context)->sandboxId().value, std::string("s1"));
    QCOMPARE((*context)->state(), Context::State::Idle);
    QCOMPARE(lastRequest(server).body, R"({"cwd":"/data","language":"python"})"_ba);
}

void LizardProviderTest::contexts_engine_tellHowOftenTheyRan()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    server.route("GET", "/cap-1/v1/contexts",
        Reply::json(R"([{"id":"unused","language":"python","executionCount":0},{"id":"odd","language":"bash"},
            {"id":"own","language":"python","executionCount":7}])"));
    const auto provider = providerOf(server);
    const auto all = contexts(*provider);
    QVERIFY(all);
    QVERIFY(all->at(0).executionCount == 0);
    QVERIFY(!all->at(1).executionCount);
    QVERIFY(all->at(2).executionCount == 7);
}

void LizardProviderTest::attachContext_gone_isNotFound()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    const auto provider = providerOf(server);
    const auto context = awaited<std::shared_ptr<Context>>([&](QObject *receiver, auto done) {
        provider->attachContext({"s1"}, {{"c9"}, "python"}, receiver, std::move(done));
    });
    QVERIFY(!context);
    QCOMPARE(context.error().kind, Error::Kind::NotFound);
}

void LizardProviderTest::attachContext_busy_showsState()
{
    FakeLizard server(FakeLizard::Kind::LocalEngine);
    const auto provider = providerOf(server);
    const auto context = awaited<std::shared_ptr<Context>>([&](QObject *receiver, auto done) {
        provider->attachContext({"s1"}, {{"c1"}, "python"}, receiver, std::move(done));
    });
    QVERIFY(context);
    QCOMPARE((*context)->state(), Context::State::Busy);
    QCOMPARE((*context)->info().version, std::string("3.11.2"));
}

void LizardProviderTest::expose_manyCalls_isAskedOnce()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    const auto provider = providerOf(server);
    for (int i = 0; i < 5; ++i)
        QVERIFY(contexts(*provider));
    QCOMPARE(server.exposeCount(), 1);
}

void LizardProviderTest::expose_addressChanged_isAskedAgain()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    const auto provider = providerOf(server);
    QVERIFY(contexts(*provider));
    server.setCapability("cap-2");
    QVERIFY(contexts(*provider));
    QCOMPARE(server.exposeCount(), 2);
}

void LizardProviderTest::expose_loopbackAddressOfRemoteService_isNotUsed()
{
    const Json answer = {{"hostname", "s1-8080.sandbox.example"}, {"url", "http://127.0.0.1:1/x"}};
    QCOMPARE(
        Lizard::parseExposed(answer, QUrl(u"https://lizard.example"_s)), QUrl(u"https://s1-8080.sandbox.example"_s));
    QCOMPARE(Lizard::parseExposed(answer, QUrl(u"http://127.0.0.1:2"_s)), QUrl(u"http://127.0.0.1:1/x"_s));
    const Json remote = {{"hostname", "localhost:8443/cap"}, {"url", "http://evil.example/x"}};
    QCOMPARE(Lizard::parseExposed(remote, QUrl(u"http://127.0.0.1:2"_s)), QUrl(u"https://localhost:8443/cap"_s));
}

void LizardProviderTest::reachability_lostAndBack_isToldOnceEach()
{
    FakeLizard server(FakeLizard::Kind::Seed);
    const auto provider = providerOf(server);
    QSignalSpy spy(provider.get(), &Provider::reachabilityChanged);
    QVERIFY(list(*provider));
    QCOMPARE(spy.count(), 0);
    server.shutDown();
    QVERIFY(!list(*provider));
    QVERIFY(!list(*provider));
    QCOMPARE(spy.count(), 1);
    QVERIFY(spy[0][0].toString().contains(u"Cannot reach"_s));
    QVERIFY(server.reopen());
    QVERIFY(list(*provider));
    QCOMPARE(spy.count(), 2);
    QCOMPARE(spy[1][0].toString(), QString());
}

QTEST_GUILESS_MAIN(LizardProviderTest)
#include "tst_lizardprovider.moc"
