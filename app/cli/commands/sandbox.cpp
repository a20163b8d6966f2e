#include "app/cli/commands/sandbox.h"

#include "app/cli/sandboxreport.h"
#include "app/cli/service.h"

#include <QFileInfo>

#include <algorithm>
#include <limits>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;
using Act = SandboxActCommand::Act;

struct ActText
{
    QString verb;
    QString summary;
    QString details;
};

ActText textOf(Act act)
{
    switch (act) {
    case Act::Pause:
        return {u"pause"_s, u"Freeze sandboxes; they keep their variables and use no processor."_s,
            u"Every process of the sandbox stands still until it is resumed. A cell that runs goes on then."_s};
    case Act::Resume:
        return {u"resume"_s, u"Let paused or stopped sandboxes go on."_s,
            u"A paused sandbox goes on with its variables. One that was stopped, such as by the end of the engine, "
            u"starts with its files and without variables."_s};
    case Act::Kill:
        break;
    }
    return {u"kill"_s, u"End sandboxes, with their variables and the files of their homes."_s,
        u"Files in folders of yours stay. A sandbox that is gone already is an error, so that a wrong name shows."_s};
}

} // namespace

SandboxCommand::~SandboxCommand() = default;

void SandboxCommand::start()
{
    Result<std::unique_ptr<Provider>> provider = makeService(arguments());
    if (!provider) {
        failUsage(provider.error());
        return;
    }
    m_provider = provider.take();
    ask();
}

void SandboxCommand::finishWith(const std::vector<SandboxInfo> &sandboxes, const QString &text)
{
    if (writesJson()) {
        Json list = Json::array();
        for (const SandboxInfo &sandbox : sandboxes)
            list.push_back(sandboxJson(sandbox));
        console().write(Console::Channel::Out, dumpJson({{"sandboxes", std::move(list)}}) + '\n');
    } else {
        console().write(Console::Channel::Out, text.toStdString());
    }
    finish(ExitStatus::kOk);
}

CommandSpec SandboxListCommand::spec()
{
    CommandSpec spec;
    spec.name = u"sandbox list"_s;
    spec.summary = u"Show the sandboxes there are."_s;
    spec.details = u"Prints a table, or with --json one object whose member sandboxes is a list. Where no sandbox was "
                   u"made yet, the list is empty."_s;
    spec.options = serviceOptions();
    spec.examples = {{u"sandbox list"_s, u"those on this computer"_s},
        {u"sandbox list --json | jq -r '.sandboxes[].id'"_s, u"their ids"_s}};
    spec.make = [](Arguments arguments, Console &console) -> std::unique_ptr<Command> {
        return std::make_unique<SandboxListCommand>(std::move(arguments), console);
    };
    return spec;
}

void SandboxListCommand::ask()
{
    provider().list(this, [this](const Result<std::vector<SandboxInfo>> &sandboxes) {
        if (sandboxes)
            finishWith(*sandboxes, sandboxTable(*sandboxes));
        else
            fail(sandboxes.error());
    });
}

CommandSpec SandboxCreateCommand::spec()
{
    CommandSpec spec;
    spec.name = u"sandbox create"_s;
    spec.summary = u"Make a sandbox and print its id."_s;
    spec.details = u"It runs until `sandbox kill`, or until --timeout is over. Use it with `exec --sandbox` and "
                   u"`run --sandbox`, or open it in the window."_s;
    spec.options =
        QList<OptionSpec>{
            {{u"name"_s}, u"NAME"_s, u"What lists call it; other commands take it in place of the id."_s},
            {{u"folder"_s}, u"DIR"_s, u"A folder of yours that it sees at the same path, to read and write."_s},
            {{u"no-network"_s}, {}, u"It gets no network."_s},
            {{u"timeout"_s}, u"SECONDS"_s, u"When it ends by itself."_s},
        }
        + serviceOptions();
    spec.examples = {{u"sandbox create --name work"_s, u"prints an id such as 5f0c…"_s},
        {u"exec --sandbox work -e 'print(1)'"_s, u"run code in it"_s}};
    spec.make = [](Arguments arguments, Console &console) -> std::unique_ptr<Command> {
        return std::make_unique<SandboxCreateCommand>(std::move(arguments), console);
    };
    return spec;
}

Result<SandboxSpec> SandboxCreateCommand::wanted() const
{
    const Result<std::chrono::milliseconds> timeout = secondsOption(arguments(), u"timeout"_s);
    if (!timeout)
        return timeout.error();
    if (arguments().isSet(u"name"_s) && arguments().value(u"name"_s).trimmed().isEmpty())
        return usageError(u"--name wants a name that is not empty."_s, arguments().command);
    SandboxSpec spec;
    spec.name = arguments().value(u"name"_s).toStdString();
    spec.timeout = *timeout;
    spec.hasNetwork = !arguments().isSet(u"no-network"_s);
    if (arguments().isSet(u"folder"_s)) {
        const QFileInfo folder(arguments().value(u"folder"_s));
        if (!folder.isDir())
            return Error{Error::Kind::NotFound, u"There is no folder “%1”."_s.arg(folder.filePath()).toStdString(), {}};
        spec.folders.push_back({folder.absoluteFilePath().toStdString(), FolderBind::Access::ReadWrite});
    }
    return spec;
}

void SandboxCreateCommand::ask()
{
    const Result<SandboxSpec> spec = wanted();
    if (!spec) {
        if (spec.error().kind == Error::Kind::BadRequest)
            failUsage(spec.error());
        else
            fail(spec.error());
        return;
    }
    m_spec = *spec;
    if (m_spec.name.empty()) {
        create();
        return;
    }
    provider().list(this, [this](const Result<std::vector<SandboxInfo>> &all) {
        const auto isNamesake = [this](const SandboxInfo &sandbox) { return sandbox.name == m_spec.name; };
        if (all && std::any_of(all->begin(), all->end(), isNamesake))
            console().tell(u"There is a sandbox “%1” already; name each of them by its id."_s.arg(
                QString::fromStdString(m_spec.name)));
        create();
    });
}

void SandboxCreateCommand::create()
{
    provider().create(m_spec, this, [this](const Result<SandboxInfo> &sandbox) {
        if (sandbox)
            finishWith({*sandbox}, QString::fromStdString(sandbox->id.value) + u'\n');
        else
            fail(sandbox.error());
    });
}

SandboxActCommand::SandboxActCommand(Act act, Arguments arguments, Console &console)
    : SandboxCommand(std::move(arguments), console)
    , m_act(act)
{
}

CommandSpec SandboxActCommand::spec(Act act)
{
    const ActText text = textOf(act);
    CommandSpec spec;
    spec.name = u"sandbox "_s + text.verb;
    spec.summary = text.summary;
    spec.arguments = u"ID…"_s;
    spec.minArguments = 1;
    spec.maxArguments = std::numeric_limits<qsizetype>::max();
    spec.details = u"An ID may also be the name of a sandbox, or the first letters of an id, if they fit only one. "_s
        + text.details;
    spec.options = serviceOptions();
    spec.examples = {{u"sandbox %1 work"_s.arg(text.verb), u"the one named work"_s},
        {u"sandbox %1 5f0c 91ab --json"_s.arg(text.verb), u"two of them"_s}};
    spec.make = [act](Arguments arguments, Console &console) -> std::unique_ptr<Command> {
        return std::make_unique<SandboxActCommand>(act, std::move(arguments), console);
    };
    return spec;
}

void SandboxActCommand::ask()
{
    provider().list(this, [this](const Result<std::vector<SandboxInfo>> &all) {
        if (all)
            choose(*all);
        else
            fail(all.error());
    });
}

// All names are looked up before anything is done, so that a wrong one does not leave half of the work.
void SandboxActCommand::choose(const std::vector<SandboxInfo> &all)
{
    for (const QString &name : arguments().positional) {
        const Result<SandboxInfo> found = findSandbox(all, name);
        if (!found) {
            fail(found.error());
            return;
        }
        m_chosen.push_back(*found);
    }
    next();
}

void SandboxActCommand::next()
{
    if (m_done.size() == m_chosen.size()) {
        finishWith(m_done, {});
        return;
    }
    const SandboxInfo &sandbox = m_chosen[m_done.size()];
    const auto taken = [this](const Result<SandboxInfo> &info) { take(info); };
    if (m_act == Act::Pause)
        provider().pause(sandbox.id, this, taken);
    else if (m_act == Act::Resume)
        provider().resume(sandbox.id, this, taken);
    else
        provider().kill(sandbox.id, this, [this, gone = sandbox](const Result<> &result) mutable {
            gone.state = SandboxState::Gone;
            take(result ? Result<SandboxInfo>(gone) : Result<SandboxInfo>(result.error()));
        });
}

void SandboxActCommand::take(const Result<SandboxInfo> &sandbox)
{
    if (!sandbox) {
        fail(sandbox.error());
        return;
    }
    m_done.push_back(*sandbox);
    next();
}

} // namespace sandfish
