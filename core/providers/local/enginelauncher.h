#pragma once

#include "core/net/httpclient.h"
#include "core/providers/lizard/endpointsource.h"
#include "core/providers/local/enginefile.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QStringList>
#include <QTimer>

#include <memory>
#include <vector>

namespace sandfish {

/// Finds the local engine that runs, or starts one that outlives this program. Never blocks. Thread: GUI.
///
/// The order: engine.json of the state directory → `GET /v1/engine` with its key → the version → otherwise start
/// `sandfishd` and wait for its ready line, at most \ref Options::startTimeout.
class EngineLauncher : public EndpointSource
{
    Q_OBJECT
public:
    struct Options
    {
        QString stateDir;      ///< empty: the default one
        QString program;       ///< empty: "sandfishd" beside this program, or in PATH
        QStringList arguments; ///< further ones, such as {"--port", "8123"}
        std::string version;   ///< empty: this program's; another minor version is refused
        std::chrono::milliseconds startTimeout{10000};
        bool startsEngine = true; ///< false: only looks for one that runs
    };

    explicit EngineLauncher(Options options, QObject *parent = nullptr);
    ~EngineLauncher() override;

    Request find(QObject *receiver, Done<LizardEndpoint> done) override;
    bool canRecover() const override { return m_options.startsEngine; }
    void forget() override { m_found.reset(); }
    /// Of the engine found last; empty before.
    const std::optional<EngineFile> &found() const { return m_found; }
    QString stateDir() const { return m_options.stateDir; }

private:
    enum class State
    {
        Idle,
        Checking, ///< asks the daemon that engine.json names
        Starting, ///< waits for the ready line
        Lost      ///< another daemon was quicker: its engine.json is awaited
    };

    void advance();
    void check(const EngineFile &file);
    void takeAnswer(const EngineFile &file, const Result<Json> &answer);
    void startProcess();
    QString findProgram() const;
    void takeReadyLine(const QByteArray &line);
    void processEnded(int exitCode);
    void expire();
    void settle(const Result<EngineFile> &result);
    Error startError(const QString &cause) const;
    QString lastLogLine() const;
    QString logPath() const { return m_options.stateDir + QStringLiteral("/engine.log"); }

    Options m_options;
    HttpClient m_http;
    State m_state = State::Idle;
    std::optional<EngineFile> m_found;
    std::vector<Completion<LizardEndpoint>> m_waiting;
    std::unique_ptr<QProcess> m_process;
    QElapsedTimer m_sinceStart;
    QTimer m_timeout;
};

} // namespace sandfish
