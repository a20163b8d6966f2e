#pragma once

#include "core/base/json.h"
#include "core/net/httpclient.h"
#include "core/protocol/sandboxinfo.h"
#include "core/providers/daytona/daytonaconfig.h"

#include <QObject>

#include <map>
#include <memory>
#include <string>

namespace sandfish {

/// The connection of one provider to Daytona: the calls of the control plane and of the toolboxes in the sandboxes, the
/// waits that a rate limit asks for, and whether the service can be reached. Shared by a provider and its contexts.
/// Thread: GUI.
///
/// A GET or DELETE that meets 429 is repeated after the time the service names, else after pauses that double, up to
/// four times and DaytonaConfig::longestBackOff each. What creates, changes or pays is sent once.
class DaytonaLink : public QObject
{
    Q_OBJECT
public:
    using Verb = HttpCall::Verb;
    static constexpr int kMaxTries = 4;

    explicit DaytonaLink(DaytonaConfig config);
    ~DaytonaLink() override;

    const DaytonaConfig &config() const { return m_config; }
    /// Those that every call needs, the key among them.
    HttpCall::Headers headers() const;

    Request control(Verb verb, const QString &path, std::string body, QObject *receiver, Done<Json> done);
    /// A call of the toolbox in a sandbox; it needs to be running.
    Request toolbox(
        const SandboxId &sandbox, Verb verb, const QString &path, std::string body, QObject *receiver, Done<Json> done);
    /// The toolbox's address for \a sandbox: known from what was told of it, else asked for.
    Request toolboxUrl(const SandboxId &sandbox, QObject *receiver, Done<QUrl> done);
    /// Takes the address from a sandbox as the control plane tells of it.
    void learnToolbox(const SandboxId &sandbox, const std::string &toolboxProxyUrl);
    void forgetToolbox(const SandboxId &sandbox) { m_toolboxes.erase(sandbox); }

    /// For outcomes of sockets, which this link does not see. \a error is null after a success.
    void noteReachability(const Error *error);

signals:
    void reachabilityChanged(const QString &problem);

private:
    struct Call;

    Request start(HttpCall http, QObject *receiver, Done<Json> done);
    void send(const std::shared_ptr<Call> &call);
    void settle(const std::shared_ptr<Call> &call, const Result<Json> &answer);
    std::chrono::milliseconds backOff(int tries, const Error &error) const;
    HttpCall callOf(Verb verb, const QUrl &base, const QString &path, std::string body) const;

    DaytonaConfig m_config;
    HttpClient m_http;
    std::map<SandboxId, QUrl> m_toolboxes;
    QString m_problem;
};

} // namespace sandfish
