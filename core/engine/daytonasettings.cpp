#include "core/engine/daytonasettings.h"

#include <algorithm>
#include <limits>

namespace sandfish {
namespace {

int minutesFrom(const Json &json, const char *name, int fallback)
{
    const std::int64_t minutes = integerOr(json, name, fallback);
    return static_cast<int>(std::clamp<std::int64_t>(minutes, -1, std::numeric_limits<int>::max()));
}

std::int64_t daytonaMs(SystemTime time)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

} // namespace

DaytonaSettings DaytonaSettings::inert()
{
    DaytonaSettings settings;
    settings.autoStop = 0;
    settings.autoArchive = 0;
    return settings;
}

Json daytonaSettingsJson(const DaytonaSettings &settings)
{
    Json json{{"autoStop", settings.autoStop}, {"autoPause", settings.autoPause}, {"autoArchive", settings.autoArchive},
        {"autoDelete", settings.autoDelete}, {"updatedAt", daytonaMs(settings.updatedAt)},
        {"public", settings.isPublic}};
    if (settings.destroyAt)
        json["destroyAt"] = daytonaMs(*settings.destroyAt);
    return json;
}

DaytonaSettings daytonaSettingsFrom(const Json &json)
{
    DaytonaSettings settings;
    settings.autoStop = minutesFrom(json, "autoStop", settings.autoStop);
    settings.autoPause = minutesFrom(json, "autoPause", settings.autoPause);
    settings.autoArchive = minutesFrom(json, "autoArchive", settings.autoArchive);
    settings.autoDelete = minutesFrom(json, "autoDelete", settings.autoDelete);
    settings.updatedAt = SystemTime(std::chrono::milliseconds(integerOr(json, "updatedAt", 0)));
    settings.isPublic = boolOr(json, "public", false);
    if (const std::int64_t ms = integerOr(json, "destroyAt", 0); ms > 0)
        settings.destroyAt = SystemTime(std::chrono::milliseconds(ms));
    return settings;
}

DaytonaDue daytonaDue(const DaytonaSettings &settings, SandboxState state, std::chrono::milliseconds idle,
    std::chrono::milliseconds stopped, SystemTime now)
{
    using std::chrono::minutes;
    if (settings.destroyAt && now >= *settings.destroyAt)
        return DaytonaDue::Delete;
    if (state == SandboxState::Stopped && settings.autoDelete >= 0 && stopped >= minutes(settings.autoDelete))
        return DaytonaDue::Delete;
    if (state != SandboxState::Running)
        return DaytonaDue::Nothing;
    if (settings.autoStop > 0 && idle >= minutes(settings.autoStop))
        return DaytonaDue::Stop;
    if (settings.autoPause > 0 && idle >= minutes(settings.autoPause))
        return DaytonaDue::Pause;
    return DaytonaDue::Nothing;
}

} // namespace sandfish
