#include "core/engine/fdwriter.h"

#include <cerrno>
#include <sys/socket.h>
#include <utility>

namespace sandfish {
namespace {

// A socket whose reader is gone must not raise SIGPIPE; a pipe cannot be told so, the daemon ignores the signal.
ssize_t writeSome(int fd, const char *bytes, std::size_t count)
{
    const ssize_t sent = ::send(fd, bytes, count, MSG_NOSIGNAL);
    return sent < 0 && errno == ENOTSOCK ? ::write(fd, bytes, count) : sent;
}

} // namespace

FdWriter::FdWriter(EventLoop &loop, UniqueFd fd)
    : m_loop(loop)
    , m_fd(std::move(fd))
{
}

FdWriter::~FdWriter()
{
    m_loop.unwatch(m_watch);
}

void FdWriter::write(std::string_view bytes)
{
    if (!m_fd.isOpen() || m_isFinishing)
        return;
    m_queue.append(bytes);
    if (m_watch == 0)
        flush();
}

void FdWriter::finish()
{
    m_isFinishing = true;
    if (m_watch == 0)
        m_fd.reset();
}

void FdWriter::flush()
{
    while (m_start < m_queue.size()) {
        const ssize_t count = writeSome(m_fd.get(), m_queue.data() + m_start, m_queue.size() - m_start);
        if (count > 0) {
            m_start += static_cast<std::size_t>(count);
            continue;
        }
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (m_watch == 0)
                m_watch = m_loop.watch(m_fd.get(), EventLoop::Readiness::Write, [this] { flush(); });
            return;
        }
        m_isFinishing = true;
        break;
    }
    m_loop.unwatch(std::exchange(m_watch, 0));
    m_queue.clear();
    m_start = 0;
    if (m_isFinishing)
        m_fd.reset();
}

} // namespace sandfish
