#include "core/engine/contextcheckpoints.h"

#include <algorithm>

namespace sandfish {
namespace {

constexpr std::size_t kMaxKept = 10;
constexpr std::ptrdiff_t kMaxPinned = 16;

} // namespace

void ContextCheckpoints::add(CheckpointPtr checkpoint)
{
    if (checkpoint->holder)
        checkpoint->holder->setEnded([this, alive = m_isAlive, id = checkpoint->id] {
            if (*alive)
                remove(id);
        });
    m_rows.push_back(std::move(checkpoint));
    keepNewest(kMaxKept);
}

ContextCheckpoints::CheckpointPtr ContextCheckpoints::find(const std::string &id) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const auto &row) { return row->id == id; });
    return found == m_rows.end() ? nullptr : *found;
}

ContextCheckpoints::CheckpointPtr ContextCheckpoints::findBefore(const std::string &executionId) const
{
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const auto &row) { return row->executionId == executionId; });
    return found == m_rows.end() || executionId.empty() ? nullptr : *found;
}

void ContextCheckpoints::remove(const std::string &id)
{
    std::erase_if(m_rows, [&](const CheckpointPtr &row) { return row->id == id; });
}

Result<> ContextCheckpoints::checkPinnable() const
{
    const auto pinned = std::count_if(m_rows.begin(), m_rows.end(), [](const auto &row) { return row->isPinned; });
    if (pinned < kMaxPinned)
        return {};
    return Error{Error::Kind::RateLimited,
        "The context has " + std::to_string(kMaxPinned)
            + " pinned checkpoints, which is the most it can have. Unpin one."};
}

Result<> ContextCheckpoints::pin(Checkpoint &checkpoint, bool isPinned)
{
    if (isPinned && !checkpoint.isPinned) {
        if (Result<> checked = checkPinnable(); !checked)
            return checked;
    }
    checkpoint.isPinned = isPinned;
    keepNewest(kMaxKept);
    return {};
}

void ContextCheckpoints::keepNewest(std::size_t count)
{
    const auto unpinned = std::count_if(m_rows.begin(), m_rows.end(), [](const auto &row) { return !row->isPinned; });
    auto excess = unpinned - static_cast<std::ptrdiff_t>(count);
    std::erase_if(m_rows, [&](const CheckpointPtr &row) { return !row->isPinned && excess-- > 0; });
}

} // namespace sandfish
