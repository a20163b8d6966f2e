#include "core/engine/daytonareply.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>

namespace sandfish {
namespace {

constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;

std::string_view daytonaCode(int status)
{
    switch (status) {
    case 400:
        return "BAD_REQUEST";
    case 401:
        return "UNAUTHORIZED";
    case 403:
        return "FORBIDDEN";
    case 404:
        return "NOT_FOUND";
    case 408:
        return "REQUEST_TIMEOUT";
    case 409:
        return "CONFLICT";
    case 422:
        return "UNPROCESSABLE_ENTITY";
    case 429:
        return "TOO_MANY_REQUESTS";
    case 501:
        return "NOT_IMPLEMENTED";
    default:
        return "INTERNAL_SERVER_ERROR";
    }
}

std::string_view desiredState(const LocalSandbox &sandbox)
{
    switch (sandbox.state()) {
    case SandboxState::Stopping:
        return sandbox.isEnding() ? "destroyed" : "stopped";
    case SandboxState::Pausing:
    case SandboxState::Paused:
        return "paused";
    case SandboxState::Stopped:
        return "stopped";
    case SandboxState::Gone:
        return "destroyed";
    default:
        return "started";
    }
}

double gibibytes(double bytes)
{
    return std::round(bytes / kGibibyte * 100) / 100;
}

double diskGibibytes(const std::string &folder)
{
    std::error_code failure;
    const std::filesystem::space_info space = std::filesystem::space(folder, failure);
    return failure ? 0 : gibibytes(static_cast<double>(space.capacity));
}

void addIntervals(const DaytonaSettings &settings, Json &json)
{
    json["public"] = settings.isPublic;
    json["autoStopInterval"] = settings.autoStop;
    json["autoPauseInterval"] = settings.autoPause;
    json["autoArchiveInterval"] = settings.autoArchive;
    json["autoDeleteInterval"] = settings.autoDelete;
    if (settings.destroyAt)
        json["autoDestroyAt"] = isoTime(*settings.destroyAt);
}

} // namespace

std::string DaytonaCall::query(const std::string &name) const
{
    const auto found = request->query.find(name);
    return found == request->query.end() ? std::string() : found->second;
}

void sendDaytonaError(const DaytonaCall &call, int status, std::string_view message, std::string_view code)
{
    sendJson(call.reply, status,
        {{"statusCode", status}, {"message", message}, {"code", code.empty() ? daytonaCode(status) : code},
            {"source", "DAYTONA_DAEMON"}, {"timestamp", isoTime(std::chrono::system_clock::now())},
            {"path", call.request->path}, {"method", call.request->method}});
}

void sendDaytonaError(const DaytonaCall &call, const Error &error)
{
    sendDaytonaError(call, httpStatusOf(error), error.message);
}

void sendDaytonaUnsupported(const DaytonaCall &call, std::string_view what)
{
    sendDaytonaError(call, 501, std::string(what) + " is not offered by Sandfish's local engine.");
}

std::string_view daytonaStateName(const LocalSandbox &sandbox)
{
    switch (sandbox.state()) {
    case SandboxState::Creating:
        return sandbox.hasRun() ? "starting" : "creating";
    case SandboxState::Running:
        return "started";
    case SandboxState::Pausing:
        return "pausing";
    case SandboxState::Paused:
        return "paused";
    case SandboxState::Resuming:
        return "resuming";
    case SandboxState::Stopping:
        return sandbox.isEnding() ? "destroying" : "stopping";
    case SandboxState::Stopped:
        return "stopped";
    case SandboxState::Failed:
        return "error";
    case SandboxState::Gone:
        return "destroyed";
    case SandboxState::Busy:
    case SandboxState::Unknown:
        break;
    }
    return "unknown";
}

Json daytonaSandboxJson(
    const LocalSandbox &sandbox, const std::string &toolboxUrl, SystemTime lastActivity, bool isWhole)
{
    const SandboxInfo info = sandbox.info();
    const SandboxSpec &common = sandbox.spec().common;
    const DaytonaSettings settings = sandbox.spec().daytona.value_or(DaytonaSettings::inert());
    Json json{{"id", info.id.value}, {"organizationId", "local"}, {"name", info.name}, {"snapshot", info.templateName},
        {"user", "user"}, {"labels", info.metadata}, {"networkBlockAll", !common.hasNetwork}, {"target", "local"},
        {"cpu", std::max(1u, std::thread::hardware_concurrency())}, {"gpu", 0},
        {"memory", gibibytes(static_cast<double>(info.memoryLimitBytes.value_or(0)))},
        {"disk", diskGibibytes(sandbox.homeOnHost())}, {"state", daytonaStateName(sandbox)},
        {"desiredState", desiredState(sandbox)}, {"sandboxClass", "container"}, {"createdAt", isoTime(*info.startedAt)},
        {"updatedAt", isoTime(std::max(settings.updatedAt, *info.startedAt))},
        {"lastActivityAt", isoTime(lastActivity)}, {"toolboxProxyUrl", toolboxUrl}};
    addIntervals(settings, json);
    if (isWhole) {
        json["env"] = common.environment;
        json["volumes"] = Json::array();
    }
    return json;
}

} // namespace sandfish
