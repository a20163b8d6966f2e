#include "core/engine/kernelqueries.h"

#include <utility>

namespace sandfish {
namespace {

constexpr std::chrono::seconds kPatience(5);

} // namespace

KernelQueries::KernelQueries(PausableClock &clock, std::function<void()> settled)
    : m_clock(clock)
    , m_settled(std::move(settled))
{
}

KernelQueries::~KernelQueries()
{
    m_clock.cancel(m_timer);
}

void KernelQueries::add(int id, Answer answer)
{
    m_answers[id] = std::move(answer);
    m_clock.cancel(m_timer);
    m_timer = m_clock.start(kPatience, [this] {
        failAll({Error::Kind::Timeout, "The interpreter did not answer in time."});
        m_settled();
    });
}

void KernelQueries::handleReply(const Json &event)
{
    const auto waiting = m_answers.extract(static_cast<int>(integerOr(event, "id", 0)));
    if (waiting.empty())
        return;
    const std::string failure = stringOr(event, "error", "");
    if (failure.empty()) {
        Json reply = event;
        for (const char *member : {"ev", "id", "mark"})
            reply.erase(member);
        waiting.mapped()(std::move(reply));
    } else {
        waiting.mapped()(Error{Error::Kind::BadRequest, failure});
    }
    if (!m_answers.empty())
        return;
    m_clock.cancel(std::exchange(m_timer, 0));
    m_settled();
}

void KernelQueries::failAll(const Error &error)
{
    m_clock.cancel(std::exchange(m_timer, 0));
    for (auto &[id, answer] : std::exchange(m_answers, {}))
        answer(error);
}

} // namespace sandfish
