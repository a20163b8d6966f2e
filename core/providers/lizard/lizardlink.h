#pragma once

#include "core/base/json.h"
#include "core/net/httpclient.h"
#include "core/net/httpstream.h"
#include "core/protocol/sandboxinfo.h"
#include "core/providers/lizard/endpointsource.h"
#include "core/providers/lizard/lizardcodec.h"

#include <QObject>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sandfish {

/// The connection of one provider to its service: finds the control plane, asks it once what it is, keeps the address
/// of each sandbox's code server, and knows whether the service can be reached. Shared by a provider and its contexts.
/// Thread: GUI.
class LizardLink : public QObject
{
    Q_OBJECT
public:
    using Verb = HttpCall::Verb;

    explicit LizardLink(std::unique_ptr<EndpointSource> source);
    ~LizardLink() override;

    /// A call of the control plane. Where the connection is refused and the source can recover, it is tried once more.
    Request control(Verb verb, const QString &path, std::string body, QObject *receiver, Done<Json> done);
    /// A call of a sandbox's code server. After a failed connection or a 404 the address is asked for again, and the
    /// call repeated if it has changed (protocols.md §7.3-51).
    Request code(
        const SandboxId &sandbox, Verb verb, const QString &path, std::string body, QObject *receiver, Done<Json> done);

    Request codeUrl(const SandboxId &sandbox, QObject *receiver, Done<QUrl> done);
    std::optional<QUrl> knownCodeUrl(const SandboxId &sandbox) const;
    void forgetCodeUrl(const SandboxId &sandbox) { m_codeUrls.erase(sandbox); }

    /// Finds the service and what it is; cheap when that is known. \a ready gets success or the error, maybe at once.
    void whenConnected(std::function<void(const Result<> &)> ready);
    bool isConnected() const { return m_isConnected; }
    /// What the service is; nothing for a seed service, or before isConnected().
    const std::optional<Lizard::EngineInfo> &engine() const { return m_engine; }
    const LizardEndpoint &endpoint() const { return m_endpoint; }
    HttpStreamPool &streams() { return m_streams; }
    /// For outcomes of streams, which this link does not see. \a error is null after a success.
    void noteReachability(const Error *error);

signals:
    void connected();
    void reachabilityChanged(const QString &problem);

private:
    struct ControlCall;
    struct CodeCall;

    void probe();
    void settleConnection(const Result<> &result);
    void disconnectFromService();
    void run(const std::shared_ptr<ControlCall> &call);
    void settle(const std::shared_ptr<ControlCall> &call, const Result<Json> &answer);
    void run(const std::shared_ptr<CodeCall> &call);
    void settle(const std::shared_ptr<CodeCall> &call, const QUrl &base, const Result<Json> &answer);

    std::unique_ptr<EndpointSource> m_source;
    HttpClient m_http;
    HttpStreamPool m_streams;
    LizardEndpoint m_endpoint;
    std::optional<Lizard::EngineInfo> m_engine;
    std::map<SandboxId, QUrl> m_codeUrls;
    std::vector<std::function<void(const Result<> &)>> m_waiting;
    bool m_isConnected = false;
    bool m_isConnecting = false;
    QString m_problem;
};

} // namespace sandfish
