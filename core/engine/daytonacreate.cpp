#include "core/engine/daytonacreate.h"

#include "core/engine/apireply.h"
#include "core/engine/sandboxlimits.h"

#include <cmath>

namespace sandfish {
namespace {

constexpr int kMaxMinutes = 5 * 366 * 24 * 60;
constexpr char kSandboxUser[] = "user";

Error badCreate(std::string message)
{
    return {Error::Kind::BadRequest, std::move(message)};
}

bool isAsked(const Json &body, const char *member)
{
    const Json &value = memberOrNull(body, member);
    return !(
        value.is_null() || value == Json(false) || value == Json(0) || value == Json("") || value == Json::array());
}

// What would be silently broken if it were ignored.
Result<> checkOffered(const Json &body)
{
    static constexpr std::pair<const char *, const char *> kMissing[] = {{"buildInfo", "Building images"},
        {"volumes", "Mounting volumes"}, {"gpu", "A GPU"}, {"kvm", "KVM"}, {"secrets", "Attaching secrets"},
        {"networkAllowList", "networkAllowList (networkBlockAll is)"},
        {"domainAllowList", "domainAllowList (networkBlockAll is)"}, {"outboundProxyUrl", "outboundProxyUrl"},
        {"linkedSandbox", "linkedSandbox"}};
    for (const auto &[member, what] : kMissing) {
        if (isAsked(body, member))
            return badCreate(std::string(what) + " is not offered by Sandfish's local engine.");
    }
    const std::string user = stringOr(body, "user", "");
    if (!user.empty() && user != kSandboxUser)
        return badCreate("Sandfish's local engine runs everything as \"user\"; it has no user \"" + user + "\".");
    return {};
}

Result<> readInterval(const Json &body, const char *member, int least, int &minutes)
{
    const Json &value = memberOrNull(body, member);
    if (value.is_null())
        return {};
    const Result<int> read = daytonaMinutes(value, member, least);
    if (!read)
        return read.error();
    minutes = *read;
    return {};
}

Result<DaytonaSettings> settingsFrom(const Json &body)
{
    DaytonaSettings settings;
    int lifetime = 0;
    for (const Result<> &read : {readInterval(body, "autoPauseInterval", 0, settings.autoPause),
             readInterval(body, "autoArchiveInterval", 0, settings.autoArchive),
             readInterval(body, "autoDeleteInterval", -kMaxMinutes, settings.autoDelete),
             readInterval(body, "ttlMinutes", 0, lifetime)}) {
        if (!read)
            return read.error();
    }
    if (settings.autoPause > 0)
        settings.autoStop = 0;
    if (const Result<> read = readInterval(body, "autoStopInterval", 0, settings.autoStop); !read)
        return read.error();
    if (settings.autoPause > 0 && settings.autoStop > 0)
        return badCreate("autoStopInterval and autoPauseInterval exclude each other. Set one of them to 0.");
    settings.updatedAt = std::chrono::system_clock::now();
    if (lifetime > 0)
        settings.destroyAt = settings.updatedAt + std::chrono::minutes(lifetime);
    settings.isPublic = boolOr(body, "public", false);
    return settings;
}

Result<SandboxSpec> daytonaSpecFrom(const Json &body)
{
    SandboxSpec spec;
    spec.name = stringOr(body, "name", "");
    spec.projectId = "daytona";
    if (const std::string snapshot = stringOr(body, "snapshot", ""); !snapshot.empty())
        spec.templateName = snapshot;
    if (spec.templateName != "base" && spec.templateName != "code-interpreter-v1")
        return badCreate("There is no snapshot \"" + spec.templateName + "\". Leave it out, or use base.");
    if (spec.name.find('/') != std::string::npos || spec.name.find('\0') != std::string::npos)
        return badCreate("The name of a sandbox must not hold a slash");
    spec.metadata = stringMap(memberOrNull(body, "labels"));
    spec.environment = stringMap(memberOrNull(body, "env"));
    if (const Result<> checked = checkEnvironment(spec.environment); !checked)
        return checked.error();
    spec.hasNetwork = !boolOr(body, "networkBlockAll", false);
    if (isAsked(body, "memory")) {
        const double gibibytes = numberOr(body, "memory", -1);
        if (!(gibibytes > 0 && gibibytes < 1 << 20))
            return badCreate("memory must be a number of GiB");
        spec.memoryLimitBytes = static_cast<std::int64_t>(std::ldexp(gibibytes, 30));
    }
    if (const Result<> checked = checkLimits(spec); !checked)
        return checked.error();
    return spec;
}

} // namespace

Result<int> daytonaMinutes(const Json &value, const std::string &member, int least)
{
    if (!value.is_number_integer() || value.get<std::int64_t>() < least || value.get<std::int64_t>() > kMaxMinutes)
        return badCreate(member + " must be a whole number of minutes" + (least < 0 ? "" : ", 0 or more"));
    return static_cast<int>(value.get<std::int64_t>());
}

Result<DaytonaCreate> daytonaCreateFrom(const Json &body)
{
    if (const Result<> checked = checkOffered(body); !checked)
        return checked.error();
    Result<SandboxSpec> spec = daytonaSpecFrom(body);
    if (!spec)
        return spec.error();
    Result<DaytonaSettings> settings = settingsFrom(body);
    if (!settings)
        return settings.error();
    return DaytonaCreate{spec.take(), settings.take()};
}

} // namespace sandfish
