#include "core/engine/forkbudget.h"

namespace sandfish {
namespace {

constexpr double kQuickMs = 10;
constexpr int kSlowInARow = 2;
constexpr int kSkipped = 5;

} // namespace

bool ForkBudget::allows()
{
    if (m_slow < kSlowInARow)
        return true;
    if (m_skipped < kSkipped) {
        ++m_skipped;
        return false;
    }
    m_skipped = 0;
    return true;
}

void ForkBudget::add(double milliseconds)
{
    m_slow = milliseconds > kQuickMs ? m_slow + 1 : 0;
}

void ForkBudget::reset()
{
    m_slow = 0;
    m_skipped = 0;
}

} // namespace sandfish
