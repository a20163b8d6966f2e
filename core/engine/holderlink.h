#pragma once

#include "core/engine/eventloop.h"
#include "core/engine/packetsocket.h"

#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace sandfish {

/// The daemon's end of the socket to a process that sleeps on a state of a Python runner (resources/runners/README.md
/// §10): the holder of a checkpoint, or the zygote of a sandbox. That process ends with this object. Thread: the
/// loop's; call-backs come from the loop, never inside a call.
class HolderLink
{
public:
    using Refused = std::function<void(const Error &)>;

    HolderLink(EventLoop &loop, UniqueFd socket);
    ~HolderLink();

    void setHeld(std::function<void()> held) { m_held = std::move(held); }
    /// Called once when the process has ended by itself.
    void setEnded(std::function<void()> ended) { m_ended = std::move(ended); }
    /// Calls \a settled once the process sleeps or has ended, and at the latest when this object goes; at once if it
    /// does.
    void whenSettled(std::function<void()> settled);
    /// True once the process has said that it sleeps.
    bool isHeld() const { return m_isHeld; }
    bool isOpen() const { return m_socket.isOpen(); }

    /// Asks for a new runner on \a descriptors (0 to 3), which then says `ready` on the last of them. \a refused is
    /// called instead when there will be none; Kind::Conflict: what the zygote has loaded was changed on disk.
    void resume(const Json &message, const std::vector<UniqueFd> &descriptors, Refused refused);

private:
    void receiveAll();
    void handle(const Json &message);
    void answer(const Error *error);
    void settle();
    void close();

    EventLoop &m_loop;
    UniqueFd m_socket;
    EventLoop::WatchId m_watch = 0;
    bool m_isHeld = false;
    std::deque<Refused> m_waiting;
    std::vector<std::function<void()>> m_settled;
    std::function<void()> m_held;
    std::function<void()> m_ended;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
};

} // namespace sandfish
