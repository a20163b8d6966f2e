#pragma once

#include "core/engine/packetsocket.h"

#include <map>
#include <sys/types.h>
#include <vector>

namespace sandfish {

/// The one process of a sandbox that the daemon talks to: it starts, signals, halts and reaps the sandbox's processes.
///
/// It is the daemon's own program with `--supervisor FD`, started as pid 1 of the sandbox's pid namespace, or as the
/// reaper of its descendants where there are no namespaces. Its messages are listed in PROTOCOL.md. It holds no
/// state of the notebook, and takes everything that runs in the sandbox with it when it ends.
class Supervisor
{
public:
    explicit Supervisor(UniqueFd socket);

    /// Serves until the daemon closes the socket. Returns the exit status; the caller must leave by _exit().
    int run();

private:
    void receiveAll();
    void handle(Packet packet);
    void confine(Packet packet);
    void spawn(Packet packet);
    void adopt(const Json &message);
    void signal(const Json &message);
    void killJob(pid_t root);
    void halt(const Json &message);
    void proceed(const Json &message);
    void reap();
    void send(const Json &message);
    void killEverything();
    /// Every process of the sandbox but this one.
    std::vector<pid_t> charges() const;
    bool ownsNamespace() const;

    UniqueFd m_socket;
    UniqueFd m_cgroupProcs;
    std::uint64_t m_maxProcesses = 0; // 0: as ChildProcessSpec has it
    std::uint64_t m_maxDataBytes = 0;
    std::map<pid_t, bool> m_children;
    std::vector<pid_t> m_haltedByUser;
    bool m_ended = false;
};

} // namespace sandfish
