#pragma once

#include "core/protocol/sandboxinfo.h"
#include "core/support/request.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace sandfish {

class Provider;

/// Brings one sandbox to a state in which it can be used: creates it or looks it up, and waits until it runs or is
/// paused. Ends after five minutes at most. Thread: GUI.
class ConnectFlow : public QObject
{
    Q_OBJECT
public:
    explicit ConnectFlow(Provider *provider, QObject *parent = nullptr);

    void create(const SandboxSpec &spec);
    void attach(const SandboxId &id);
    void cancel();

signals:
    /// Exactly one of the two, never inside create() or attach(); none after cancel().
    void finished(const sandfish::SandboxInfo &sandbox);
    void failed(const sandfish::Error &error);

private:
    enum class State
    {
        Idle,
        Asking,
        Waiting, ///< for the sandbox to leave a transitional state
        Done
    };

    void take(const Result<SandboxInfo> &sandbox);
    void ask();
    void advance(const SandboxInfo &sandbox);
    void fail(const Error &error);

    Provider *m_provider;
    State m_state = State::Idle;
    SandboxId m_sandbox;
    Request m_request;
    QTimer m_poll;
    QElapsedTimer m_age;
};

} // namespace sandfish
