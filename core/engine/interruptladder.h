#pragma once

#include "core/engine/kernellanguage.h"
#include "core/engine/kernelprocess.h"
#include "core/engine/pausableclock.h"

namespace sandfish {

/// The steps of interrupting one execution (resources/runners/README.md §5): now, again after 2 s, and for Bash its
/// command line until it answers `idle`. Thread: the loop's.
class InterruptLadder
{
public:
    InterruptLadder(PausableClock &clock, Language language);
    ~InterruptLadder();

    /// The execution with runner number \a id has started: a held-back interrupt leaves now.
    void started(KernelProcess &process, int id);
    void interrupt();
    /// The execution has ended.
    void ended();
    /// Bash has answered; true if this was waited for.
    bool idleSeen();
    /// True while Bash owes its `idle`: no cell may be sent.
    bool isSettling() const { return m_awaitsIdle; }
    /// The process is gone.
    void reset();

private:
    void fire();
    void sendCommand();

    PausableClock &m_clock;
    Language m_language;
    KernelProcess *m_process = nullptr;
    int m_id = 0;
    bool m_isRunning = false;
    bool m_isWanted = false;
    bool m_awaitsIdle = false;
    int m_commands = 0;
    PausableClock::TimerId m_repeatTimer = 0;
    PausableClock::TimerId m_commandTimer = 0;
};

} // namespace sandfish
