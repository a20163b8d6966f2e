#pragma once

#include "core/engine/pausableclock.h"

#include <deque>
#include <functional>
#include <memory>

namespace sandfish {

class EventLoop;
class KernelContext;

/// The runners of one language that a sandbox starts ahead of the contexts that will take them.
///
/// There is none before the first context of the language. Contexts that follow one another at once find two, as one
/// takes longer to start than a short cell to run; a while after the last of them, one is kept. Thread: the loop's.
class SpareRunners
{
public:
    /// A context that no list shows, in the folder where contexts begin.
    using Make = std::function<std::shared_ptr<KernelContext>()>;

    SpareRunners(EventLoop &loop, PausableClock &clock, Make make);
    ~SpareRunners();

    /// Gives \a context, which has no runner yet, the oldest spare. If there is none it starts its own, ahead of those
    /// for the contexts after it.
    void supply(KernelContext &context);
    /// Ends all spares and makes no more, until the next supply().
    void clear();

private:
    void fill();
    void shrink();
    void retire(const std::shared_ptr<KernelContext> &spare);

    EventLoop &m_loop;
    PausableClock &m_clock;
    Make m_make;
    std::deque<std::shared_ptr<KernelContext>> m_spares;
    PausableClock::TimerId m_fillTimer = 0;
    PausableClock::TimerId m_shrinkTimer = 0;
};

} // namespace sandfish
