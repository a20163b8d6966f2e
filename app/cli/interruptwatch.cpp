#include "app/cli/interruptwatch.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace sandfish {
namespace {

constexpr std::array kWatched{SIGINT, SIGTERM, SIGHUP};
constexpr int kSignalBase = 128;

std::atomic<int> g_writeEnd{-1};
std::atomic<int> g_weight{0};
static_assert(std::atomic<int>::is_always_lock_free);

// Runs in the signal: only what is async-signal-safe.
void note(int signal)
{
    const int saved = errno;
    // The second Ctrl+C asks for what SIGTERM asks for; whoever repeats that does not want to wait.
    const int weight = signal == SIGINT ? 1 : 2;
    if ((g_weight += weight) > weight + 1)
        ::_exit(kSignalBase + signal);
    const char byte = static_cast<char>(signal);
    [[maybe_unused]] const ssize_t count = ::write(g_writeEnd.load(), &byte, 1);
    errno = saved;
}

void setHandler(int signal, void (*handler)(int))
{
    struct sigaction action = {};
    action.sa_handler = handler;
    ::sigaction(signal, &action, nullptr);
}

bool isIgnored(int signal)
{
    struct sigaction action = {};
    return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

} // namespace

InterruptWatch::InterruptWatch(QObject *parent)
    : QObject(parent)
{
    if (::pipe2(m_ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    g_weight = 0;
    g_writeEnd = m_ends[1];
    m_notifier = new QSocketNotifier(m_ends[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &InterruptWatch::read);
    // What was started with nohup, or behind a job's back, is not ended by a signal that was switched off for it.
    for (int signal : kWatched) {
        if (!isIgnored(signal))
            setHandler(signal, note);
    }
}

InterruptWatch::~InterruptWatch()
{
    for (int signal : kWatched) {
        if (!isIgnored(signal))
            setHandler(signal, SIG_DFL);
    }
    g_writeEnd = -1;
    for (int end : m_ends) {
        if (end >= 0)
            ::close(end);
    }
}

void InterruptWatch::read()
{
    char numbers[16];
    const ssize_t count = ::read(m_ends[0], numbers, sizeof(numbers));
    for (ssize_t i = 0; i < count; ++i) {
        if (numbers[i] == SIGINT && m_interruptCount++ == 0)
            emit interrupted();
        else
            emit leaveAsked(kSignalBase + numbers[i]);
    }
}

} // namespace sandfish
