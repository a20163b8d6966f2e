#include "core/providers/daytona/daytonawait.h"

#include "core/providers/daytona/daytonaprovider.h"

#include <algorithm>

namespace sandfish {

Request DaytonaWait::start(DaytonaProvider *provider, const SandboxId &id, Goal goal,
    const std::optional<SandboxInfo> &told, QObject *receiver, Done<SandboxInfo> done)
{
    const Completion<SandboxInfo> completion(receiver, std::move(done));
    auto *wait = new DaytonaWait(provider, id, std::move(goal), completion); // deletes itself, else the provider does
    if (told)
        wait->take(*told);
    else
        wait->ask();
    return completion.request();
}

DaytonaWait::DaytonaWait(DaytonaProvider *provider, SandboxId id, Goal goal, Completion<SandboxInfo> completion)
    : QObject(provider)
    , m_provider(provider)
    , m_id(std::move(id))
    , m_goal(std::move(goal))
    , m_completion(std::move(completion))
    , m_pause(provider->config().firstPoll)
{
    m_age.start();
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &DaytonaWait::ask);
    m_completion.setStop([this] {
        m_timer.stop();
        m_inner.cancel();
        deleteLater();
    });
}

DaytonaWait::~DaytonaWait()
{
    m_completion.finish(Error{Error::Kind::Cancelled, "Cancelled.", {}});
}

void DaytonaWait::ask()
{
    m_inner = m_provider->info(m_id, this, [this](const Result<SandboxInfo> &answer) { take(answer); });
}

void DaytonaWait::take(const Result<SandboxInfo> &answer)
{
    if (!m_completion.isPending())
        return;
    if (!answer) {
        if (answer.error().isRetryable())
            askLater(&answer.error());
        else
            end(answer.error());
        return;
    }
    m_last = *answer;
    if (isWanted(answer->state))
        end(*answer);
    else if (answer->state == SandboxState::Failed || answer->state == SandboxState::Gone)
        end(failure(*answer));
    else
        askLater(nullptr);
}

void DaytonaWait::askLater(const Error *error)
{
    m_trouble = error ? std::optional(*error) : std::nullopt;
    auto pause = m_pause;
    if (error && error->retryAfter)
        pause = std::max<std::chrono::milliseconds>(pause, *error->retryAfter);
    if (std::chrono::milliseconds(m_age.elapsed()) + pause > m_goal.limit) {
        end(timeout());
        return;
    }
    m_pause = std::min(m_pause * 3 / 2, m_provider->config().longestPoll);
    m_timer.start(pause);
}

void DaytonaWait::end(Result<SandboxInfo> result)
{
    m_completion.finish(std::move(result));
    m_timer.stop();
    deleteLater();
}

Error DaytonaWait::failure(const SandboxInfo &info) const
{
    if (info.state == SandboxState::Gone)
        return {Error::Kind::Gone, tr("The sandbox was deleted meanwhile. Start a new one.").toStdString(), {}};
    const QString text = info.reason.empty()
        ? tr("The sandbox has failed (%1). Delete it and start a new one.").arg(QString::fromStdString(info.rawState))
        : tr("The sandbox has failed (%1): \"%2\". Delete it and start a new one.")
              .arg(QString::fromStdString(info.rawState), QString::fromStdString(info.reason));
    return {Error::Kind::ServerError, text.toStdString(), info.reason};
}

Error DaytonaWait::timeout() const
{
    if (m_trouble)
        return *m_trouble;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(m_goal.limit).count();
    const QString text = tr("The sandbox was still \"%1\" after %2 s. It stays in the list of sandboxes; look at it "
                            "there, or kill it.");
    return {Error::Kind::Timeout, text.arg(QString::fromStdString(m_last.rawState)).arg(seconds).toStdString(), {}};
}

bool DaytonaWait::isWanted(SandboxState state) const
{
    return std::find(m_goal.wanted.begin(), m_goal.wanted.end(), state) != m_goal.wanted.end();
}

} // namespace sandfish
