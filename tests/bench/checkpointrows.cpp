#include "core/base/json.h"
#include "tests/bench/enginehost.h"
#include "tests/bench/processes.h"
#include "tests/bench/waiting.h"

#include <fstream>
#include <vector>

using namespace std::chrono_literals;

namespace sandfish::bench {
namespace {

// pandas is not everywhere; what is there is loaded, and named in the note.
constexpr char kImports[] = "import importlib\n"
                            "for name in ('numpy', 'pandas', 'matplotlib.pyplot'):\n"
                            "    try: importlib.import_module(name)\n"
                            "    except ImportError: print(name)\n";
constexpr char kUse[] = "import sys\n"
                        "import matplotlib.pyplot\n"
                        "if 'pandas' in sys.modules: import pandas\n1";

struct Client
{
    explicit Client(EngineHost &engineHost)
        : host(engineHost)
        , connection(host.port())
    {
    }

    std::string makeContext()
    {
        connection.send("POST", host.codePath("/contexts"), R"({"language": "python"})");
        const Result<Json> answer = parseJsonObject(connection.rest());
        return answer ? stringOr(*answer, "id", "") : "";
    }
    Run run(const std::string &context, const std::string &code, const char *checkpoint = "auto")
    {
        return execute(connection, host,
            dumpJson({{"code", code}, {"context_id", context},
                {"sandfish", {{"dialect", "full"}, {"checkpoint", checkpoint}}}}));
    }
    /// The answer of a path below a context's; null when it is refused.
    Json post(const std::string &context, const std::string &path, const Json &body = Json::object())
    {
        connection.send("POST", host.codePath("/contexts/") + context + path, dumpJson(body));
        const Result<Json> answer = parseJsonObject(connection.rest());
        return answer && connection.status() < 300 ? *answer : Json();
    }

    EngineHost &host;
    CodeConnection connection;
};

int countNamed(qint64 root, const std::string &name)
{
    int count = 0;
    for (pid_t pid : processTree(pid_t(root))) {
        std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
        std::string found;
        std::getline(file, found);
        count += found == name ? 1 : 0;
    }
    return count;
}

void runCheckpoint(Report &report, const std::string &setUp)
{
    EngineHost host;
    if (!host.isReady(report))
        return;
    Client client(host);
    const std::string context = client.makeContext();
    client.run(context, setUp, "off");
    const double before = proportionalMib(processTree(pid_t(host.pid())));
    for (int i = 0; i < repetitions(20); ++i) {
        const double start = nowMs();
        if (client.post(context, "/checkpoints").is_null())
            return report.fail("no checkpoint was made");
        report.add("checkpoint", "ms", nowMs() - start);
        const Run without = client.run(context, "i = 1", "off");
        const Run with = client.run(context, "i = 1", "auto");
        report.add("cell without one", "ms", without.endMs);
        report.add("cell with one", "ms", with.endMs);
    }
    const int kept = countNamed(host.pid(), "sandfish-holder");
    report.add(
        "memory of one kept", "MiB", (proportionalMib(processTree(pid_t(host.pid()))) - before) / std::max(1, kept));
}

void runRewind(Report &report, const std::string &setUp)
{
    EngineHost host;
    if (!host.isReady(report))
        return;
    Client client(host);
    const std::string context = client.makeContext();
    client.run(context, setUp, "off");
    const Json checkpoint = client.post(context, "/checkpoints", {{"pinned", true}});
    if (checkpoint.is_null())
        return report.fail("no checkpoint was made");
    for (int i = 0; i < repetitions(10); ++i) {
        const double start = nowMs();
        const Json rewound = client.post(context, "/rewind", {{"checkpoint", checkpoint["id"]}});
        const double ready = nowMs();
        const Run value = client.run(context, "state", "off");
        if (rewound.is_null() || value.hasError)
            return report.fail("the state did not come back");
        report.add("rewound and ready", "ms", ready - start);
        const double asked = nowMs();
        const Json branch = client.post(context, "/branch", {{"checkpoint", checkpoint["id"]}});
        report.add("branch ready", "ms", nowMs() - asked);
        client.connection.send("DELETE", host.codePath("/contexts/") + stringOr(branch, "id", ""), "");
        client.connection.rest();
    }
}

void runWarmContext(Report &report)
{
    EngineHost host;
    if (!host.isReady(report))
        return;
    Client client(host);
    const std::string first = client.makeContext();
    const double cold = nowMs();
    client.run(first, kImports, "off");
    client.run(first, kUse, "off");
    report.add("without a zygote", "ms", nowMs() - cold);
    if (!waitUntil([&] { return countNamed(host.pid(), "sandfish-zygote") > 0; }, 30s))
        return report.fail("there was no zygote");
    rest(2s);
    for (int i = 0; i < repetitions(15); ++i) {
        const double start = nowMs();
        const std::string context = client.makeContext();
        const Run run = client.run(context, kUse, "off");
        if (run.hasError || run.firstMs == 0)
            return report.fail("the new context did not give a value");
        report.add("first value", "ms", nowMs() - start);
    }
}

void runIdleSandboxes(Report &report)
{
    EngineHost host;
    if (!host.isReady(report))
        return;
    const double before = proportionalMib(processTree(pid_t(host.pid())));
    constexpr int kSandboxes = 50;
    for (int i = 1; i < kSandboxes; ++i) {
        if (host.engine().create().id.isEmpty())
            return report.fail("a sandbox could not be made");
    }
    rest(3s);
    const double young = proportionalMib(processTree(pid_t(host.pid())));
    report.add("just made", "MiB", young);
    report.add("each", "MiB", (young - before) / (kSandboxes - 1));
    rest(75s);
    report.add("idle", "MiB", proportionalMib(processTree(pid_t(host.pid()))));
}

} // namespace

std::vector<Row> checkpointRows()
{
    const auto with = [](auto run, auto... values) { return [=](Report &report) { run(report, values...); }; };
    const std::string imports = std::string(kImports) + "state = 1";
    const std::string arrays = "import numpy\nstate = 1\nlarge = [numpy.ones(25_000_000) for _ in range(10)]";
    return {
        {"checkpoint-empty", "keeping the state of a small notebook", with(runCheckpoint, std::string("state = 1"))},
        {"checkpoint-packages", "the same with pandas and pyplot loaded", with(runCheckpoint, imports)},
        {"rewind-packages", "back to a state with pandas and pyplot loaded, and a branch of it",
            with(runRewind, imports)},
        {"rewind-arrays", "the same with 2 GB of arrays", with(runRewind, arrays)},
        {"context-warm", "a new context that has pandas and pyplot", runWarmContext},
        {"memory-idle", "PSS of the daemon with 50 sandboxes that do nothing", runIdleSandboxes}};
}

} // namespace sandfish::bench
