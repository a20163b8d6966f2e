#include "app/cli/console.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <unistd.h>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;

int descriptorOf(Console::Channel channel)
{
    return channel == Console::Channel::Out ? STDOUT_FILENO : STDERR_FILENO;
}

// 0, or the errno of what cannot be waited for.
int writeAll(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno == EAGAIN) {
            // Another program may have made the shared terminal non-blocking.
            pollfd ready{descriptor, POLLOUT, 0};
            ::poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

} // namespace

Console::Console(QObject *parent)
    : QObject(parent)
{
    // A reader that left is seen as EPIPE, and then what was received is still saved.
    ::signal(SIGPIPE, SIG_IGN);
    m_out.isTerminal = ::isatty(STDOUT_FILENO) == 1;
    m_error.isTerminal = ::isatty(STDERR_FILENO) == 1;
}

void Console::write(Channel channel, std::string_view bytes)
{
    if (bytes.empty() || (channel == Channel::Out && m_loss != Loss::None))
        return;
    State &written = channel == Channel::Out ? m_out : m_error;
    written.isAtLineStart = bytes.back() == '\n';
    const int error = writeAll(descriptorOf(channel), bytes);
    if (error != 0 && channel == Channel::Out)
        noteLoss(error);
}

void Console::noteLoss(int error)
{
    m_loss = error == EPIPE ? Loss::ReaderLeft : Loss::Failed;
    m_lossReason = QString::fromLocal8Bit(std::strerror(error));
    QMetaObject::invokeMethod(this, &Console::lost, Qt::QueuedConnection);
}

void Console::writeLine(Channel channel, const QString &line)
{
    write(channel, line.toStdString() + '\n');
}

void Console::tell(const QString &sentence)
{
    const bool isSameScreen = m_out.isTerminal && m_error.isTerminal;
    if (!m_error.isAtLineStart || (isSameScreen && !m_out.isAtLineStart)) {
        write(Channel::Error, "\n");
        m_out.isAtLineStart = m_out.isAtLineStart || isSameScreen;
    }
    writeLine(Channel::Error, u"sandfish-cli: "_s + sentence);
}

bool Console::isTerminal(Channel channel) const
{
    return state(channel).isTerminal;
}

bool Console::hasColours(Channel channel) const
{
    return isTerminal(channel) && qEnvironmentVariableIsEmpty("NO_COLOR") && qgetenv("TERM") != "dumb";
}

} // namespace sandfish
