#pragma once

#include "app/cli/commandline.h"
#include "app/cli/console.h"

#include <QObject>

namespace sandfish {

/// What the program ends with; also in `sandfish-cli --help`.
namespace ExitStatus {
inline constexpr int kOk = 0;
inline constexpr int kCodeFailed = 1; ///< the code that ran raised an error, ran out of time or crashed
inline constexpr int kUsage = 2;      ///< wrong options
inline constexpr int kFailed = 3;     ///< a file, the engine or a service could not do its part
inline constexpr int kInterrupted = 130;
inline constexpr int kReaderLeft = 141;
} // namespace ExitStatus

/// One command at work. Thread: the main one.
class Command : public QObject
{
    Q_OBJECT
public:
    Command(Arguments arguments, Console &console)
        : m_arguments(std::move(arguments))
        , m_console(console)
    {
    }

    /// Called once, from the event loop.
    virtual void start() = 0;
    /// Ctrl+C.
    virtual void interrupt() { leave(ExitStatus::kInterrupted); }
    /// Ctrl+C again, SIGTERM, or nobody reads the output any more: end soon, with \a exitStatus.
    virtual void leave(int exitStatus) { finish(exitStatus); }

signals:
    void finished(int exitStatus);

protected:
    const Arguments &arguments() const { return m_arguments; }
    Console &console() const { return m_console; }
    bool writesJson() const { return m_arguments.isSet(QStringLiteral("json")); }

    /// Later calls are ignored.
    void finish(int exitStatus);
    /// One sentence on standard error, and with --json an object on standard output. Wrong options end with kUsage.
    void fail(const Error &error, int exitStatus = ExitStatus::kFailed);
    void failUsage(const Error &error);

private:
    Arguments m_arguments;
    Console &m_console;
    bool m_isFinished = false;
};

} // namespace sandfish
