#include "core/engine/daytonafiles.h"

#include "core/engine/daytonamultipart.h"
#include "core/engine/daytonasearch.h"

#include <algorithm>
#include <cstdlib>

namespace sandfish {
namespace {

constexpr char kDownloadBoundary[] = "DAYTONA-FILE-BOUNDARY";
constexpr std::size_t kMaxDownloadBytes = 512u << 20;
constexpr std::size_t kMaxListed = 10'000;
constexpr unsigned kNewFolderMode = 0755;

void answerFileChange(const DaytonaCall &call, int status, const Result<> &result)
{
    if (!result)
        sendDaytonaFileError(call, result.error());
    else if (status == 204)
        sendNothing(call.reply);
    else
        call.reply->send(status, "", "");
}

/// Kind::BadRequest when \a text is no octal mode; \a fallback where it is empty.
Result<unsigned> modeFrom(const std::string &text, unsigned fallback)
{
    char *end = nullptr;
    const unsigned long mode = text.empty() ? fallback : std::strtoul(text.c_str(), &end, 8);
    if (mode > 07777 || (end && *end != '\0'))
        return Error{Error::Kind::BadRequest, "mode must be an octal number such as 755"};
    return static_cast<unsigned>(mode);
}

/// Everything below \a path down to \a depth levels; a folder that cannot be read is left out. Nothing beyond the
/// bound.
void addBelow(const SandboxFiles &files, const std::string &path, int depth, Json &list)
{
    const Result<std::vector<FileEntry>> entries = files.list(path);
    if (!entries)
        return;
    for (const FileEntry &entry : *entries) {
        if (list.size() >= kMaxListed)
            return;
        Json json = daytonaFileJson(entry);
        json["path"] = entry.path;
        list.push_back(std::move(json));
        if (entry.isFolder && depth > 1)
            addBelow(files, entry.path, depth - 1, list);
    }
}

} // namespace

DaytonaFiles::DaytonaFiles(EventLoop &loop, std::shared_ptr<LocalSandbox> sandbox)
    : m_loop(loop)
    , m_sandbox(std::move(sandbox))
    , m_files(m_sandbox->homeOnHost(), m_sandbox->spec().common.folders, m_sandbox->spec().aliases)
{
}

void DaytonaFiles::handle(const DaytonaCall &call, const std::vector<std::string> &parts)
{
    const std::string action = parts.size() > 1 ? parts[1] : "";
    const std::string &method = call.request->method;
    const bool isDone = parts.size() <= 2
        && ((method == "GET" && read(call, action)) || (method == "POST" && write(call, action))
            || (method == "DELETE" && action.empty() && (remove(call), true)));
    if (!isDone)
        sendDaytonaError(call, 404, "Not Found");
}

bool DaytonaFiles::read(const DaytonaCall &call, const std::string &action) const
{
    if (action.empty()) {
        list(call);
    } else if (action == "download") {
        download(call);
    } else if (action == "info") {
        const Result<FileEntry> entry = m_files.status(call.query("path"));
        entry ? sendJson(call.reply, 200, daytonaFileJson(*entry)) : sendDaytonaFileError(call, entry.error());
    } else if (action == "find") {
        daytonaFindText(m_loop, m_sandbox, call);
    } else if (action == "search") {
        daytonaSearchNames(m_loop, m_sandbox, call);
    } else {
        return false;
    }
    return true;
}

bool DaytonaFiles::write(const DaytonaCall &call, const std::string &action) const
{
    if (action == "folder") {
        const Result<unsigned> mode = modeFrom(call.query("mode"), kNewFolderMode);
        answerFileChange(call, 201, mode ? m_files.makeFolder(call.query("path"), *mode) : Result<>(mode.error()));
    } else if (action == "move") {
        answerFileChange(call, 200, m_files.move(call.query("source"), call.query("destination")));
    } else if (action == "permissions") {
        setPermissions(call);
    } else if (action == "upload" || action == "upload-v2") {
        upload(call);
    } else if (action == "bulk-upload") {
        bulkUpload(call);
    } else if (action == "bulk-download") {
        bulkDownload(call);
    } else if (action == "replace") {
        replace(call);
    } else {
        return false;
    }
    return true;
}

void DaytonaFiles::list(const DaytonaCall &call) const
{
    const std::string path = call.query("path").empty() ? "." : call.query("path");
    const std::string depth = call.query("depth");
    const Result<std::vector<FileEntry>> entries = m_files.list(path);
    if (!entries) {
        sendDaytonaFileError(call, entries.error());
        return;
    }
    Json list = Json::array();
    if (depth.empty()) {
        for (const FileEntry &entry : *entries)
            list.push_back(daytonaFileJson(entry));
    } else {
        addBelow(m_files, path, std::clamp(std::atoi(depth.c_str()), 1, 64), list);
    }
    sendJson(call.reply, 200, list);
}

void DaytonaFiles::download(const DaytonaCall &call) const
{
    Result<std::string> bytes = m_files.read(call.query("path"));
    if (bytes)
        call.reply->send(200, "application/octet-stream", bytes.take());
    else
        sendDaytonaFileError(call, bytes.error());
}

void DaytonaFiles::bulkDownload(const DaytonaCall &call) const
{
    const Result<Json> body = bodyObject(*call.request);
    const Json none;
    const Json &paths = memberOrNull(body ? *body : none, "paths");
    if (!paths.is_array() || paths.empty()) {
        sendDaytonaError(call, 400, "paths must be a list of strings");
        return;
    }
    MultipartWriter writer(kDownloadBoundary);
    for (const Json &path : paths) {
        const std::string name = path.is_string() ? path.get<std::string>() : "";
        Result<std::string> bytes = m_files.read(name);
        if (bytes && writer.size() + bytes->size() > kMaxDownloadBytes)
            bytes =
                Error{Error::Kind::TooLarge, name + " would make the answer larger than 512 MiB. Ask for it alone."};
        if (bytes)
            writer.add("file", name, "application/octet-stream", *bytes);
        else
            writer.add("error", name, "application/json", dumpJson(daytonaFileErrorJson(bytes.error())));
    }
    call.reply->send(200, writer.contentType(), writer.take());
}

void DaytonaFiles::upload(const DaytonaCall &call) const
{
    const std::string type = call.request->header("content-type");
    Result<> written;
    if (type.starts_with("multipart/")) {
        const Result<std::vector<MultipartPart>> parts = parseMultipart(call.request->body, type);
        if (!parts)
            written = parts.error();
        else if (parts->empty())
            written = Error{Error::Kind::BadRequest, "The part \"file\" is missing"};
        else
            written = m_files.write(call.query("path"), parts->front().bytes);
    } else {
        written = m_files.write(call.query("path"), call.request->body);
    }
    answerFileChange(call, 200, written);
}

void DaytonaFiles::bulkUpload(const DaytonaCall &call) const
{
    const Result<std::vector<MultipartPart>> parts =
        parseMultipart(call.request->body, call.request->header("content-type"));
    if (!parts) {
        sendDaytonaFileError(call, parts.error());
        return;
    }
    std::map<std::string, std::string> paths; // by the beginning that both parts of a file have
    Json files = Json::array();
    Json errors = Json::array();
    for (const MultipartPart &part : *parts) {
        const std::size_t dot = part.name.rfind('.');
        const std::string key = part.name.substr(0, dot);
        if (part.name.ends_with(".path")) {
            paths[key] = std::string(part.bytes);
        } else if (part.name.ends_with(".file")) {
            const Result<> written = m_files.write(paths[key], part.bytes);
            if (written)
                files.push_back({{"path", paths[key]}, {"bytes", part.bytes.size()}});
            else
                errors.push_back(part.name + ": " + written.error().message);
        }
    }
    if (errors.empty())
        sendJson(call.reply, 200, {{"files", std::move(files)}});
    else
        sendJson(call.reply, 400, {{"errors", std::move(errors)}, {"files", std::move(files)}});
}

void DaytonaFiles::remove(const DaytonaCall &call) const
{
    const std::string path = call.query("path");
    const Result<FileEntry> entry = m_files.status(path);
    if (entry && entry->isFolder && call.query("recursive") != "true") {
        sendDaytonaError(call, 400, path + " is a folder. Delete it with recursive=true.");
        return;
    }
    answerFileChange(call, 204, m_files.remove(path));
}

void DaytonaFiles::setPermissions(const DaytonaCall &call) const
{
    const std::string path = call.query("path");
    const Result<FileEntry> entry = m_files.status(path);
    if (!entry) {
        sendDaytonaFileError(call, entry.error());
        return;
    }
    const Json now = daytonaFileJson(*entry);
    for (const char *name : {"owner", "group"}) {
        const std::string wanted = call.query(name);
        if (!wanted.empty() && now[name] != wanted) {
            sendDaytonaError(call, 403, "The sandbox's user may not give files to another " + std::string(name));
            return;
        }
    }
    const Result<unsigned> mode = modeFrom(call.query("mode"), entry->mode & 07777);
    answerFileChange(call, 200, mode ? m_files.setMode(path, *mode) : Result<>(mode.error()));
}

void DaytonaFiles::replace(const DaytonaCall &call) const
{
    const Result<Json> body = bodyObject(*call.request);
    const std::string pattern = body ? stringOr(*body, "pattern", "") : "";
    if (pattern.empty() || !memberOrNull(*body, "files").is_array() || !memberOrNull(*body, "newValue").is_string()) {
        sendDaytonaError(call, 400, "files, pattern and newValue are required");
        return;
    }
    Json results = Json::array();
    for (const Json &file : (*body)["files"]) {
        const std::string path = file.is_string() ? file.get<std::string>() : "";
        Result<std::string> text = m_files.read(path);
        Result<> done = text ? Result<>() : Result<>(text.error());
        if (text && text->find(pattern) != std::string::npos)
            done = m_files.write(path, replacedText(*text, pattern, stringOr(*body, "newValue", "")));
        results.push_back({{"file", path}, {"success", done.isOk()}});
        if (!done)
            results.back()["error"] = done.error().message;
    }
    sendJson(call.reply, 200, results);
}

} // namespace sandfish
