#pragma once

#include "core/engine/eventloop.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <csignal>
#include <unordered_map>
#include <utility>

namespace sandfish {

/// EventLoop over an io_context. Included by asioserver.cpp alone, so that Boost stays in one translation unit.
class AsioLoop final : public EventLoop
{
public:
    boost::asio::io_context &context() { return m_context; }

    void run() override { m_context.run(); }
    void stop() override { m_context.stop(); }
    void post(std::function<void()> call) override { boost::asio::post(m_context, std::move(call)); }

    WatchId watch(int fd, Readiness readiness, std::function<void()> ready) override
    {
        auto watched = std::make_shared<Watch>(m_context, fd, readiness, std::move(ready));
        const WatchId id = ++m_lastId;
        m_watches.emplace(id, watched);
        arm(std::move(watched));
        return id;
    }

    void unwatch(WatchId id) override
    {
        const auto it = m_watches.find(id);
        if (it == m_watches.end())
            return;
        const std::shared_ptr<Watch> watched = std::move(it->second);
        m_watches.erase(it);
        watched->isActive = false;
        watched->descriptor.release(); // the descriptor is the caller's; this only ends the waiting
    }

    TimerId startTimer(std::chrono::milliseconds delay, std::function<void()> call) override
    {
        const TimerId id = ++m_lastId;
        auto timer = std::make_unique<boost::asio::steady_timer>(m_context, delay);
        timer->async_wait([this, id, call = std::move(call)](const boost::system::error_code &error) {
            if (!error && m_timers.erase(id) > 0)
                call();
        });
        m_timers.emplace(id, std::move(timer));
        return id;
    }

    void cancelTimer(TimerId id) override { m_timers.erase(id); }

    void watchTermination(std::function<void()> call) override
    {
        m_signals.add(SIGTERM);
        m_signals.add(SIGINT);
        m_signals.async_wait([call = std::move(call)](const boost::system::error_code &error, int) {
            if (!error)
                call();
        });
    }

private:
    struct Watch
    {
        Watch(boost::asio::io_context &context, int fd, Readiness watchedReadiness, std::function<void()> call)
            : descriptor(context, fd)
            , readiness(watchedReadiness)
            , ready(std::move(call))
        {
        }
        boost::asio::posix::stream_descriptor descriptor;
        Readiness readiness;
        std::function<void()> ready;
        bool isActive = true;
    };

    static void arm(std::shared_ptr<Watch> watched)
    {
        using Descriptor = boost::asio::posix::stream_descriptor;
        const auto kind = watched->readiness == Readiness::Read ? Descriptor::wait_read : Descriptor::wait_write;
        Descriptor &descriptor = watched->descriptor;
        descriptor.async_wait(kind, [watched = std::move(watched)](const boost::system::error_code &error) {
            if (error || !watched->isActive)
                return;
            watched->ready();
            if (watched->isActive)
                arm(watched);
        });
    }

    boost::asio::io_context m_context{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> m_work{m_context.get_executor()};
    boost::asio::signal_set m_signals{m_context};
    std::unordered_map<WatchId, std::shared_ptr<Watch>> m_watches;
    std::unordered_map<TimerId, std::unique_ptr<boost::asio::steady_timer>> m_timers;
    std::uint64_t m_lastId = 0;
};

} // namespace sandfish
