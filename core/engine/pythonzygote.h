#pragma once

#include "core/engine/holderlink.h"
#include "core/engine/pausableclock.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sandfish {

struct ContextServices;

/// The zygote of one sandbox: a Python runner that has the packages loaded which cells of this sandbox have used, has
/// run none of its code, and of which new contexts are forked.
///
/// There is none before a cell has loaded one of the packages, and none a while after the last context was forked: it
/// costs the memory of its packages, and contexts that need none of them start as quickly without. Never shared between
/// sandboxes, which would see one another's layout of memory. Thread: the loop's.
class PythonZygote
{
public:
    using Services = std::function<ContextServices()>;

    PythonZygote(EventLoop &loop, PausableClock &clock, Services services);
    ~PythonZygote();

    /// A cell has loaded \a modules; names that are not worth it are ignored.
    void want(const std::vector<std::string> &modules);
    /// What a new context is forked of; null while there is none.
    HolderLink *take();
    /// Its packages are not those on disk any more: another one takes its place.
    void renew();
    /// Ends it; the next want() starts another one.
    void clear();

private:
    void startLater();
    void start();
    void giveUp();

    EventLoop &m_loop;
    PausableClock &m_clock;
    Services m_services;
    std::set<std::string> m_modules;
    std::shared_ptr<HolderLink> m_holder;
    std::shared_ptr<HolderLink> m_next; // still loading
    PausableClock::TimerId m_startTimer = 0;
    PausableClock::TimerId m_idleTimer = 0;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
};

} // namespace sandfish
