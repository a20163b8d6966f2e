#pragma once

#include "core/base/json.h"
#include "core/protocol/sandboxinfo.h"

#include <optional>

namespace sandfish {

/// What the Daytona face keeps of a sandbox beyond what every face knows. Intervals are in minutes, as on its wire.
struct DaytonaSettings
{
    int autoStop = 15;        ///< of idleness; 0: never
    int autoPause = 0;        ///< of idleness; 0: never
    int autoArchive = 10'080; ///< kept for the client; nothing is archived here
    int autoDelete = -1;      ///< after a stop; 0: at once, negative: never
    std::optional<SystemTime> destroyAt;
    SystemTime updatedAt{};
    bool isPublic = false;

    /// Of a sandbox that another face has made: nothing happens to it by itself.
    static DaytonaSettings inert();
};

Json daytonaSettingsJson(const DaytonaSettings &settings);
/// Members that are missing or odd have their defaults.
DaytonaSettings daytonaSettingsFrom(const Json &json);

/// What is due for a sandbox by its settings.
enum class DaytonaDue
{
    Nothing,
    Stop,
    Pause,
    Delete
};

/// \a idle: since its last activity. \a stopped: for how long it has been, while it is Stopped.
DaytonaDue daytonaDue(const DaytonaSettings &settings, SandboxState state, std::chrono::milliseconds idle,
    std::chrono::milliseconds stopped, SystemTime now);

} // namespace sandfish
