#pragma once

#include "core/engine/holderlink.h"
#include "core/protocol/executionevent.h"
#include "core/protocol/sandboxinfo.h"

#include <deque>
#include <memory>
#include <string>

namespace sandfish {

/// A kept state of a context (PROTOCOL.md §3.4).
struct Checkpoint
{
    std::string id;
    std::string executionId; ///< of the execution that it precedes; empty: taken by request
    int executionCount = 0;
    std::vector<std::string> inexact;
    SystemTime created;
    bool isPinned = false;
    std::shared_ptr<HolderLink> holder; ///< Python: the process that has the state
    std::string file;                   ///< Bash: where the state is written down, as the sandbox names it
};

/// The checkpoints of one context, oldest first. Thread: the loop's.
class ContextCheckpoints
{
public:
    using CheckpointPtr = std::shared_ptr<Checkpoint>;

    ~ContextCheckpoints() { *m_isAlive = false; }

    /// The oldest unpinned ones beyond the last 10 are given up. One whose process ends is taken out by itself.
    void add(CheckpointPtr checkpoint);
    /// Null when it is not kept.
    CheckpointPtr find(const std::string &id) const;
    CheckpointPtr findBefore(const std::string &executionId) const;
    void remove(const std::string &id);
    /// Kind::RateLimited beyond 16 pinned ones.
    Result<> pin(Checkpoint &checkpoint, bool isPinned);
    /// Kind::RateLimited where one more cannot be pinned.
    Result<> checkPinnable() const;
    /// Gives up all unpinned ones but the newest \a count.
    void keepNewest(std::size_t count);
    void clear() { m_rows.clear(); }
    const std::deque<CheckpointPtr> &rows() const { return m_rows; }

private:
    std::deque<CheckpointPtr> m_rows;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
};

} // namespace sandfish
