#pragma once

#include "core/providers/lizard/lizardprovider.h"
#include "tests/support/awaited.h"
#include "tests/support/fakelizard.h"

#include <QTest>

#include <memory>
#include <string>

namespace sandfish::test {

/// A Python context of an adapter whose service is a fake one.
class LizardFixture
{
protected:
    void close();
    void open(FakeLizard::Kind kind);
    Execution *run(const std::string &code = "x");

    std::unique_ptr<FakeLizard> m_server;
    std::unique_ptr<LizardProvider> m_provider;
    std::shared_ptr<Context> m_context;
};

inline void LizardFixture::close()
{
    m_context.reset();
    m_provider.reset();
    m_server.reset();
}

inline void LizardFixture::open(FakeLizard::Kind kind)
{
    m_context.reset();
    m_server = std::make_unique<FakeLizard>(kind);
    m_provider =
        std::make_unique<LizardProvider>(LizardProvider::Config{QStringLiteral("lizard"), QStringLiteral("Lizard")},
            m_server->url(), QByteArrayLiteral("secret-key"), QStringLiteral("project-1"));
    const auto context = awaited<std::shared_ptr<Context>>([&](QObject *receiver, auto done) {
        m_provider->openContext({"s1"}, {"python", {}}, receiver, std::move(done));
    });
    QVERIFY(context);
    m_context = *context;
}

inline Execution *LizardFixture::run(const std::string &code)
{
    return m_context->execute({.code = code});
}

} // namespace sandfish::test
