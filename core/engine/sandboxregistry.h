#pragma once

#include "core/engine/localsandbox.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sandfish {

/// Every sandbox of the daemon. Thread: the loop's.
class SandboxRegistry
{
public:
    using SandboxPtr = std::shared_ptr<LocalSandbox>;

    SandboxRegistry(EventLoop &loop, const EngineFacts &facts);

    /// Takes over what an earlier daemon of this state directory has left: its files as stopped sandboxes, unless their
    /// time is over. Processes that it has left are ended.
    void adoptLeftovers();
    /// Kind::BadRequest when the host cannot give what is asked for, Kind::RateLimited beyond the bound.
    void create(SandboxSpec spec, std::function<void(Result<SandboxPtr>)> done);
    std::vector<SandboxPtr> all() const;
    SandboxPtr find(const std::string &id) const;
    /// By the secret part of a code server's address, compared in constant time; null also when it is ending.
    SandboxPtr findByCapability(const std::string &capability) const;
    /// Called after the state of a sandbox has changed, in a later turn: of changes in a row it sees the last. Null:
    /// none.
    void setObserver(std::function<void(const LocalSandbox &)> changed) { m_observer = std::move(changed); }
    /// Ends every process; \a done when the last one is gone, or after 3 s. The files stay for the next daemon.
    void shutDown(std::function<void()> done);

private:
    Result<> check(const SandboxSpec &spec) const;
    Result<> resolveFolders(LocalSandboxSpec &spec) const;
    void watch(const SandboxPtr &sandbox);
    void forget(const std::string &id);
    void removeFiles(const std::string &id) const;

    EventLoop &m_loop;
    const EngineFacts &m_facts;
    std::map<std::string, SandboxPtr> m_sandboxes;
    bool m_keepsFiles = false;
    std::function<void(const LocalSandbox &)> m_observer;
    std::function<void()> m_emptied;
    EventLoop::TimerId m_emptyTimer = 0;
};

/// True if both are equal; the time does not depend on where they differ.
bool equalsInConstantTime(std::string_view a, std::string_view b);

} // namespace sandfish
