#include "core/engine/sparerunners.h"

#include "core/engine/eventloop.h"
#include "core/engine/kernelcontext.h"

#include <utility>

namespace sandfish {
namespace {

constexpr std::size_t kInARow = 2;
constexpr std::size_t kKept = 1;
// A context without a spare starts its own runner, which goes before the next spares.
constexpr std::chrono::milliseconds kAfterOwnStart(100);
constexpr std::chrono::seconds kRow(5);

} // namespace

SpareRunners::SpareRunners(EventLoop &loop, PausableClock &clock, Make make)
    : m_loop(loop)
    , m_clock(clock)
    , m_make(std::move(make))
{
}

SpareRunners::~SpareRunners()
{
    m_clock.cancel(m_fillTimer);
    m_clock.cancel(m_shrinkTimer);
}

void SpareRunners::supply(KernelContext &context)
{
    bool isSupplied = false;
    while (!isSupplied && !m_spares.empty()) {
        const std::shared_ptr<KernelContext> spare = m_spares.front();
        m_spares.pop_front();
        // One whose runner has died has none to give.
        isSupplied = context.takeRunner(*spare);
        retire(spare);
    }
    if (isSupplied) {
        fill();
        return;
    }
    context.warmUp();
    if (m_fillTimer == 0)
        m_fillTimer = m_clock.start(kAfterOwnStart, [this] { fill(); });
}

void SpareRunners::clear()
{
    m_clock.cancel(std::exchange(m_fillTimer, 0));
    m_clock.cancel(std::exchange(m_shrinkTimer, 0));
    for (const std::shared_ptr<KernelContext> &spare : std::exchange(m_spares, {}))
        retire(spare);
}

void SpareRunners::fill()
{
    m_clock.cancel(std::exchange(m_fillTimer, 0));
    m_clock.cancel(m_shrinkTimer);
    m_shrinkTimer = m_clock.start(kRow, [this] { shrink(); });
    while (m_spares.size() < kInARow) {
        m_spares.push_back(m_make());
        m_spares.back()->warmUp();
    }
}

void SpareRunners::shrink()
{
    m_shrinkTimer = 0;
    for (; m_spares.size() > kKept; m_spares.pop_back())
        retire(m_spares.back());
}

void SpareRunners::retire(const std::shared_ptr<KernelContext> &spare)
{
    spare->shutDown("The sandbox has ended.");
    // Its runner's call-backs may still be on the stack.
    m_loop.post([spare] {});
}

} // namespace sandfish
