#include "core/engine/executionhistory.h"

#include <algorithm>

namespace sandfish {
namespace {

constexpr std::size_t kMaxKept = 64;
constexpr std::size_t kMaxKeptBytes = 32u << 20;

} // namespace

void ExecutionHistory::add(int runnerId, ExecutionPtr execution)
{
    m_rows.emplace_back(runnerId, std::move(execution));
    std::size_t bytes = 0;
    for (const auto &[id, kept] : m_rows)
        bytes += kept->log().memoryBytes();
    while (m_rows.size() > 1 && (m_rows.size() > kMaxKept || bytes > kMaxKeptBytes)) {
        bytes -= m_rows.front().second->log().memoryBytes();
        m_rows.pop_front();
    }
}

ExecutionHistory::ExecutionPtr ExecutionHistory::byRunnerId(int runnerId) const
{
    const auto found =
        std::find_if(m_rows.rbegin(), m_rows.rend(), [&](const auto &row) { return row.first == runnerId; });
    return found == m_rows.rend() ? nullptr : found->second;
}

ExecutionHistory::ExecutionPtr ExecutionHistory::byId(const std::string &id) const
{
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const auto &row) { return row.second->id() == id; });
    return found == m_rows.end() ? nullptr : found->second;
}

} // namespace sandfish
