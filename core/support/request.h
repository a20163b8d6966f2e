#pragma once

#include "core/base/result.h"

#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>

namespace sandfish {

/// What runs when an asynchronous call ends.
///
/// Contract of every call that returns a Request: `done` runs exactly once, from the event loop, never inside the
/// call; after Request::cancel() it gets Error::Kind::Cancelled; if the receiver dies first it is dropped.
template <typename T = std::monostate> using Done = std::function<void(Result<T>)>;

namespace detail {
struct RequestState
{
    bool isPending = true;
    std::function<void()> cancel;
};
} // namespace detail

/// The caller's handle of an asynchronous call. Copies share the call; losing the handle cancels nothing.
/// Thread: the receiver's.
class Request
{
public:
    Request() = default;
    explicit Request(std::shared_ptr<detail::RequestState> state)
        : m_state(std::move(state))
    {
    }
    bool isPending() const { return m_state && m_state->isPending; }
    void cancel() const
    {
        if (isPending() && m_state->cancel)
            m_state->cancel();
    }

private:
    std::shared_ptr<detail::RequestState> m_state;
};

/// The implementer's end of a Request: keeps the contract above. Copies share the call.
template <typename T = std::monostate> class Completion
{
public:
    Completion(QObject *receiver, Done<T> done)
        : m_state(std::make_shared<State>())
    {
        m_state->receiver = receiver;
        m_state->done = std::move(done);
        // A weak pointer: the hook lives in the state it cancels.
        m_state->cancel = [weak = std::weak_ptr<State>(m_state)] {
            if (const auto state = weak.lock())
                settle(state, Error{Error::Kind::Cancelled, "Cancelled.", {}});
        };
    }

    Request request() const { return Request(m_state); }
    bool isPending() const { return m_state->isPending; }

    /// \a stop runs, once, when the caller cancels; it frees what the call holds.
    void setStop(std::function<void()> stop) const { m_state->stop = std::move(stop); }

    /// Ends the call. Later calls are ignored.
    void finish(Result<T> result) const { settle(m_state, std::move(result), false); }

private:
    struct State : detail::RequestState
    {
        QPointer<QObject> receiver;
        Done<T> done;
        std::function<void()> stop;
    };

    static void settle(const std::shared_ptr<State> &state, Result<T> result, bool runsStop = true)
    {
        if (!state->isPending)
            return;
        state->isPending = false;
        const std::function<void()> stop = std::exchange(state->stop, {});
        Done<T> done = std::exchange(state->done, {});
        if (runsStop && stop)
            stop();
        if (!state->receiver || !done)
            return;
        QMetaObject::invokeMethod(
            state->receiver.data(), [done = std::move(done), result = std::move(result)] { done(result); },
            Qt::QueuedConnection);
    }

    std::shared_ptr<State> m_state;
};

} // namespace sandfish
