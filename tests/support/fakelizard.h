#pragma once

#include "tests/support/fakehttpserver.h"

namespace sandfish::test {

/// A control plane and the code server of one sandbox "s1" with one context "c1", as a FakeHttpServer.
class FakeLizard : public FakeHttpServer
{
    Q_OBJECT
public:
    enum class Kind
    {
        Seed,       ///< the vendor's: no /v1 paths
        LocalEngine ///< with /v1/engine and the extensions
    };

    explicit FakeLizard(Kind kind, QObject *parent = nullptr);

    /// What POST /execute answers.
    void setExecuteReply(const Reply &reply) { m_execute = reply; }
    /// The path segment of the code server; requests below another one give 404.
    void setCapability(const QByteArray &capability) { m_capability = capability; }
    int exposeCount() const { return requestCount("POST", "/api/sandboxes/s1/expose/8080"); }
    int executeCount() const;
    QByteArray lastExecuteBody() const;

private:
    Reply codeServer(const Request &request);

    Kind m_kind;
    Reply m_execute;
    QByteArray m_capability = "cap-1";
};

} // namespace sandfish::test
