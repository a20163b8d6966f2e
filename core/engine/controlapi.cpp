#include "core/engine/controlapi.h"

#include "core/engine/commandrun.h"
#include "core/engine/sandboxfiles.h"

#include <algorithm>
#include <cstdlib>

namespace sandfish {
namespace {

constexpr std::int64_t kDefaultTimeoutMs = 300'000;
constexpr std::int64_t kDefaultExecMs = 60'000;
constexpr std::int64_t kMaxExecMs = 24 * 3'600'000;
constexpr char kCodeServerPort[] = "8080";

Error missingMember(const std::string &name)
{
    return {Error::Kind::BadRequest, name + " is required"};
}

Result<std::vector<FolderBind>> foldersFrom(const Json &array)
{
    std::vector<FolderBind> folders;
    for (const Json &folder : array.is_array() ? array : Json::array()) {
        const std::string access = stringOr(folder, "access", "rw");
        if (access != "rw" && access != "ro")
            return Error{Error::Kind::BadRequest, "access of a folder must be \"rw\" or \"ro\""};
        std::string path = stringOr(folder, "path", "");
        if (path.size() > 1 && path.back() == '/')
            path.pop_back();
        folders.push_back(
            {std::move(path), access == "ro" ? FolderBind::Access::ReadOnly : FolderBind::Access::ReadWrite});
    }
    return folders;
}

Result<SandboxSpec> specFrom(const Json &body)
{
    SandboxSpec spec;
    spec.projectId = stringOr(body, "projectId", "");
    spec.templateName = stringOr(body, "template", "");
    if (spec.projectId.empty())
        return missingMember("projectId");
    if (spec.templateName.empty())
        return missingMember("template");
    if (spec.templateName != "base" && spec.templateName != "code-interpreter-v1")
        return Error{Error::Kind::BadRequest,
            "There is no template \"" + spec.templateName + "\". Use base or code-interpreter-v1."};
    const std::int64_t timeoutMs = integerOr(body, "timeoutMs", kDefaultTimeoutMs);
    if (timeoutMs < 0)
        return Error{Error::Kind::BadRequest, "timeoutMs must not be negative"};
    spec.timeout = boundedTimeout(timeoutMs);
    spec.metadata = stringMap(memberOrNull(body, "metadata"));
    spec.environment = stringMap(memberOrNull(body, "envs"));
    if (const Result<> checked = checkEnvironment(spec.environment); !checked)
        return checked.error();
    const Json &extension = memberOrNull(body, "sandfish");
    spec.name = stringOr(extension, "name", "");
    spec.hasNetwork = boolOr(extension, "network", true);
    if (extension.is_object() && extension.contains("memoryBytes"))
        spec.memoryLimitBytes = integerOr(extension, "memoryBytes", 0);
    if (extension.is_object() && extension.contains("processes"))
        spec.processLimit = static_cast<int>(std::min<std::int64_t>(integerOr(extension, "processes", 0), 1 << 22));
    if (const Result<> checked = checkLimits(spec); !checked)
        return checked.error();
    Result<std::vector<FolderBind>> folders = foldersFrom(memberOrNull(extension, "folders"));
    if (!folders)
        return folders.error();
    spec.folders = folders.take();
    return spec;
}

void answerInfo(const SandboxRegistry::SandboxPtr &sandbox, const Result<> &result, const ReplyPtr &reply)
{
    if (result)
        sendJson(reply, 200, sandboxJson(*sandbox));
    else
        sendError(reply, result.error());
}

void refuseMethod(const ReplyPtr &reply)
{
    sendError(reply, 405, "Method Not Allowed");
}

void sendFiles(const std::vector<FileEntry> &entries, const ReplyPtr &reply)
{
    Json list = Json::array();
    for (const FileEntry &entry : entries)
        list.push_back({{"name", entry.name}, {"path", entry.path}, {"type", entry.isFolder ? "dir" : "file"},
            {"size", entry.sizeBytes}});
    sendJson(reply, 200, list);
}

} // namespace

Json sandboxJson(const LocalSandbox &sandbox)
{
    const SandboxInfo info = sandbox.info();
    Json json{{"sandboxId", info.id.value}, {"template", info.templateName}, {"startedAt", isoTime(*info.startedAt)},
        {"endAt", info.endsAt ? isoTime(*info.endsAt) : ""}, {"metadata", info.metadata},
        {"state", sandboxStateName(info.state)}, {"name", info.name}, {"isolation", info.isolation},
        {"pauseKeeps", "memory"}, {"memoryHandedBack", sandbox.hasHandedMemoryBack()},
        {"network", sandbox.spec().common.hasNetwork}};
    if (info.memoryBytes)
        json["memoryBytes"] = *info.memoryBytes;
    if (info.memoryLimitBytes)
        json["memoryLimitBytes"] = *info.memoryLimitBytes;
    json["processLimit"] = limitsFor(sandbox.spec().common).processes;
    Json folders = Json::array();
    for (const FolderBind &folder : sandbox.spec().common.folders)
        folders.push_back(
            {{"path", folder.path}, {"access", folder.access == FolderBind::Access::ReadOnly ? "ro" : "rw"}});
    json["folders"] = std::move(folders);
    return json;
}

ControlApi::ControlApi(EventLoop &loop, SandboxRegistry &registry, Ports ports)
    : m_loop(loop)
    , m_registry(registry)
    , m_ports(ports)
{
}

void ControlApi::handle(const HttpRequest &request, const std::vector<std::string> &parts, const ReplyPtr &reply)
{
    if (parts.empty() || parts[0] != "sandboxes") {
        sendError(reply, 404, "Not Found");
        return;
    }
    if (parts.size() == 1) {
        if (request.method == "POST")
            create(request, reply);
        else if (request.method == "GET")
            list(reply);
        else
            refuseMethod(reply);
        return;
    }
    const SandboxPtr sandbox = m_registry.find(parts[1]);
    if (!sandbox || sandbox->isEnding())
        sendError(reply, 404, "Sandbox " + parts[1] + " not found");
    else if (parts.size() == 2)
        handleSandbox(sandbox, request, reply);
    else
        handleAction(sandbox, parts, request, reply);
}

void ControlApi::create(const HttpRequest &request, const ReplyPtr &reply)
{
    const Result<Json> body = bodyObject(request);
    if (!body) {
        sendError(reply, body.error());
        return;
    }
    Result<SandboxSpec> spec = specFrom(*body);
    if (!spec) {
        sendError(reply, spec.error());
        return;
    }
    m_registry.create(spec.take(), [reply](const Result<SandboxPtr> &sandbox) {
        if (sandbox)
            sendJson(reply, 201, sandboxJson(**sandbox));
        else
            sendError(reply, sandbox.error());
    });
}

void ControlApi::list(const ReplyPtr &reply) const
{
    Json list = Json::array();
    for (const SandboxPtr &sandbox : m_registry.all())
        list.push_back(sandboxJson(*sandbox));
    sendJson(reply, 200, list);
}

void ControlApi::handleSandbox(const SandboxPtr &sandbox, const HttpRequest &request, const ReplyPtr &reply)
{
    if (request.method == "GET")
        sendJson(reply, 200, sandboxJson(*sandbox));
    else if (request.method == "DELETE")
        sandbox->kill([reply](const Result<> &) { sendNothing(reply); });
    else
        refuseMethod(reply);
}

void ControlApi::handleAction(
    const SandboxPtr &sandbox, const std::vector<std::string> &parts, const HttpRequest &request, const ReplyPtr &reply)
{
    const std::string &action = parts[2];
    const bool isFiles = action == "files" && (parts.size() == 3 || (parts.size() == 4 && parts[3] == "list"));
    if (isFiles) {
        files(sandbox, request, parts.size() == 4, reply);
        return;
    }
    const bool isExpose = action == "expose" && parts.size() == 4;
    const bool isKnown = isExpose
        || (parts.size() == 3 && (action == "pause" || action == "resume" || action == "timeout" || action == "exec"));
    if (!isKnown)
        sendError(reply, 404, "Not Found");
    else if (request.method != "POST")
        refuseMethod(reply);
    else if (isExpose)
        expose(sandbox, parts[3], reply);
    else if (action == "pause")
        sandbox->pause([sandbox, reply](const Result<> &result) { answerInfo(sandbox, result, reply); });
    else if (action == "resume")
        sandbox->resume([sandbox, reply](const Result<> &result) { answerInfo(sandbox, result, reply); });
    else if (action == "timeout")
        setTimeout(sandbox, request, reply);
    else
        exec(sandbox, request, reply);
}

void ControlApi::setTimeout(const SandboxPtr &sandbox, const HttpRequest &request, const ReplyPtr &reply)
{
    const Result<Json> body = bodyObject(request);
    const std::int64_t timeoutMs = body ? integerOr(*body, "timeoutMs", -1) : -1;
    if (timeoutMs < 0) {
        sendError(reply, 400, "timeoutMs must be a number of milliseconds");
        return;
    }
    if (timeoutMs == 0)
        sandbox->setTimeout(std::nullopt);
    else
        sandbox->setTimeout(boundedTimeout(timeoutMs));
    sendJson(reply, 200, sandboxJson(*sandbox));
}

void ControlApi::expose(const SandboxPtr &sandbox, const std::string &port, const ReplyPtr &reply)
{
    const bool isNumber = !port.empty() && port.size() <= 5
        && std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
    const int number = isNumber ? std::atoi(port.c_str()) : 0;
    if (number < 1 || number > 65535) {
        sendError(reply, 400, "The port must be a number from 1 to 65535");
        return;
    }
    const std::string host = "127.0.0.1:";
    if (port == kCodeServerPort) {
        // The vendor's SDKs put https:// before the hostname; who can speak plain HTTP takes the url.
        const std::string path = "/s/" + sandbox->spec().capability;
        sendJson(reply, 200,
            {{"hostname", host + std::to_string(m_ports.tls) + path},
                {"url", "http://" + host + std::to_string(m_ports.plain) + path}});
    } else if (!sandbox->spec().common.hasNetwork) {
        sendError(reply, 409, "The sandbox has no network, so its ports cannot be reached");
    } else {
        sendJson(reply, 200, {{"hostname", host + port}, {"url", "http://" + host + port}});
    }
}

void ControlApi::exec(const SandboxPtr &sandbox, const HttpRequest &request, const ReplyPtr &reply)
{
    const Result<Json> body = bodyObject(request);
    const Json none;
    const Json &command = memberOrNull(body ? *body : none, "cmd");
    if (!command.is_string() || command.get_ref<const std::string &>().find('\0') != std::string::npos) {
        sendError(reply, 400, "cmd must be a string");
        return;
    }
    if (sandbox->state() != SandboxState::Running) {
        sendError(reply, 409, "The sandbox is paused. Resume it and try again.");
        return;
    }
    CommandSpec spec;
    spec.command = command.get<std::string>();
    spec.environment = stringMap(memberOrNull(*body, "envs"));
    spec.workingDirectory = stringOr(*body, "workdir", kSandboxHome);
    Result<> checked = checkEnvironment(spec.environment);
    if (checked && spec.workingDirectory.find('\0') != std::string::npos)
        checked = Error{Error::Kind::BadRequest, "workdir must not hold NUL"};
    if (!checked) {
        sendError(reply, checked.error());
        return;
    }
    const std::int64_t limit = integerOr(*body, "timeoutMs", kDefaultExecMs);
    spec.timeout = std::chrono::milliseconds(limit <= 0 ? kDefaultExecMs : std::min(limit, kMaxExecMs));
    runCommand(m_loop, sandbox, std::move(spec), [reply](const Result<CommandResult> &result) {
        if (result)
            sendJson(reply, 200,
                {{"stdout", result->standardOutput}, {"stderr", result->standardError},
                    {"exitCode", result->exitCode}});
        else if (result.error().kind == Error::Kind::NotFound)
            sendError(reply, 400, result.error().message);
        else
            sendError(reply, result.error());
    });
}

void ControlApi::files(const SandboxPtr &sandbox, const HttpRequest &request, bool isList, const ReplyPtr &reply)
{
    const SandboxFiles files(sandbox->homeOnHost(), sandbox->spec().common.folders, sandbox->spec().aliases);
    const auto asked = request.query.find("path");
    const Result<Json> body = request.method == "GET" ? Result<Json>(Json::object()) : bodyObject(request);
    if (!body) {
        sendError(reply, body.error());
        return;
    }
    const std::string path =
        request.method == "GET" ? (asked == request.query.end() ? "" : asked->second) : stringOr(*body, "path", "");
    if (request.method == "GET" && isList) {
        const Result<std::vector<FileEntry>> entries = files.list(path);
        entries ? sendFiles(*entries, reply) : sendError(reply, entries.error());
    } else if (request.method == "GET") {
        Result<std::string> bytes = files.read(path);
        bytes ? reply->send(200, "application/octet-stream", bytes.take()) : sendError(reply, bytes.error());
    } else if (request.method == "POST" && !isList) {
        const Result<> written = memberOrNull(*body, "content").is_string()
            ? files.write(path, stringOr(*body, "content", ""))
            : Result<>(missingMember("content"));
        written ? sendJson(reply, 200, {{"path", path}}) : sendError(reply, written.error());
    } else if (request.method == "DELETE" && !isList) {
        const Result<> removed = files.remove(path);
        removed ? sendNothing(reply) : sendError(reply, removed.error());
    } else {
        refuseMethod(reply);
    }
}

} // namespace sandfish
