#include "core/engine/holderlink.h"

#include <utility>

namespace sandfish {
namespace {

Error goneError()
{
    return {Error::Kind::NotFound, "The process that kept this state has ended."};
}

} // namespace

HolderLink::HolderLink(EventLoop &loop, UniqueFd socket)
    : m_loop(loop)
    , m_socket(std::move(socket))
{
    m_watch = m_loop.watch(m_socket.get(), EventLoop::Readiness::Read, [this] { receiveAll(); });
}

HolderLink::~HolderLink()
{
    *m_isAlive = false;
    m_loop.unwatch(m_watch);
    settle();
}

void HolderLink::whenSettled(std::function<void()> settled)
{
    if (m_isHeld || !m_socket.isOpen())
        settled();
    else
        m_settled.push_back(std::move(settled));
}

void HolderLink::settle()
{
    for (const auto &settled : std::exchange(m_settled, {}))
        settled();
}

void HolderLink::resume(const Json &message, const std::vector<UniqueFd> &descriptors, Refused refused)
{
    std::vector<int> numbers;
    for (const UniqueFd &fd : descriptors)
        numbers.push_back(fd.get());
    m_waiting.push_back(std::move(refused));
    const Result<> sent = m_socket.isOpen() ? sendPacket(m_socket.get(), message, numbers) : Result<>(goneError());
    if (sent)
        return;
    m_loop.post([alive = m_isAlive, refuse = std::move(m_waiting.back()), error = sent.error()] {
        if (*alive)
            refuse(error);
    });
    m_waiting.pop_back();
}

void HolderLink::receiveAll()
{
    const std::shared_ptr<bool> alive = m_isAlive;
    while (*alive && m_socket.isOpen()) {
        const Result<Packet> packet = receivePacket(m_socket.get());
        if (packet)
            handle(packet->message);
        else if (packet.error().kind == Error::Kind::ConnectionLost)
            close();
        if (!packet && packet.error().kind != Error::Kind::Protocol)
            return;
    }
}

void HolderLink::handle(const Json &message)
{
    const std::string event = stringOr(message, "ev", "");
    if (event == "held") {
        m_isHeld = true;
        settle();
        if (m_held)
            std::exchange(m_held, nullptr)();
    } else if (event == "resumed") {
        answer(nullptr);
    } else if (event == "stale") {
        const Error error{Error::Kind::Conflict, "Packages were installed or removed meanwhile."};
        answer(&error);
    } else if (event == "failed") {
        const Error error{
            Error::Kind::Io, "No further process can be started in the sandbox.", stringOr(message, "error", "")};
        answer(&error);
    }
}

// Answers come in the order of the questions.
void HolderLink::answer(const Error *error)
{
    if (m_waiting.empty())
        return;
    const Refused refused = std::move(m_waiting.front());
    m_waiting.pop_front();
    if (error)
        refused(*error);
}

void HolderLink::close()
{
    m_loop.unwatch(std::exchange(m_watch, 0));
    m_socket.reset();
    m_isHeld = false;
    settle();
    const std::shared_ptr<bool> alive = m_isAlive;
    const std::function<void()> ended = std::exchange(m_ended, nullptr);
    for (const Refused &refused : std::exchange(m_waiting, {}))
        refused(goneError());
    // One of the call-backs may have let go of this object.
    if (*alive && ended)
        ended();
}

} // namespace sandfish
