#pragma once

#include "core/base/json.h"
#include "core/engine/pausableclock.h"

#include <functional>
#include <map>

namespace sandfish {

/// The questions to one runner that wait for their `reply`. Thread: the loop's.
class KernelQueries
{
public:
    using Answer = std::function<void(Result<Json>)>;

    /// \a settled is called when the last question was answered, or given up after 5 s.
    KernelQueries(PausableClock &clock, std::function<void()> settled);
    ~KernelQueries();

    void add(int id, Answer answer);
    /// A `reply` of the runner.
    void handleReply(const Json &event);
    /// Answers all with \a error.
    void failAll(const Error &error);
    bool isEmpty() const { return m_answers.empty(); }

private:
    PausableClock &m_clock;
    std::function<void()> m_settled;
    std::map<int, Answer> m_answers;
    PausableClock::TimerId m_timer = 0;
};

} // namespace sandfish
