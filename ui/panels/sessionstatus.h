#pragma once

#include "core/session/notebooksession.h"

#include <QString>

namespace sandfish {

/// What the toolbar, the chip, the status bar and the banners show of a session, as values: they paint what they are
/// given and ask nobody. A default one means that no notebook is in front.
struct SessionStatus
{
    bool hasSession = false;
    NotebookSession::State state = NotebookSession::State::NoSandbox;
    std::chrono::milliseconds timeInState{0};
    QString sandboxName; ///< empty: there is none yet
    QString providerName;
    QString origin;   ///< of a branch, such as "branch of analysis.ipynb, before [4]"
    QString language; ///< normalised, of the notebook
    QString version;  ///< of the interpreter, such as "3.11"; empty if not reported
    PauseKeeps pauseKeeps = PauseKeeps::Unknown;
    bool canPause = false;       ///< the provider offers it
    bool isThisComputer = false; ///< the local engine: nothing is charged
    int queuedRuns = 0;
    std::chrono::milliseconds runningFor{0}; ///< of the running cell
    std::int64_t memoryBytes = -1;           ///< -1: not reported
    std::int64_t memoryLimitBytes = -1;

    /// Reads everything but runningFor. Cost: a few look-ups.
    static SessionStatus of(const NotebookSession &session);
    /// True while the seconds shown must count.
    bool counts() const;
};

} // namespace sandfish
