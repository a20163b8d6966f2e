#pragma once

#include "tests/bench/bench.h"
#include "tests/bench/codeconnection.h"
#include "tests/support/enginefixture.h"

#include <QCoreApplication>

#include <functional>
#include <memory>
#include <string>

namespace sandfish::bench {

/// The real sandfishd with one sandbox, for rows that speak HTTP to it.
class EngineHost
{
public:
    EngineHost();

    /// False, and the report says why, when the engine did not come up.
    bool isReady(Report &report) const;
    EngineFixture &engine() { return m_engine; }
    const EngineSandbox &sandbox() const { return m_sandbox; }
    std::uint16_t port() const;
    std::string codePath(const char *path) const;
    std::string keyHeader() const;
    qint64 pid() { return m_engine.process().processId(); }

private:
    int m_argc = 0;
    QCoreApplication m_application;
    EngineFixture m_engine;
    EngineSandbox m_sandbox;
    bool m_isStarted = false;
};

/// What an execution gave, in milliseconds from the request.
struct Run
{
    double firstMs = 0; ///< the first item of output or value
    double endMs = 0;   ///< the last line
    std::uint64_t textBytes = 0;
    int bundles = 0;
    bool hasError = false;
};

/// Runs \a body, a JSON object, and decodes every record of the answer as the window does.
Run execute(CodeConnection &connection, const EngineHost &host, const std::string &body);

/// `{"code": …, "language": …}` in the full dialect.
std::string fullBody(const std::string &code, const std::string &language = "python");

} // namespace sandfish::bench
