#include "app/cli/command.h"

#include "core/base/json.h"

namespace sandfish {

void Command::finish(int exitStatus)
{
    if (!std::exchange(m_isFinished, true))
        emit finished(exitStatus);
}

void Command::fail(const Error &error, int exitStatus)
{
    if (m_isFinished)
        return;
    if (writesJson()) {
        const Json object{{"type", "end"}, {"status", "failed"}, {"exitStatus", exitStatus},
            {"error", {{"kind", errorKindName(error.kind)}, {"message", error.message}}}};
        m_console.write(Console::Channel::Out, dumpJson(object) + '\n');
    }
    m_console.tell(QString::fromStdString(error.message));
    finish(exitStatus);
}

void Command::failUsage(const Error &error)
{
    if (m_isFinished)
        return;
    m_console.tell(QString::fromStdString(error.message));
    finish(ExitStatus::kUsage);
}

} // namespace sandfish
