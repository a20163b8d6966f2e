#include "core/net/drain.h"

namespace sandfish {

Drain::Drain(std::function<Step()> step, QObject *parent)
    : QObject(parent)
    , m_step(std::move(step))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &Drain::runTurn);
}

void Drain::request()
{
    if (!m_timer.isActive())
        m_timer.start();
}

void Drain::runTurn()
{
    const auto end = std::chrono::steady_clock::now() + kBudget;
    Step step = Step::More;
    while (step == Step::More && std::chrono::steady_clock::now() < end)
        step = m_step();
    if (step == Step::More)
        request();
    emit turnEnded();
}

} // namespace sandfish
