#pragma once

#include "core/engine/kernelexecution.h"

#include <deque>
#include <memory>
#include <string>

namespace sandfish {

/// The ended executions of one context, kept for clients that come back and for late output. Bounded by number and by
/// memory; the oldest go first.
class ExecutionHistory
{
public:
    using ExecutionPtr = std::shared_ptr<KernelExecution>;

    void add(int runnerId, ExecutionPtr execution);
    /// Null if there is none, or no longer.
    ExecutionPtr byRunnerId(int runnerId) const;
    ExecutionPtr byId(const std::string &id) const;

private:
    std::deque<std::pair<int, ExecutionPtr>> m_rows;
};

} // namespace sandfish
