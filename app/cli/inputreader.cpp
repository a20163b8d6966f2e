#include "app/cli/inputreader.h"

#include <cerrno>
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

namespace sandfish {

InputReader::InputReader(QObject *parent)
    : QObject(parent)
{
}

InputReader::~InputReader()
{
    setEcho(Echo::Shown);
}

void InputReader::askLine(Echo echo)
{
    if (m_isAsked)
        return;
    m_isAsked = true;
    m_hasEnded = m_hasEnded || ::fcntl(STDIN_FILENO, F_GETFD) < 0;
    if (m_hasEnded || m_buffer.find('\n') != std::string::npos) {
        QMetaObject::invokeMethod(this, &InputReader::deliver, Qt::QueuedConnection);
        return;
    }
    setEcho(echo);
    if (!m_notifier) {
        m_notifier = std::make_unique<QSocketNotifier>(STDIN_FILENO, QSocketNotifier::Read);
        connect(m_notifier.get(), &QSocketNotifier::activated, this, &InputReader::read);
    }
    m_notifier->setEnabled(true);
}

void InputReader::stop()
{
    m_isAsked = false;
    if (m_notifier)
        m_notifier->setEnabled(false);
    setEcho(Echo::Shown);
}

void InputReader::read()
{
    char bytes[4096];
    const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof(bytes));
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (count > 0)
        m_buffer.append(bytes, static_cast<std::size_t>(count));
    else
        m_hasEnded = true;
    if (m_hasEnded || m_buffer.find('\n') != std::string::npos)
        deliver();
}

void InputReader::deliver()
{
    if (!m_isAsked)
        return;
    stop();
    if (m_buffer.empty()) {
        emit ended();
        return;
    }
    const std::size_t end = m_buffer.find('\n');
    const std::string line = m_buffer.substr(0, end);
    m_buffer.erase(0, end == std::string::npos ? end : end + 1);
    emit lineCame(line);
}

void InputReader::setEcho(Echo echo)
{
    const bool isHidden = echo == Echo::Hidden;
    termios settings = {};
    if (isHidden == m_isEchoHidden || ::tcgetattr(STDIN_FILENO, &settings) != 0)
        return;
    m_isEchoHidden = isHidden;
    settings.c_lflag = isHidden ? settings.c_lflag & ~static_cast<tcflag_t>(ECHO) : settings.c_lflag | ECHO;
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &settings);
}

} // namespace sandfish
