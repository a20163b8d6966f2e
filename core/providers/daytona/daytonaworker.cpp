#include "core/providers/daytona/daytonaworker.h"

#include <algorithm>
#include <cctype>

namespace sandfish::Daytona {
namespace {

constexpr char kWorkerCode[] = R"py(def _sandfish():
    import builtins, json, os, platform
    def no_input(prompt=''):
        raise EOFError('Daytona cannot ask for input.')
    builtins.input = no_input
    with open('/proc/self/stat') as stat:
        started = stat.read().rsplit(')', 1)[1].split()[19]
    print(json.dumps({'pid': os.getpid(), 'started': started, 'version': platform.python_version()}))
try:
    _sandfish()
finally:
    del _sandfish
)py";

// After "PID (name) " the fields 3, 4… of stat are left, so that the start time is the twentieth.
constexpr char kInterruptScript[] = R"sh(s=$(cat /proc/PID/stat 2>/dev/null) || exit 3
set -- ${s##*) }
[ "${20}" = START ] || exit 3
kill -INT PID
)sh";

constexpr int kCommandSeconds = 5;

std::string replaced(std::string text, std::string_view word, const std::string &with)
{
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + with.size()))
        text.replace(at, word.size(), with);
    return text;
}

} // namespace

std::string workerCode()
{
    return kWorkerCode;
}

std::optional<Worker> parseWorker(const std::string &printed)
{
    const Result<Json> object = parseJsonObject(printed);
    if (!object)
        return std::nullopt;
    Worker worker{integerOr(*object, "pid", 0), stringOr(*object, "started", ""), stringOr(*object, "version", "")};
    const bool isNumber = !worker.startTime.empty()
        && std::all_of(
            worker.startTime.begin(), worker.startTime.end(), [](unsigned char c) { return std::isdigit(c); });
    // The text comes from the sandbox and goes into a command line.
    return worker.pid > 1 && isNumber ? std::optional(worker) : std::nullopt;
}

std::string interruptBody(const Worker &worker)
{
    const std::string script =
        replaced(replaced(kInterruptScript, "PID", std::to_string(worker.pid)), "START", worker.startTime);
    return dumpJson({{"command", script}, {"timeout", kCommandSeconds}});
}

} // namespace sandfish::Daytona
