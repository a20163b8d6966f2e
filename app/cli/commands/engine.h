#pragma once

#include "app/cli/command.h"
#include "core/net/httpclient.h"
#include "core/providers/local/enginelauncher.h"

#include <QElapsedTimer>
#include <QTimer>

namespace sandfish {

/// `engine start` and `engine status`: finds the engine of this computer, and what it says of itself.
class EngineStatusCommand : public Command
{
    Q_OBJECT
public:
    enum class Missing
    {
        IsStarted,
        IsTold
    };
    EngineStatusCommand(Missing missing, Arguments arguments, Console &console);
    static CommandSpec spec(Missing missing);

    void start() override;

private:
    void describe(const Json &description);

    Missing m_missing;
    EngineLauncher m_launcher;
    HttpClient m_http;
};

/// `engine stop`: ends the engine whatever its version, also when it does not answer any more.
class EngineStopCommand : public Command
{
    Q_OBJECT
public:
    using Command::Command;
    static CommandSpec spec();

    void start() override;

private:
    void takeAnswer(const Result<HttpAnswer> &answer);
    void look();
    bool runs() const;
    void conclude(const QString &text);

    EngineFile m_file;
    HttpClient m_http;
    QTimer m_look;
    QElapsedTimer m_age;
    bool m_hasKilled = false;
};

} // namespace sandfish
