#include "core/providers/local/enginefile.h"
#include "tests/bench/bench.h"
#include "tests/bench/benchwindow.h"
#include "tests/bench/processes.h"
#include "tests/bench/waiting.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace sandfish::bench {
namespace {

/// A program with folders of its own, and the time until it says something.
class TimedProgram
{
public:
    TimedProgram(const QString &folder, const QString &name, const QStringList &arguments = {})
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const QString &variable :
            {u"XDG_STATE_HOME"_s, u"XDG_CONFIG_HOME"_s, u"XDG_CACHE_HOME"_s, u"XDG_RUNTIME_DIR"_s})
            environment.insert(variable, folder);
        environment.insert(u"QT_LOGGING_RULES"_s, u"sandfish.ui.debug=true"_s);
        environment.insert(u"QT_FORCE_STDERR_LOGGING"_s, u"1"_s);
        m_process.setProcessEnvironment(environment);
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_start = nowMs();
        m_process.start(QCoreApplication::applicationDirPath() + u'/' + name, arguments);
    }
    ~TimedProgram()
    {
        m_process.kill();
        waitUntil([this] { return m_process.state() == QProcess::NotRunning; }, 10s);
    }

    /// 0 if it never says it.
    double untilItSays(const QByteArray &words)
    {
        double at = 0;
        QObject guard;
        QObject::connect(&m_process, &QProcess::readyRead, &guard, [&] {
            m_output += m_process.readAll();
            if (at == 0 && m_output.contains(words))
                at = nowMs() - m_start;
        });
        waitUntil([&] { return at > 0 || m_process.state() == QProcess::NotRunning; }, 30s);
        return at;
    }
    pid_t pid() const { return pid_t(m_process.processId()); }

private:
    QProcess m_process;
    QByteArray m_output;
    double m_start;
};

struct Application
{
    int argc = 0;
    QCoreApplication application{argc, nullptr};
    QTemporaryDir folder;
    QString engine() const { return BenchWindow::engineStateDir(folder.path()); }
};

// Both in turn, so that noise hits both alike. The first start of each only warms the disk up.
void runWindow(Report &report)
{
    Application own;
    for (int i = 0; i <= repetitions(20); ++i) {
        const double bare = TimedProgram(own.folder.path(), u"sandfish-bench-bare"_s).untilItSays("first frame");
        const double ours = TimedProgram(own.folder.path(), u"sandfish"_s).untilItSays("first frame");
        stopEngine(own.engine());
        if (bare == 0 || ours == 0)
            return report.fail("a window was never painted");
        if (i == 0)
            continue;
        report.add("Sandfish", "ms", ours);
        report.add("bare Qt window", "ms", bare);
        report.add("ratio", "x", ours / bare);
    }
}

void runFirstResult(Report &report)
{
    Application own;
    const auto once = [&own] {
        return TimedProgram(own.folder.path(), u"sandfish-bench"_s, {u"--child"_s, u"first-result"_s})
            .untilItSays("first result");
    };
    for (int i = 0; i <= repetitions(10); ++i) {
        const double cold = once();
        const double warm = once();
        stopEngine(own.engine());
        if (cold == 0 || warm == 0)
            return report.fail("the value was never painted");
        if (i == 0)
            continue;
        report.add("engine not running", "ms", cold);
        report.add("engine running", "ms", warm);
    }
}

void runMemory(Report &report)
{
    Application own;
    for (int i = 0; i < repetitions(3); ++i) {
        TimedProgram window(own.folder.path(), u"sandfish-bench"_s, {u"--child"_s, u"first-result"_s});
        if (window.untilItSays("first result") == 0)
            return report.fail("the window did not start");
        rest(2s);
        const auto engine = readEngineFile(own.engine());
        const double windowMib = proportionalMib({window.pid()});
        const double engineMib = engine && *engine ? proportionalMib(processTree(pid_t((*engine)->pid))) : 0;
        report.add("window", "MiB", windowMib);
        report.add("engine with a live Python", "MiB", engineMib);
        report.add("together", "MiB", windowMib + engineMib);
        stopEngine(own.engine());
    }
}

} // namespace

std::vector<Row> startRows()
{
    return {{"start-window", "cold start to the first painted frame, beside a bare Qt window", runWindow},
        {"start-result", "cold start of window and engine to the first Python value painted", runFirstResult},
        {"memory-empty", "PSS of an empty notebook with a live Python", runMemory}};
}

} // namespace sandfish::bench
