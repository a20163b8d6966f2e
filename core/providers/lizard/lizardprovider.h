#pragma once

#include "core/providers/provider.h"

#include <QByteArray>
#include <QUrl>

#include <functional>
#include <map>

namespace sandfish {

class EndpointSource;
class LizardLink;

/// A service that speaks the seed protocol (protocols.md §1): the vendor's, or the local engine with its extensions,
/// which are used only where `/v1/engine` has answered.
class LizardProvider : public Provider
{
    Q_OBJECT
public:
    struct Config
    {
        QString id;
        QString displayName;
    };

    LizardProvider(Config config, std::unique_ptr<EndpointSource> source, QObject *parent = nullptr);
    /// A service at a fixed address.
    LizardProvider(Config config, const QUrl &apiUrl, const QByteArray &apiKey, const QString &projectId,
        QObject *parent = nullptr);
    ~LizardProvider() override;

    QString id() const override { return m_config.id; }
    QString displayName() const override { return m_config.displayName; }
    /// Before the first answer: what every seed service can do.
    Capabilities capabilities() const override;

    Request list(QObject *receiver, Done<std::vector<SandboxInfo>> done) override;
    Request info(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done) override;
    Request create(const SandboxSpec &spec, QObject *receiver, Done<SandboxInfo> done) override;
    /// A sandbox that is gone already counts as killed.
    Request kill(const SandboxId &id, QObject *receiver, Done<> done) override;
    Request pause(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done) override;
    Request resume(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done) override;
    Request setTimeout(const SandboxId &id, std::chrono::milliseconds timeout, QObject *receiver, Done<> done) override;
    Request listContexts(const SandboxId &id, QObject *receiver, Done<std::vector<ContextInfo>> done) override;
    Request openContext(
        const SandboxId &id, const ContextSpec &spec, QObject *receiver, Done<std::shared_ptr<Context>> done) override;
    Request attachContext(const SandboxId &id, const ContextInfo &context, QObject *receiver,
        Done<std::shared_ptr<Context>> done) override;
    Request closeContext(const SandboxId &id, const ContextId &context, QObject *receiver, Done<> done) override;

protected:
    LizardLink &link() const { return *m_link; }

private:
    Request changeState(
        const SandboxId &id, const QString &verb, SandboxState reached, QObject *receiver, Done<SandboxInfo> done);
    void remember(SandboxInfo info);
    void noteGone(const SandboxId &id);
    std::shared_ptr<Context> makeContext(const SandboxId &id, ContextInfo info) const;

    Config m_config;
    std::shared_ptr<LizardLink> m_link;
    std::map<SandboxId, SandboxInfo> m_known;
};

} // namespace sandfish
