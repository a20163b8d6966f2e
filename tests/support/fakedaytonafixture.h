#pragma once

#include "core/providers/daytona/daytonaprovider.h"
#include "tests/support/awaited.h"
#include "tests/support/fakedaytona.h"

namespace sandfish::test {

/// The Daytona adapter and the fake service it talks to, with waits that fit a test.
class FakeDaytonaFixture
{
public:
    FakeDaytonaFixture()
    {
        config.apiUrl = server.apiUrl();
        config.key = "secret-key";
        config.target = QStringLiteral("eu");
        config.openLimit = std::chrono::milliseconds(2000);
        config.firstPoll = std::chrono::milliseconds(5);
        config.longestPoll = std::chrono::milliseconds(20);
        config.firstBackOff = std::chrono::milliseconds(20);
        config.endGrace = std::chrono::milliseconds(300);
        connect();
    }

    /// A new provider with what config says now.
    void connect() { provider = std::make_unique<DaytonaProvider>(config); }

    template <typename T, typename Act> Result<T> call(Act act)
    {
        return awaited<T>([&](QObject *receiver, auto done) { act(*provider, receiver, std::move(done)); }, 20000);
    }
    Result<std::vector<SandboxInfo>> list()
    {
        return call<std::vector<SandboxInfo>>([](auto &p, auto *r, auto done) { p.list(r, std::move(done)); });
    }
    Result<SandboxInfo> info(const std::string &id = "sb-1")
    {
        return call<SandboxInfo>([&](auto &p, auto *r, auto done) { p.info({id}, r, std::move(done)); });
    }
    Result<SandboxInfo> create()
    {
        return call<SandboxInfo>([](auto &p, auto *r, auto done) { p.create({}, r, std::move(done)); });
    }
    Result<std::vector<ContextInfo>> contexts()
    {
        return call<std::vector<ContextInfo>>(
            [](auto &p, auto *r, auto done) { p.listContexts({"sb-1"}, r, std::move(done)); });
    }
    Result<std::shared_ptr<Context>> open(const ContextSpec &spec = {"python", {}})
    {
        return call<std::shared_ptr<Context>>(
            [&](auto &p, auto *r, auto done) { p.openContext({"sb-1"}, spec, r, std::move(done)); });
    }

    FakeDaytona server;
    DaytonaConfig config;
    std::unique_ptr<DaytonaProvider> provider;
};

} // namespace sandfish::test
