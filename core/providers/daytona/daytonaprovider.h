#pragma once

#include "core/base/json.h"
#include "core/providers/daytona/daytonaconfig.h"
#include "core/providers/daytona/daytonawait.h"
#include "core/providers/provider.h"

#include <map>

namespace sandfish {

class DaytonaLink;

/// The sandboxes of a Daytona account (protocols.md §3). Python alone; a run has no value of its last line, no rich
/// output and no count.
///
/// A stop keeps the files and loses memory, a pause keeps both; where the service refuses a pause of a running sandbox,
/// Capability::Pause is withdrawn. The service stops a sandbox by itself after 15 idle minutes, see
/// SandboxInfo::endsAt.
class DaytonaProvider : public Provider
{
    Q_OBJECT
public:
    explicit DaytonaProvider(DaytonaConfig config, QObject *parent = nullptr);
    ~DaytonaProvider() override;

    QString id() const override { return QStringLiteral("daytona"); }
    QString displayName() const override { return QStringLiteral("Daytona"); }
    Capabilities capabilities() const override;
    const DaytonaConfig &config() const;

    Request list(QObject *receiver, Done<std::vector<SandboxInfo>> done) override;
    Request info(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done) override;
    /// Waits until the sandbox is started. One that is given up meanwhile is deleted, since it would cost.
    Request create(const SandboxSpec &spec, QObject *receiver, Done<SandboxInfo> done) override;
    /// A sandbox that is gone already counts as killed.
    Request kill(const SandboxId &id, QObject *receiver, Done<> done) override;
    Request pause(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done) override;
    Request resume(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done) override;
    Request stop(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done) override;
    /// The idle time before the service stops the sandbox, in whole minutes rounded up; 0: never.
    Request setTimeout(const SandboxId &id, std::chrono::milliseconds timeout, QObject *receiver, Done<> done) override;
    /// Without the service's own `default` context, which it does not list.
    Request listContexts(const SandboxId &id, QObject *receiver, Done<std::vector<ContextInfo>> done) override;
    Request openContext(
        const SandboxId &id, const ContextSpec &spec, QObject *receiver, Done<std::shared_ptr<Context>> done) override;
    Request attachContext(const SandboxId &id, const ContextInfo &context, QObject *receiver,
        Done<std::shared_ptr<Context>> done) override;
    Request closeContext(const SandboxId &id, const ContextId &context, QObject *receiver, Done<> done) override;

private:
    using Pages = Completion<std::vector<SandboxInfo>>;

    void readPage(const std::string &cursor, std::vector<SandboxInfo> before, const Pages &completion);
    void awaitCreated(const SandboxInfo &made, const Completion<SandboxInfo> &completion);
    Request changeState(const SandboxId &id, const QString &verb, std::vector<SandboxState> wanted, QObject *receiver,
        Done<SandboxInfo> done);
    void checkRefusedChange(const SandboxId &id, const DaytonaWait::Goal &goal, const Error &refusal,
        const Completion<SandboxInfo> &completion);
    void checkRefusedPause(const SandboxId &id, const Error &refusal, const Completion<SandboxInfo> &completion);
    /// What the service tells of a sandbox; nothing if it is none.
    std::optional<SandboxInfo> learn(const Json &told);
    void remember(const SandboxInfo &info);
    void noteGone(const SandboxId &id);
    std::shared_ptr<Context> makeContext(const SandboxId &id, ContextInfo info) const;

    std::shared_ptr<DaytonaLink> m_link;
    std::map<SandboxId, SandboxInfo> m_known;
    bool m_canPause = true;
};

} // namespace sandfish
