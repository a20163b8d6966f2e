#pragma once

#include "core/engine/eventloop.h"
#include "core/engine/packetsocket.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sandfish {

/// What a supervisor is asked to start.
struct SpawnRequest
{
    std::vector<std::string> arguments;
    std::vector<std::string> environment; ///< NAME=value
    std::string workingDirectory;
    std::vector<std::pair<UniqueFd, int>> descriptors; ///< (ours, its number in the new process); closed here when sent
};

/// The daemon's end of one supervisor. Thread: the loop's. Every call-back comes from the loop, never inside a call,
/// and every asked question is answered once: with Kind::ConnectionLost when the supervisor is gone.
class SupervisorLink
{
public:
    using Answer = std::function<void(Result<Json>)>;

    SupervisorLink(EventLoop &loop, UniqueFd socket);
    ~SupervisorLink();

    /// Called with the supervisor's pid as the daemon sees it, once it is there.
    void setStarted(std::function<void(pid_t)> started) { m_started = std::move(started); }
    void setEnded(std::function<void()> ended) { m_ended = std::move(ended); }

    void confine(const Json &rules, int cgroupProcs, Answer answer);
    /// \a exited gets the wait status, at most once, and only after a successful answer (the pid in the sandbox).
    void spawn(SpawnRequest request, Answer answer, std::function<void(int)> exited);
    /// Takes over the end of a process of the sandbox that was started by another one: \a answer and \a exited as in
    /// spawn().
    void adopt(pid_t pid, Answer answer, std::function<void(int)> exited);
    void signal(pid_t pid, int number, bool isWholeGroup);
    /// SIGKILL to the process, its descendants and the members of its session.
    void killJob(pid_t pid);
    void halt(Answer answer);
    void proceed(Answer answer);
    void isDirectory(const std::string &path, Answer answer);
    /// Asks the supervisor to end, with everything in the sandbox.
    void end();
    void forgetExit(pid_t pid) { m_exits.erase(pid); }

private:
    struct Outgoing
    {
        Json message;
        std::vector<UniqueFd> descriptors;
    };

    std::int64_t ask(Answer answer);
    void send(Json message, std::vector<UniqueFd> descriptors = {});
    void flush();
    void receiveAll();
    void handle(const Packet &packet);
    void close();

    EventLoop &m_loop;
    UniqueFd m_socket;
    EventLoop::WatchId m_readWatch = 0;
    EventLoop::WatchId m_writeWatch = 0;
    std::deque<Outgoing> m_outgoing;
    std::int64_t m_nextId = 1;
    std::map<std::int64_t, Answer> m_answers;
    std::map<std::int64_t, std::function<void(int)>> m_newExits;
    std::map<pid_t, std::function<void(int)>> m_exits;
    std::function<void(pid_t)> m_started;
    std::function<void()> m_ended;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
};

} // namespace sandfish
