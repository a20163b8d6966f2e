#pragma once

#include "core/providers/execution.h"
#include "core/support/request.h"

#include <QObject>
#include <QTest>

#include <optional>
#include <string>
#include <vector>

namespace sandfish::test {

/// Runs \a call, which gets a receiver and a Done<T>, and waits for its end in the event loop.
template <typename T, typename Call> Result<T> awaited(Call call, int timeoutMs = 10000)
{
    QObject receiver;
    std::optional<Result<T>> answer;
    call(&receiver, Done<T>([&](Result<T> result) { answer = std::move(result); }));
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, timeoutMs))
        return Error{Error::Kind::Internal, "the call did not end within the time of the test", {}};
    return *std::move(answer);
}

/// Collects what one execution emits.
class Recorder : public QObject
{
public:
    explicit Recorder(Execution *execution)
    {
        connect(execution, &Execution::received, this, [this](const std::vector<ExecutionEvent> &some) {
            ++emissions;
            events.insert(events.end(), some.begin(), some.end());
        });
        connect(execution, &Execution::stateChanged, this, [this](Execution::State state) { states.push_back(state); });
        connect(execution, &Execution::finished, this, [this](const ExecutionSummary &end) {
            ++finishedCount;
            summary = end;
        });
    }

    bool waitForEnd(int timeoutMs = 10000) const
    {
        return QTest::qWaitFor([this] { return finishedCount > 0; }, timeoutMs);
    }
    /// All text of a channel.
    std::string text(StreamText::Channel channel = StreamText::Channel::Stdout) const
    {
        std::string all;
        for (const ExecutionEvent &event : events) {
            const auto *stream = std::get_if<StreamText>(&event);
            if (stream && stream->channel == channel)
                all += stream->text;
        }
        return all;
    }
    template <typename T> std::vector<T> all() const
    {
        std::vector<T> found;
        for (const ExecutionEvent &event : events) {
            if (const auto *wanted = std::get_if<T>(&event))
                found.push_back(*wanted);
        }
        return found;
    }

    std::vector<ExecutionEvent> events;
    std::vector<Execution::State> states;
    int emissions = 0;
    int finishedCount = 0;
    ExecutionSummary summary;
};

} // namespace sandfish::test
