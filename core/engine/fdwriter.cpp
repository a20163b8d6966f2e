#include "core/engine/fdwriter.h"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <utility>

namespace sandfish {
namespace {

// A socket whose reader is gone must not raise SIGPIPE; a pipe cannot be told so, the daemon ignores the signal.
ssize_t writePlain(int fd, const char *bytes, std::size_t count)
{
    const ssize_t sent = ::send(fd, bytes, count, MSG_NOSIGNAL);
    return sent < 0 && errno == ENOTSOCK ? ::write(fd, bytes, count) : sent;
}

ssize_t writeWithPassenger(int fd, char *bytes, std::size_t count, int passenger)
{
    iovec part{bytes, count};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof(control);
    cmsghdr *rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(rights), &passenger, sizeof(int));
    return ::sendmsg(fd, &header, MSG_NOSIGNAL);
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

void FdWriter::write(std::string_view bytes, UniqueFd passenger)
{
    if (m_fd.isOpen() && !m_isFinishing)
        m_passengers.emplace_back(m_queue.size(), std::move(passenger));
    write(bytes);
}

// Up to the next byte that has a passenger.
ssize_t FdWriter::writeSome()
{
    const bool hasPassenger = !m_passengers.empty() && m_passengers.front().first == m_start;
    const std::size_t next = hasPassenger ? 1 : 0;
    const std::size_t end = m_passengers.size() > next ? m_passengers[next].first : m_queue.size();
    if (!hasPassenger)
        return writePlain(m_fd.get(), m_queue.data() + m_start, end - m_start);
    const ssize_t sent =
        writeWithPassenger(m_fd.get(), m_queue.data() + m_start, end - m_start, m_passengers.front().second.get());
    if (sent > 0)
        m_passengers.pop_front();
    return sent;
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
        const ssize_t count = writeSome();
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
    m_passengers.clear();
    m_start = 0;
    if (m_isFinishing)
        m_fd.reset();
}

} // namespace sandfish
