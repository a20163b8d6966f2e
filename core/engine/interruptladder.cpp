#include "core/engine/interruptladder.h"

#include <csignal>
#include <utility>

namespace sandfish {
namespace {

constexpr std::chrono::milliseconds kRepeatAfter(2000);
constexpr std::chrono::milliseconds kCommandAgainAfter(100);
constexpr int kMaxCommands = 20;

} // namespace

InterruptLadder::InterruptLadder(PausableClock &clock, Language language)
    : m_clock(clock)
    , m_language(language)
{
}

InterruptLadder::~InterruptLadder()
{
    reset();
}

void InterruptLadder::started(KernelProcess &process, int id)
{
    m_process = &process;
    m_id = id;
    m_isRunning = true;
    if (m_isWanted)
        fire();
}

void InterruptLadder::interrupt()
{
    m_isWanted = true;
    if (m_isRunning)
        fire();
}

void InterruptLadder::fire()
{
    // The message leaves first: a child process that the signal ends makes the cell throw at once.
    if (m_language == Language::JavaScript)
        m_process->send(interruptMessage(m_language, m_id));
    m_process->signalGroup(SIGINT);
    if (m_language == Language::Bash) {
        m_awaitsIdle = true;
        m_commands = 0;
        sendCommand();
    }
    m_clock.cancel(m_repeatTimer);
    m_repeatTimer = m_clock.start(kRepeatAfter, [this] { fire(); });
}

void InterruptLadder::sendCommand()
{
    m_process->send(interruptMessage(m_language, m_id));
    m_clock.cancel(std::exchange(m_commandTimer, 0));
    // The signal may have eaten the line; a shell that waits for a stubborn child needs the next signal first.
    if (++m_commands < kMaxCommands)
        m_commandTimer = m_clock.start(kCommandAgainAfter, [this] { sendCommand(); });
}

void InterruptLadder::ended()
{
    m_isRunning = false;
    m_isWanted = false;
    m_clock.cancel(std::exchange(m_repeatTimer, 0));
}

bool InterruptLadder::idleSeen()
{
    m_clock.cancel(std::exchange(m_commandTimer, 0));
    return std::exchange(m_awaitsIdle, false);
}

void InterruptLadder::reset()
{
    ended();
    idleSeen();
    m_process = nullptr;
}

} // namespace sandfish
