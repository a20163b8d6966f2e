#include "core/base/json.h"
#include "tests/bench/enginehost.h"
#include "tests/bench/processes.h"

namespace sandfish::bench {
namespace {

constexpr int kWarmUpTrips = 20;

void runRoundTrip(Report &report, const std::string &language, const std::string &code)
{
    EngineHost host;
    if (!host.isReady(report))
        return;
    CodeConnection connection(host.port());
    const std::string body = dumpJson({{"code", code}, {"language", language}});
    for (int i = 0; i < kWarmUpTrips; ++i)
        execute(connection, host, body);
    for (int i = 0; i < repetitions(200); ++i) {
        const Run run = execute(connection, host, body);
        if (run.hasError || run.firstMs == 0)
            return report.fail("the code did not give a value");
        report.add("value", "ms", run.firstMs);
        report.add("end of the answer", "ms", run.endMs);
    }
}

void runFirstByte(Report &report)
{
    EngineHost host;
    if (!host.isReady(report))
        return;
    CodeConnection connection(host.port());
    execute(connection, host, fullBody("1+1"));
    for (int i = 0; i < repetitions(5); ++i)
        report.add(
            "first byte", "ms", execute(connection, host, fullBody("print(1); import time; time.sleep(2)")).firstMs);
}

struct NewContext
{
    std::string id;
    double createdMs = 0;
    double resultMs = 0;
};

NewContext makeContext(CodeConnection &connection, const EngineHost &host, const std::string &language)
{
    NewContext context;
    const double start = nowMs();
    connection.send("POST", host.codePath("/contexts"), dumpJson({{"language", language}}));
    const Result<Json> answer = parseJsonObject(connection.rest());
    context.createdMs = nowMs() - start;
    context.id = answer ? stringOr(*answer, "id", "") : "";
    const std::string code = language == "bash" ? "echo $((1+1))" : "1+1";
    const Run run = execute(connection, host, dumpJson({{"code", code}, {"context_id", context.id}}));
    context.resultMs = run.hasError || run.firstMs == 0 ? 0 : nowMs() - start;
    return context;
}

void runContext(Report &report, const std::string &language)
{
    EngineHost host;
    if (!host.isReady(report))
        return;
    CodeConnection connection(host.port());
    const double before = proportionalMib(processTree(pid_t(host.pid())));
    std::vector<NewContext> contexts;
    for (int i = 0; i < repetitions(15); ++i) {
        contexts.push_back(makeContext(connection, host, language));
        if (contexts.back().resultMs == 0)
            return report.fail("the new context did not give a value");
        report.add("created", "ms", contexts.back().createdMs);
        report.add("first result", "ms", contexts.back().resultMs);
    }
    const double growth = proportionalMib(processTree(pid_t(host.pid()))) - before;
    report.add("memory of one", "MiB", growth / double(contexts.size()));
}

void runSandbox(Report &report)
{
    EngineHost host;
    if (!host.isReady(report))
        return;
    for (int i = 0; i < repetitions(10); ++i) {
        const double start = nowMs();
        const EngineSandbox sandbox = host.engine().create();
        const double created = nowMs();
        const EngineItems items = host.engine().run(sandbox, QStringLiteral("1+1"));
        if (items.result() != u"2")
            return report.fail("the new sandbox did not give a value");
        report.add("created", "ms", created - start);
        report.add("first result", "ms", nowMs() - start);
        host.engine().remove(sandbox.path);
    }
}

double answered(CodeConnection &connection, const EngineHost &host, const char *act)
{
    const double start = nowMs();
    connection.send("POST", host.sandbox().path.toStdString() + act, "{}", host.keyHeader());
    connection.rest();
    return connection.status() == 200 ? nowMs() - start : 0;
}

void runPause(Report &report)
{
    EngineHost host;
    if (!host.isReady(report))
        return;
    CodeConnection control(host.port()), code(host.port());
    execute(code, host, fullBody("x = bytearray(50_000_000)"));
    for (int i = 0; i < repetitions(20); ++i) {
        const double paused = answered(control, host, "/pause");
        const double resumed = answered(control, host, "/resume");
        const Run run = execute(code, host, fullBody("len(x)"));
        if (paused == 0 || resumed == 0 || run.hasError || run.firstMs == 0)
            return report.fail("the sandbox did not pause and resume");
        report.add("pause answered", "ms", paused);
        report.add("resume answered", "ms", resumed);
        report.add("first value after resume", "ms", run.firstMs);
    }
}

void runInterrupt(Report &report)
{
    EngineHost host;
    if (!host.isReady(report))
        return;
    CodeConnection code(host.port()), other(host.port());
    execute(code, host, fullBody("1+1"));
    for (int i = 0; i < repetitions(20); ++i) {
        code.send("POST", host.codePath("/execute"), fullBody("print(1)\nwhile True: pass"));
        std::string context;
        std::string_view line;
        while (code.nextLine(line) && line.find("\"stdout\"") == std::string_view::npos) {
            const Result<Json> item = parseJsonObject(line);
            context = item ? stringOr(*item, "context_id", context) : context;
        }
        const double start = nowMs();
        other.send("POST", host.codePath("/contexts/") + context + "/interrupt", "");
        other.rest();
        const double accepted = nowMs() - start;
        const std::string rest = code.rest();
        if (rest.find("\"interrupted\"") == std::string::npos)
            return report.fail("the loop was not interrupted");
        report.add("accepted", "ms", accepted);
        report.add("cell ended", "ms", nowMs() - start);
    }
}

} // namespace

std::vector<Row> engineRows()
{
    const auto with = [](auto run, auto... values) { return [=](Report &report) { run(report, values...); }; };
    return {{"http-python", "1+1 over HTTP on a kept connection, 200 times", with(runRoundTrip, "python", "1+1")},
        {"http-javascript", "the same in JavaScript", with(runRoundTrip, "javascript", "1+1")},
        {"http-bash", "the same in Bash", with(runRoundTrip, "bash", "echo $((1+1))")},
        {"first-byte", "the first output of print(1); import time; time.sleep(2)", runFirstByte},
        {"context-python", "a new context to its first result, and its memory", with(runContext, "python")},
        {"context-javascript", "the same in JavaScript", with(runContext, "javascript")},
        {"context-bash", "the same in Bash", with(runContext, "bash")},
        {"sandbox", "a new sandbox to its first result", runSandbox},
        {"pause", "pause and resume of a sandbox with 50 MB in use", runPause},
        {"interrupt", "an endless loop from the interrupt to the end of the cell", runInterrupt}};
}

} // namespace sandfish::bench
