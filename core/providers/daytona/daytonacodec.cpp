#include "core/providers/daytona/daytonacodec.h"

#include "core/net/weburl.h"

#include <QDateTime>

#include <algorithm>
#include <array>

namespace sandfish::Daytona {
namespace {

using namespace Qt::StringLiterals;
using namespace std::string_view_literals;

constexpr std::array kStates{
    std::pair{"creating"sv, SandboxState::Creating},
    std::pair{"pending_build"sv, SandboxState::Creating},
    std::pair{"building_snapshot"sv, SandboxState::Creating},
    std::pair{"pulling_snapshot"sv, SandboxState::Creating},
    std::pair{"started"sv, SandboxState::Running},
    std::pair{"stopping"sv, SandboxState::Stopping},
    std::pair{"stopped"sv, SandboxState::Stopped},
    std::pair{"archived"sv, SandboxState::Stopped},
    std::pair{"restoring"sv, SandboxState::Resuming},
    std::pair{"starting"sv, SandboxState::Resuming},
    std::pair{"resuming"sv, SandboxState::Resuming},
    std::pair{"pausing"sv, SandboxState::Pausing},
    std::pair{"paused"sv, SandboxState::Paused},
    std::pair{"archiving"sv, SandboxState::Busy},
    std::pair{"resizing"sv, SandboxState::Busy},
    std::pair{"snapshotting"sv, SandboxState::Busy},
    std::pair{"forking"sv, SandboxState::Busy},
    std::pair{"error"sv, SandboxState::Failed},
    std::pair{"build_failed"sv, SandboxState::Failed},
    std::pair{"unknown"sv, SandboxState::Unknown},
    std::pair{"destroying"sv, SandboxState::Stopping},
    std::pair{"destroyed"sv, SandboxState::Gone},
};

std::optional<SystemTime> timeOf(const Json &object, std::string_view key)
{
    const QDateTime time = QDateTime::fromString(QString::fromStdString(stringOr(object, key, "")), Qt::ISODateWithMs);
    if (!time.isValid())
        return std::nullopt;
    return SystemTime(std::chrono::milliseconds(time.toMSecsSinceEpoch()));
}

QString percentEncoded(const std::string &text)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(text)));
}

void takeLabels(const Json &labels, SandboxInfo &info)
{
    if (!labels.is_object())
        return;
    for (const auto &item : labels.items()) {
        if (item.value().is_string())
            info.metadata[item.key()] = item.value().get<std::string>();
    }
    const auto name = info.metadata.find(std::string(kNameLabel));
    if (name != info.metadata.end() && !name->second.empty())
        info.name = name->second;
}

} // namespace

SandboxState stateFrom(const std::string &word)
{
    const auto it = std::find_if(kStates.begin(), kStates.end(), [&](const auto &row) { return row.first == word; });
    if (it != kStates.end())
        return it->second;
    return word.empty() ? SandboxState::Unknown : SandboxState::Busy;
}

SandboxInfo parseSandbox(const Json &object)
{
    SandboxInfo info;
    info.id.value = stringOr(object, "id", "");
    info.name = stringOr(object, "name", "");
    if (info.name.empty())
        info.name = info.id.value;
    takeLabels(memberOrNull(object, "labels"), info);
    info.templateName = stringOr(object, "snapshot", "");
    info.rawState = stringOr(object, "state", "");
    info.state = stateFrom(info.rawState);
    info.startedAt = timeOf(object, "createdAt");
    // An idle sandbox is stopped by itself, which loses its variables.
    const std::int64_t idle = integerOr(object, "autoStopInterval", 0);
    const auto lastActivity = timeOf(object, "lastActivityAt");
    if (info.state == SandboxState::Running && idle > 0 && lastActivity)
        info.endsAt = *lastActivity + std::chrono::minutes(idle);
    info.pauseKeeps = PauseKeeps::FilesAndMemory;
    const double gigabytes = numberOr(object, "memory", 0);
    if (gigabytes > 0)
        info.memoryLimitBytes = static_cast<std::int64_t>(gigabytes * (1 << 30));
    info.reason = stringOr(object, "errorReason", "");
    return info;
}

std::optional<SandboxPage> parsePage(const Json &answer)
{
    const Json &items = answer.is_array() ? answer : memberOrNull(answer, "items");
    if (!items.is_array())
        return std::nullopt;
    SandboxPage page;
    for (const Json &item : items) {
        SandboxInfo info = parseSandbox(item);
        if (!info.id.isEmpty() && info.state != SandboxState::Gone)
            page.sandboxes.push_back(std::move(info));
    }
    page.nextCursor = stringOr(answer, "nextCursor", "");
    return page;
}

ContextInfo parseContext(const Json &object)
{
    ContextInfo info;
    info.id.value = stringOr(object, "id", "");
    info.language = normalisedLanguage(stringOr(object, "language", "python"));
    info.cwd = stringOr(object, "cwd", "");
    // The interpreter of one that is not active has ended, and its variables with it.
    info.state = boolOr(object, "active", true) ? ContextState::Unknown : ContextState::Dead;
    return info;
}

std::vector<ContextInfo> parseContexts(const Json &answer)
{
    const Json &list = memberOrNull(answer, "contexts");
    std::vector<Json> items = list.is_array() ? std::vector<Json>(list.begin(), list.end()) : std::vector<Json>();
    const auto madeAt = [](const Json &item) { return stringOr(item, "createdAt", ""); };
    std::stable_sort(
        items.begin(), items.end(), [madeAt](const Json &a, const Json &b) { return madeAt(a) > madeAt(b); });
    std::vector<ContextInfo> all;
    for (const Json &item : items) {
        ContextInfo info = parseContext(item);
        if (!info.id.isEmpty())
            all.push_back(std::move(info));
    }
    return all;
}

QUrl usableToolbox(const std::string &text, const QUrl &control)
{
    const QUrl url(QString::fromStdString(text), QUrl::StrictMode);
    const bool isHttps = url.scheme() == "https"_L1;
    const bool isPlain = url.scheme() == "http"_L1 && control.scheme() == "http"_L1;
    const bool isElsewhere = !isLoopbackHost(url.host()) || isLoopbackHost(control.host());
    const bool isUsable = url.isValid() && !url.host().isEmpty() && (isHttps || isPlain) && isElsewhere;
    return isUsable ? url : QUrl();
}

std::string createBody(const SandboxSpec &spec, const QString &target)
{
    Json labels = spec.metadata.empty() ? Json::object() : Json(spec.metadata);
    labels["code-toolbox-language"] = "python";
    if (!spec.name.empty())
        labels[std::string(kNameLabel)] = spec.name;
    Json body{{"labels", std::move(labels)}};
    // The default is the name of Lizard's template: nobody has asked for a snapshot.
    if (!spec.templateName.empty() && spec.templateName != SandboxSpec().templateName)
        body["snapshot"] = spec.templateName;
    if (!spec.environment.empty())
        body["env"] = spec.environment;
    if (!target.isEmpty())
        body["target"] = target.toStdString();
    if (!spec.hasNetwork)
        body["networkBlockAll"] = true;
    // Without a wish the service's own idle time stays: a sandbox that is forgotten should not cost for ever.
    if (spec.timeout.count() > 0)
        body["autoStopInterval"] = idleMinutes(spec.timeout);
    return dumpJson(body);
}

std::string contextBody(const ContextSpec &spec)
{
    Json body{{"language", spec.language}};
    if (!spec.cwd.empty())
        body["cwd"] = spec.cwd;
    return dumpJson(body);
}

std::string executeMessage(const ExecuteRequest &request, const ContextId &context)
{
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(request.timeout).count();
    Json message{{"code", request.code}, {"timeout", std::max<std::int64_t>(0, seconds)}};
    if (!context.isEmpty())
        message["contextId"] = context.value;
    if (!request.environment.empty())
        message["envs"] = request.environment;
    return dumpJson(message);
}

QString sandboxPath(const SandboxId &id, const QString &rest)
{
    return u"/sandbox/"_s + percentEncoded(id.value) + rest;
}

QString listPath(const std::string &cursor)
{
    QString path = u"/sandbox?limit=100"_s;
    for (const auto &[word, state] : kStates) {
        if (word != "destroyed" && word != "destroying")
            path += u"&states="_s + QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()));
    }
    return cursor.empty() ? path : path + u"&cursor="_s + percentEncoded(cursor);
}

QString contextPath(const ContextId &id)
{
    return u"/process/interpreter/context/"_s + percentEncoded(id.value);
}

long idleMinutes(std::chrono::milliseconds time)
{
    return std::max<long>(0, std::chrono::ceil<std::chrono::minutes>(time).count());
}

Result<Frame> decodeFrame(std::string_view message)
{
    const Result<Json> object = parseJsonObject(message);
    if (!object)
        return object.error();
    const std::string type = stringOr(*object, "type", "");
    Frame frame;
    if (type == "stdout" || type == "stderr") {
        const auto channel = type == "stdout" ? StreamText::Channel::Stdout : StreamText::Channel::Stderr;
        frame.event = StreamText{channel, stringOr(*object, "text", "")};
    } else if (type == "error") {
        ErrorOutput error{stringOr(*object, "name", ""), stringOr(*object, "value", ""), {}};
        if (std::string traceback = stringOr(*object, "traceback", ""); !traceback.empty())
            error.traceback.push_back(std::move(traceback));
        frame.event = std::move(error);
    } else if (type == "control") {
        frame.control = stringOr(*object, "text", "");
    }
    return frame;
}

} // namespace sandfish::Daytona
