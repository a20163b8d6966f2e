#include "core/engine/daytonasearch.h"

#include "core/engine/commandrun.h"
#include "core/engine/mountplan.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

namespace sandfish {
namespace {

constexpr std::chrono::seconds kSearchLimit(60);

std::string ownerName(unsigned id, unsigned own)
{
    return id == own ? "user" : id == 0 ? "root" : std::to_string(id);
}

/// As `ls -l` writes it.
std::string modeText(unsigned mode)
{
    std::string text = S_ISDIR(mode) ? "d" : S_ISLNK(mode) ? "L" : "-";
    for (int shift : {6, 3, 0}) {
        const unsigned bits = mode >> shift;
        text += bits & 4 ? 'r' : '-';
        text += bits & 2 ? 'w' : '-';
        text += bits & 1 ? 'x' : '-';
    }
    return text;
}

std::string_view fileErrorCode(const Error &error)
{
    switch (error.kind) {
    case Error::Kind::NotFound:
        return "FILE_NOT_FOUND";
    case Error::Kind::Forbidden:
        return "FILE_ACCESS_DENIED";
    case Error::Kind::BadRequest:
        return "INVALID_FILE_PATH";
    case Error::Kind::Io:
        return "FILE_READ_FAILED";
    default:
        return {};
    }
}

using SearchDone = std::function<void(const CommandResult &)>;

/// Runs a search; \a done gets its output. \a worst is the highest exit code that is a result.
void runSearch(EventLoop &loop, const std::shared_ptr<LocalSandbox> &sandbox, const DaytonaCall &call,
    std::vector<std::string> arguments, int worst, SearchDone done)
{
    CommandSpec spec;
    spec.arguments = std::move(arguments);
    spec.workingDirectory = kSandboxHome;
    spec.environment = {{"LC_ALL", "C"}};
    spec.timeout = kSearchLimit;
    runCommand(
        loop, sandbox, std::move(spec), [call, worst, done = std::move(done)](const Result<CommandResult> &result) {
            const bool isMissing = result && result->exitCode > worst && result->standardOutput.empty();
            if (!result)
                sendDaytonaError(call, result.error());
            else if (isMissing && result->standardError.find("No such file") != std::string::npos)
                sendDaytonaFileError(call, {Error::Kind::NotFound, call.query("path") + " does not exist."});
            else if (isMissing)
                sendDaytonaError(call, 400, result->standardError);
            else
                done(*result);
        });
}

/// Kind::BadRequest for what no process can be given; else the two words of the query.
Result<std::pair<std::string, std::string>> searchWords(const DaytonaCall &call, const LocalSandbox &sandbox)
{
    std::pair<std::string, std::string> words{call.query("path"), call.query("pattern")};
    if (words.first.empty() || words.second.empty())
        return Error{Error::Kind::BadRequest, "path and pattern are required"};
    if ((words.first + words.second).find('\0') != std::string::npos)
        return Error{Error::Kind::BadRequest, "path and pattern must not hold NUL"};
    words.first = sandbox.insidePath(words.first);
    return words;
}

/// `file NUL line : content LF`, again and again.
Json matchesFrom(std::string_view text)
{
    Json matches = Json::array();
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t nul = line.find('\0');
        const std::size_t colon = nul == std::string_view::npos ? nul : line.find(':', nul);
        if (colon != std::string_view::npos)
            matches.push_back({{"file", line.substr(0, nul)},
                {"line", std::atoi(std::string(line.substr(nul + 1, colon - nul - 1)).c_str())},
                {"content", line.substr(colon + 1)}});
    }
    return matches;
}

} // namespace

Json daytonaFileJson(const FileEntry &entry)
{
    char permissions[8];
    std::snprintf(permissions, sizeof(permissions), "%04o", entry.mode & 07777);
    const std::string modified = isoTime(entry.modifiedAt);
    return {{"name", entry.name}, {"size", entry.sizeBytes}, {"mode", modeText(entry.mode)}, {"modTime", modified},
        {"modifiedAt", modified}, {"isDir", entry.isFolder}, {"owner", ownerName(entry.owner, ::getuid())},
        {"group", ownerName(entry.group, ::getgid())}, {"permissions", permissions}};
}

void sendDaytonaFileError(const DaytonaCall &call, const Error &error)
{
    sendDaytonaError(call, httpStatusOf(error), error.message, fileErrorCode(error));
}

Json daytonaFileErrorJson(const Error &error)
{
    return {{"statusCode", httpStatusOf(error)}, {"message", error.message}, {"code", fileErrorCode(error)},
        {"source", "DAYTONA_DAEMON"}};
}

void daytonaFindText(EventLoop &loop, const std::shared_ptr<LocalSandbox> &sandbox, const DaytonaCall &call)
{
    const auto words = searchWords(call, *sandbox);
    if (!words) {
        sendDaytonaError(call, words.error());
        return;
    }
    runSearch(loop, sandbox, call, {"/usr/bin/env", "grep", "-rnHIFZ", "-e", words->second, "--", words->first}, 1,
        [call](const CommandResult &result) { sendJson(call.reply, 200, matchesFrom(result.standardOutput)); });
}

void daytonaSearchNames(EventLoop &loop, const std::shared_ptr<LocalSandbox> &sandbox, const DaytonaCall &call)
{
    const auto words = searchWords(call, *sandbox);
    if (!words) {
        sendDaytonaError(call, words.error());
        return;
    }
    runSearch(loop, sandbox, call, {"/usr/bin/env", "find", words->first, "-name", words->second, "-print0"}, 0,
        [call](const CommandResult &result) {
            Json files = Json::array();
            std::string_view text = result.standardOutput;
            while (text.find('\0') != std::string_view::npos) {
                files.push_back(text.substr(0, text.find('\0')));
                text.remove_prefix(text.find('\0') + 1);
            }
            sendJson(call.reply, 200, {{"files", std::move(files)}});
        });
}

std::string replacedText(std::string_view text, std::string_view pattern, std::string_view replacement)
{
    std::string out;
    while (true) {
        const std::size_t at = text.find(pattern);
        out.append(text.substr(0, at));
        if (at == std::string_view::npos)
            return out;
        out.append(replacement);
        text.remove_prefix(at + pattern.size());
    }
}

} // namespace sandfish
