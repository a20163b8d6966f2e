#pragma once

#include "core/providers/provider.h"
#include "tests/support/scriptedcontext.h"

#include <map>
#include <optional>

namespace sandfish::test {

/// A Provider without a service: keeps its sandboxes in memory and hands out ScriptedContexts.
class ScriptedProvider : public Provider
{
    Q_OBJECT
public:
    explicit ScriptedProvider(QObject *parent = nullptr);

    void setCapabilities(Capabilities capabilities) { m_capabilities = capabilities; }
    /// The next call fails with \a error.
    void failNext(Error error) { m_nextError = std::move(error); }
    /// The script for contexts opened from now on.
    void setDefaultScript(Script script) { m_script = std::move(script); }
    /// Contexts opened from now on keep the state from before each run.
    void setKeepsCheckpoints(bool keeps) { m_keepsCheckpoints = keeps; }
    /// Calls are answered only after release().
    void setHeld(bool isHeld) { m_isHeld = isHeld; }
    void release();

    const std::vector<SandboxSpec> &created() const { return m_created; }
    const std::vector<ContextSpec> &opened() const { return m_opened; }
    const std::vector<std::shared_ptr<ScriptedContext>> &contexts() const { return m_contexts; }
    const std::map<SandboxId, SandboxInfo> &sandboxes() const { return m_sandboxes; }
    void changeSandbox(const SandboxInfo &info);
    void forgetSandbox(const SandboxId &id) { m_sandboxes.erase(id); }
    /// A context as the service itself or another program makes it.
    std::shared_ptr<ScriptedContext> addContext(const SandboxId &id, const ContextInfo &info);

    QString id() const override;
    QString displayName() const override;
    Capabilities capabilities() const override { return m_capabilities; }
    Request list(QObject *receiver, Done<std::vector<SandboxInfo>> done) override;
    Request info(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done) override;
    Request create(const SandboxSpec &spec, QObject *receiver, Done<SandboxInfo> done) override;
    Request kill(const SandboxId &id, QObject *receiver, Done<> done) override;
    Request pause(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done) override;
    Request resume(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done) override;
    Request stop(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done) override;
    Request listContexts(const SandboxId &id, QObject *receiver, Done<std::vector<ContextInfo>> done) override;
    Request openContext(
        const SandboxId &id, const ContextSpec &spec, QObject *receiver, Done<std::shared_ptr<Context>> done) override;
    Request attachContext(const SandboxId &id, const ContextInfo &context, QObject *receiver,
        Done<std::shared_ptr<Context>> done) override;
    Request closeContext(const SandboxId &id, const ContextId &context, QObject *receiver, Done<> done) override;

private:
    template <typename T> Request reply(QObject *receiver, Done<T> done, std::function<Result<T>()> work);
    ContextInfo addBranch(const ScriptedContext &origin, const CheckpointInfo &at);
    Result<SandboxInfo> find(const SandboxId &id) const;
    Result<SandboxInfo> moveTo(const SandboxId &id, SandboxState state);

    bool m_keepsCheckpoints = false;
    Capabilities m_capabilities;
    std::optional<Error> m_nextError;
    Script m_script;
    bool m_isHeld = false;
    std::vector<std::function<void()>> m_held;
    std::map<SandboxId, SandboxInfo> m_sandboxes;
    std::vector<SandboxSpec> m_created;
    std::vector<ContextSpec> m_opened;
    std::vector<std::shared_ptr<ScriptedContext>> m_contexts;
};

} // namespace sandfish::test
