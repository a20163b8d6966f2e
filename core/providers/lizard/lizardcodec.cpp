#include "core/providers/lizard/lizardcodec.h"

#include "core/net/weburl.h"

#include <QDateTime>

#include <algorithm>
#include <limits>

namespace sandfish::Lizard {
namespace {

using namespace Qt::StringLiterals;

// The seed's own default: its create call cannot leave the member out (protocols.md §1.2).
constexpr std::chrono::milliseconds kSeedTimeout{300000};

std::optional<SystemTime> timeFrom(const Json &object, std::string_view key)
{
    const QDateTime time = QDateTime::fromString(QString::fromStdString(stringOr(object, key, "")), Qt::ISODateWithMs);
    if (!time.isValid())
        return std::nullopt;
    return SystemTime(std::chrono::milliseconds(time.toMSecsSinceEpoch()));
}

std::optional<std::int64_t> sizeFrom(const Json &object, std::string_view key)
{
    const std::int64_t bytes = integerOr(object, key, -1);
    return bytes < 0 ? std::nullopt : std::optional(bytes);
}

PauseKeeps pauseKeepsFrom(const std::string &word)
{
    if (word == "memory")
        return PauseKeeps::FilesAndMemory;
    return word == "files" ? PauseKeeps::FilesOnly : PauseKeeps::Unknown;
}

// Words of the seed's successor that the neutral names do not have (protocols.md §6.3).
SandboxState stateFrom(const std::string &word)
{
    if (word.empty())
        return SandboxState::Running;
    if (word == "deleted")
        return SandboxState::Gone;
    const SandboxState state = sandboxStateFromName(word);
    return state == SandboxState::Unknown && word != "unknown" ? SandboxState::Busy : state;
}

Json foldersJson(const std::vector<FolderBind> &folders)
{
    Json list = Json::array();
    for (const FolderBind &folder : folders) {
        const bool isReadOnly = folder.access == FolderBind::Access::ReadOnly;
        list.push_back({{"path", folder.path}, {"access", isReadOnly ? "ro" : "rw"}});
    }
    return list;
}

std::vector<FolderBind> foldersFrom(const Json &list)
{
    std::vector<FolderBind> folders;
    for (const Json &item : list.is_array() ? list : Json::array()) {
        const bool isReadOnly = stringOr(item, "access", "") == "ro";
        folders.push_back(
            {stringOr(item, "path", ""), isReadOnly ? FolderBind::Access::ReadOnly : FolderBind::Access::ReadWrite});
    }
    return folders;
}

QString encoded(const std::string &id)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(id)));
}

} // namespace

bool EngineInfo::has(std::string_view feature) const
{
    return std::find(features.begin(), features.end(), feature) != features.end();
}

std::optional<EngineInfo> parseEngineInfo(const Json &answer)
{
    EngineInfo info;
    info.version = stringOr(answer, "version", "");
    info.isolation = stringOr(answer, "isolation", "");
    if (info.version.empty() || info.isolation.empty())
        return std::nullopt;
    info.isolationReason = stringOr(answer, "isolationReason", "");
    info.pid = integerOr(answer, "pid", 0);
    const Json &features = memberOrNull(answer, "features");
    for (const Json &feature : features.is_array() ? features : Json::array()) {
        if (feature.is_string())
            info.features.push_back(feature.get<std::string>());
    }
    return info;
}

Provider::Capabilities capabilitiesOf(const std::optional<EngineInfo> &engine)
{
    using Capability = Provider::Capability;
    Provider::Capabilities all =
        Capability::Create | Capability::Pause | Capability::SetTimeout | Capability::MultipleContexts;
    all.setFlag(Capability::Interrupt, engine && engine->has("interrupt"));
    all.setFlag(Capability::Stdin, engine && engine->has("input"));
    all.setFlag(Capability::Complete, engine && engine->has("queries"));
    all.setFlag(Capability::FolderBinds, engine && engine->has("folders"));
    return all;
}

SandboxInfo parseSandbox(const Json &object)
{
    SandboxInfo info;
    info.id.value = stringOr(object, "sandboxId", "");
    info.name = stringOr(object, "name", info.id.value);
    if (info.name.empty())
        info.name = info.id.value;
    info.templateName = stringOr(object, "template", "");
    info.rawState = stringOr(object, "state", stringOr(object, "status", ""));
    info.state = stateFrom(info.rawState);
    info.startedAt = timeFrom(object, "startedAt");
    info.endsAt = timeFrom(object, "endAt");
    const Json &metadata = memberOrNull(object, "metadata");
    if (metadata.is_object()) {
        for (const auto &item : metadata.items())
            info.metadata[item.key()] =
                item.value().is_string() ? item.value().get<std::string>() : dumpJson(item.value());
    }
    info.pauseKeeps = pauseKeepsFrom(stringOr(object, "pauseKeeps", ""));
    info.memoryBytes = sizeFrom(object, "memoryBytes");
    info.memoryLimitBytes = sizeFrom(object, "memoryLimitBytes");
    info.isolation = stringOr(object, "isolation", "");
    info.folders = foldersFrom(memberOrNull(object, "folders"));
    return info;
}

std::vector<SandboxInfo> parseSandboxes(const Json &list)
{
    std::vector<SandboxInfo> all;
    for (const Json &item : list.is_array() ? list : Json::array()) {
        SandboxInfo info = parseSandbox(item);
        if (!info.id.isEmpty())
            all.push_back(std::move(info));
    }
    return all;
}

ContextInfo parseContext(const Json &object)
{
    ContextInfo info;
    info.id.value = stringOr(object, "id", "");
    info.language = stringOr(object, "language", "");
    info.cwd = stringOr(object, "cwd", "");
    info.state = contextStateFromName(stringOr(object, "state", "unknown"));
    info.version = stringOr(object, "version", "");
    const std::int64_t count = integerOr(object, "executionCount", -1);
    if (count >= 0)
        info.executionCount = static_cast<int>(std::min<std::int64_t>(count, std::numeric_limits<int>::max()));
    return info;
}

std::vector<ContextInfo> parseContexts(const Json &list)
{
    std::vector<ContextInfo> all;
    for (const Json &item : list.is_array() ? list : Json::array()) {
        ContextInfo info = parseContext(item);
        if (!info.id.isEmpty())
            all.push_back(std::move(info));
    }
    return all;
}

bool isLoopback(const QUrl &url)
{
    return isLoopbackHost(url.host());
}

QUrl parseExposed(const Json &answer, const QUrl &control)
{
    // A service on the network may not send us to a server of this computer.
    const QUrl url(QString::fromStdString(stringOr(answer, "url", "")), QUrl::StrictMode);
    if (url.isValid() && url.scheme() == "http"_L1 && isLoopback(url) && isLoopback(control))
        return url;
    const std::string hostname = stringOr(answer, "hostname", "");
    return hostname.empty() ? QUrl() : QUrl(u"https://"_s + QString::fromStdString(hostname), QUrl::StrictMode);
}

std::string createBody(const SandboxSpec &spec, const std::string &projectId, bool isLocalEngine)
{
    const bool takesDefault = spec.timeout.count() <= 0 && !isLocalEngine;
    // The engine of the own computer has no projects, and still answers as the vendor does to a request without one.
    const std::string own = isLocalEngine ? "local" : spec.projectId;
    Json body{{"projectId", projectId.empty() ? own : projectId}, {"template", spec.templateName},
        {"timeoutMs", (takesDefault ? kSeedTimeout : spec.timeout).count()}};
    if (!spec.metadata.empty())
        body["metadata"] = spec.metadata;
    if (!spec.environment.empty())
        body["envs"] = spec.environment;
    if (isLocalEngine)
        body["sandfish"] = {{"name", spec.name}, {"folders", foldersJson(spec.folders)}, {"network", spec.hasNetwork}};
    return dumpJson(body);
}

std::string executeBody(const ExecuteRequest &request, const ContextId &context, bool isLocalEngine)
{
    Json body{{"code", request.code}, {"context_id", context.value}};
    if (!request.environment.empty())
        body["env_vars"] = request.environment;
    if (isLocalEngine)
        body["sandfish"] = {
            {"dialect", "full"}, {"label", request.label}, {"timeout_ms", request.timeout.count()}, {"stdin", true}};
    return dumpJson(body);
}

std::string contextBody(const ContextSpec &spec)
{
    Json body{{"language", spec.language}};
    if (!spec.cwd.empty())
        body["cwd"] = spec.cwd;
    return dumpJson(body);
}

QString sandboxPath(const SandboxId &id, const QString &rest)
{
    return u"/api/sandboxes/"_s + encoded(id.value) + rest;
}

QString contextPath(const ContextId &id, const QString &rest)
{
    return u"/contexts/"_s + encoded(id.value) + rest;
}

QUrl urlFor(const QUrl &base, const QString &path)
{
    return urlBelow(base, path);
}

} // namespace sandfish::Lizard
