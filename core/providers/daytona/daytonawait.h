#pragma once

#include "core/protocol/sandboxinfo.h"
#include "core/support/request.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace sandfish {

class DaytonaProvider;

/// Asks for one sandbox, with growing pauses, until it is in a state that was wanted; deletes itself at the end.
/// Thread: GUI.
///
/// It ends early where the sandbox has failed or is gone, and where the service refuses. Words that are not known count
/// as transitional, and a service that cannot be reached for a while is asked again until the time is over.
class DaytonaWait : public QObject
{
    Q_OBJECT
public:
    struct Goal
    {
        std::vector<SandboxState> wanted;
        std::chrono::milliseconds limit;
    };

    /// \a told is what the service said last; nothing: it is asked at once.
    static Request start(DaytonaProvider *provider, const SandboxId &id, Goal goal,
        const std::optional<SandboxInfo> &told, QObject *receiver, Done<SandboxInfo> done);
    /// Ends a wait that goes on as cancelled, so that its Request can be cancelled later than its provider lives.
    ~DaytonaWait() override;

private:
    DaytonaWait(DaytonaProvider *provider, SandboxId id, Goal goal, Completion<SandboxInfo> completion);

    void ask();
    void take(const Result<SandboxInfo> &answer);
    void askLater(const Error *error);
    void end(Result<SandboxInfo> result);
    Error failure(const SandboxInfo &info) const;
    Error timeout() const;
    bool isWanted(SandboxState state) const;

    DaytonaProvider *m_provider;
    SandboxId m_id;
    Goal m_goal;
    Completion<SandboxInfo> m_completion;
    Request m_inner;
    QTimer m_timer;
    QElapsedTimer m_age;
    std::chrono::milliseconds m_pause;
    SandboxInfo m_last;
    std::optional<Error> m_trouble;
};

} // namespace sandfish
