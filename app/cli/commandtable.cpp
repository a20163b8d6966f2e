#include "app/cli/commandtable.h"

#include "app/cli/command.h"
#include "app/cli/commands/engine.h"
#include "app/cli/commands/exec.h"
#include "app/cli/commands/run.h"
#include "app/cli/commands/sandbox.h"

#include <algorithm>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;

QList<CommandSpec> makeTable()
{
    QList<CommandSpec> table{RunCommand::spec(), ExecCommand::spec(), SandboxListCommand::spec(),
        SandboxCreateCommand::spec(), SandboxActCommand::spec(SandboxActCommand::Act::Pause),
        SandboxActCommand::spec(SandboxActCommand::Act::Resume), SandboxActCommand::spec(SandboxActCommand::Act::Kill),
        EngineStatusCommand::spec(EngineStatusCommand::Missing::IsTold),
        EngineStatusCommand::spec(EngineStatusCommand::Missing::IsStarted), EngineStopCommand::spec()};
    for (CommandSpec &spec : table) {
        spec.options.append({{u"json"_s}, {}, u"Write JSON for programs on standard output."_s});
        spec.options.append({{u"h"_s, u"help"_s}, {}, u"Show this text."_s});
    }
    return table;
}

} // namespace

const QList<CommandSpec> &commandTable()
{
    static const QList<CommandSpec> table = makeTable();
    return table;
}

const CommandSpec *findCommand(const QStringList &words)
{
    const QString two = words.mid(0, 2).join(u' ');
    const auto isNamed = [&](const CommandSpec &spec) { return spec.name == words.value(0) || spec.name == two; };
    const auto it = std::find_if(commandTable().begin(), commandTable().end(), isNamed);
    return it == commandTable().end() ? nullptr : &*it;
}

bool isCommandGroup(const QString &word)
{
    return std::any_of(commandTable().begin(), commandTable().end(),
        [&](const CommandSpec &spec) { return spec.name.startsWith(word + u' '); });
}

} // namespace sandfish
