#include "core/session/connectflow.h"

#include "core/providers/provider.h"

namespace sandfish {
namespace {

constexpr std::chrono::milliseconds kPollInterval{500};
constexpr std::chrono::minutes kPatience{5};

bool isTransitional(SandboxState state)
{
    return state == SandboxState::Creating || state == SandboxState::Resuming || state == SandboxState::Pausing
        || state == SandboxState::Busy;
}

} // namespace

ConnectFlow::ConnectFlow(Provider *provider, QObject *parent)
    : QObject(parent)
    , m_provider(provider)
{
    m_poll.setSingleShot(true);
    m_poll.setInterval(kPollInterval);
    connect(&m_poll, &QTimer::timeout, this, &ConnectFlow::ask);
}

void ConnectFlow::create(const SandboxSpec &spec)
{
    m_age.start();
    m_state = State::Asking;
    m_request = m_provider->create(spec, this, [this](const Result<SandboxInfo> &sandbox) { take(sandbox); });
}

void ConnectFlow::attach(const SandboxId &id)
{
    m_age.start();
    m_sandbox = id;
    ask();
}

void ConnectFlow::cancel()
{
    m_state = State::Done;
    m_poll.stop();
    m_request.cancel();
}

void ConnectFlow::ask()
{
    m_state = State::Asking;
    m_request = m_provider->info(m_sandbox, this, [this](const Result<SandboxInfo> &sandbox) { take(sandbox); });
}

void ConnectFlow::take(const Result<SandboxInfo> &sandbox)
{
    if (m_state != State::Asking)
        return;
    if (sandbox)
        advance(*sandbox);
    else
        fail(sandbox.error());
}

void ConnectFlow::advance(const SandboxInfo &sandbox)
{
    m_sandbox = sandbox.id;
    if (isTransitional(sandbox.state)) {
        if (std::chrono::milliseconds(m_age.elapsed()) > kPatience) {
            fail(Error{Error::Kind::Timeout,
                tr("The sandbox was not ready after five minutes. Try again, or choose another service.").toStdString(),
                sandbox.rawState});
            return;
        }
        m_state = State::Waiting;
        m_poll.start();
        return;
    }
    const bool isUsable = sandbox.state == SandboxState::Running || sandbox.state == SandboxState::Paused
        || sandbox.state == SandboxState::Unknown;
    if (!isUsable) {
        fail(Error{Error::Kind::Gone, tr("The sandbox has ended. Start a new one.").toStdString(), sandbox.rawState});
        return;
    }
    m_state = State::Done;
    emit finished(sandbox);
}

void ConnectFlow::fail(const Error &error)
{
    m_state = State::Done;
    emit failed(error);
}

} // namespace sandfish
