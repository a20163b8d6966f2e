#include "core/engine/sandboxrecord.h"

#include "core/base/json.h"
#include "core/engine/sandboxlimits.h"
#include "core/engine/statefiles.h"

namespace sandfish {
namespace {

constexpr char kFileName[] = "/sandbox.json";

std::int64_t unixMs(SystemTime time)
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

SystemTime timeFrom(std::int64_t ms)
{
    return SystemTime(std::chrono::milliseconds(ms));
}

std::map<std::string, std::string> mapFrom(const Json &object)
{
    std::map<std::string, std::string> map;
    for (const auto &[name, value] : object.items()) {
        if (value.is_string())
            map[name] = value.get<std::string>();
    }
    return map;
}

} // namespace

Result<> saveSandboxRecord(const std::string &folder, const SandboxRecord &record)
{
    const SandboxSpec &common = record.spec.common;
    Json folders = Json::array();
    for (const FolderBind &bind : common.folders)
        folders.push_back({{"path", bind.path}, {"readOnly", bind.access == FolderBind::Access::ReadOnly}});
    Json json{{"id", record.spec.id.value}, {"capability", record.spec.capability},
        {"startedAt", unixMs(record.spec.startedAt)}, {"name", common.name}, {"template", common.templateName},
        {"projectId", common.projectId}, {"timeoutMs", common.timeout.count()}, {"metadata", common.metadata},
        {"environment", common.environment}, {"folders", std::move(folders)}, {"network", common.hasNetwork},
        {"aliases", record.spec.aliases}, {"cgroup", record.cgroup}};
    if (common.memoryLimitBytes)
        json["memoryLimitBytes"] = *common.memoryLimitBytes;
    if (common.processLimit)
        json["processLimit"] = *common.processLimit;
    if (record.spec.daytona)
        json["daytona"] = daytonaSettingsJson(*record.spec.daytona);
    if (record.endsAt)
        json["endsAt"] = unixMs(*record.endsAt);
    return writeFileAtomically(folder + kFileName, dumpJson(json) + "\n");
}

Result<SandboxRecord> loadSandboxRecord(const std::string &folder)
{
    const Result<std::string> text = readSmallFile(folder + kFileName);
    if (!text)
        return text.error();
    const Result<Json> json = parseJsonObject(*text);
    if (!json)
        return json.error();
    SandboxRecord record;
    record.spec.id.value = stringOr(*json, "id", "");
    record.spec.capability = stringOr(*json, "capability", "");
    record.spec.startedAt = timeFrom(integerOr(*json, "startedAt", 0));
    record.spec.aliases = mapFrom(memberOrNull(*json, "aliases"));
    SandboxSpec &common = record.spec.common;
    common.name = stringOr(*json, "name", "");
    common.templateName = stringOr(*json, "template", "base");
    common.projectId = stringOr(*json, "projectId", "");
    common.timeout = boundedTimeout(integerOr(*json, "timeoutMs", 0));
    common.metadata = mapFrom(memberOrNull(*json, "metadata"));
    common.environment = mapFrom(memberOrNull(*json, "environment"));
    common.hasNetwork = boolOr(*json, "network", true);
    for (const Json &bind : memberOrNull(*json, "folders"))
        common.folders.push_back({stringOr(bind, "path", ""),
            boolOr(bind, "readOnly", true) ? FolderBind::Access::ReadOnly : FolderBind::Access::ReadWrite});
    if (json->contains("memoryLimitBytes"))
        common.memoryLimitBytes = integerOr(*json, "memoryLimitBytes", 0);
    if (json->contains("processLimit"))
        common.processLimit = static_cast<int>(integerOr(*json, "processLimit", 0));
    if (json->contains("daytona"))
        record.spec.daytona = daytonaSettingsFrom((*json)["daytona"]);
    record.cgroup = stringOr(*json, "cgroup", "");
    if (json->contains("endsAt"))
        record.endsAt = timeFrom(integerOr(*json, "endsAt", 0));
    if (record.spec.id.isEmpty() || record.spec.capability.empty())
        return Error{Error::Kind::Protocol, "The record of the sandbox in " + folder + " is damaged."};
    return record;
}

} // namespace sandfish
