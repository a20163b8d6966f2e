#pragma once

#include "core/engine/eventloop.h"
#include "core/engine/uniquefd.h"

#include <deque>
#include <string>
#include <sys/types.h>
#include <utility>

namespace sandfish {

/// Writes to a pipe or socket without ever waiting for its reader. Thread: the loop's.
class FdWriter
{
public:
    /// \a fd must be non-blocking.
    FdWriter(EventLoop &loop, UniqueFd fd);
    ~FdWriter();

    /// Queues bytes; they are dropped once the reader is gone. The caller bounds what it queues.
    void write(std::string_view bytes);
    /// The same for a unix socket; \a passenger is sent along with the first of the bytes, and closed here.
    void write(std::string_view bytes, UniqueFd passenger);
    /// Closes the descriptor after what is queued, at once if nothing is.
    void finish();
    std::size_t pendingBytes() const { return m_queue.size() - m_start; }

private:
    void flush();
    ssize_t writeSome();

    EventLoop &m_loop;
    UniqueFd m_fd;
    EventLoop::WatchId m_watch = 0;
    std::string m_queue;
    std::size_t m_start = 0;
    std::deque<std::pair<std::size_t, UniqueFd>> m_passengers; // with the index in m_queue of their byte
    bool m_isFinishing = false;
};

} // namespace sandfish
