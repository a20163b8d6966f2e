#pragma once

#include "core/protocol/sandboxinfo.h"
#include "core/providers/context.h"
#include "core/support/request.h"

#include <QFlags>
#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace sandfish {

/// A configured account of a sandbox service, or the local engine. Thread: GUI.
///
/// The interface hides what a capability says is missing and never guesses by id (protocols.md §7.2-48).
class Provider : public QObject
{
    Q_OBJECT
public:
    enum class Capability
    {
        Create = 0x1,
        Pause = 0x2,
        Snapshot = 0x4,
        Fork = 0x8,
        SetTimeout = 0x10,
        MultipleContexts = 0x20,
        Interrupt = 0x40,
        Stdin = 0x80,
        Complete = 0x100,
        Files = 0x200,
        FolderBinds = 0x400, ///< SandboxSpec::folders is obeyed
        Stop = 0x800,        ///< stop() keeps the files and loses memory; resume() starts the sandbox again
    };
    Q_DECLARE_FLAGS(Capabilities, Capability)

    using QObject::QObject;

    virtual QString id() const = 0;          ///< stable, such as "local"
    virtual QString displayName() const = 0; ///< such as "Local engine"
    virtual Capabilities capabilities() const = 0;

    virtual Request list(QObject *receiver, Done<std::vector<SandboxInfo>> done) = 0;
    virtual Request info(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done) = 0;
    virtual Request create(const SandboxSpec &spec, QObject *receiver, Done<SandboxInfo> done) = 0;
    virtual Request kill(const SandboxId &id, QObject *receiver, Done<> done) = 0;
    virtual Request pause(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done);
    /// Lets a paused sandbox go on, or starts a stopped one.
    virtual Request resume(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done);
    virtual Request stop(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done);
    virtual Request setTimeout(const SandboxId &id, std::chrono::milliseconds timeout, QObject *receiver, Done<> done);
    virtual Request listContexts(const SandboxId &id, QObject *receiver, Done<std::vector<ContextInfo>> done) = 0;
    /// Creates a context and attaches to it.
    virtual Request openContext(
        const SandboxId &id, const ContextSpec &spec, QObject *receiver, Done<std::shared_ptr<Context>> done) = 0;
    /// Attaches to a context that exists.
    virtual Request attachContext(
        const SandboxId &id, const ContextInfo &context, QObject *receiver, Done<std::shared_ptr<Context>> done) = 0;
    virtual Request closeContext(const SandboxId &id, const ContextId &context, QObject *receiver, Done<> done) = 0;

signals:
    void sandboxChanged(const sandfish::SandboxInfo &info);
    /// After a request failed on the way to the service, and with an empty message once one succeeded again.
    void reachabilityChanged(const QString &problem);
};

Q_DECLARE_OPERATORS_FOR_FLAGS(Provider::Capabilities)

} // namespace sandfish
