#include "app/cli/commands/engine.h"

#include "core/providers/lizard/lizardcodec.h"

#include <QFileInfo>

#include <cerrno>
#include <csignal>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kCallTimeout{3000};
constexpr std::chrono::milliseconds kLookInterval{20};
/// Every sandbox is ended first, which may take the grace that its processes have.
constexpr std::chrono::seconds kStopPatience{15};

HttpCall callOf(const EngineFile &file, HttpCall::Verb verb, const QString &path)
{
    HttpCall call;
    call.verb = verb;
    call.url = Lizard::urlFor(file.url, path);
    call.headers = {{"X-API-Key", file.apiKey}};
    call.timeout = kCallTimeout;
    return call;
}

EngineLauncher::Options launcherOptions(EngineStatusCommand::Missing missing)
{
    EngineLauncher::Options options;
    options.startsEngine = missing == EngineStatusCommand::Missing::IsStarted;
    return options;
}

// A pid of a killed engine may belong to another program by now, which must not be ended.
bool isEngineProcess(qint64 pid)
{
    return pid > 1 && QFileInfo(u"/proc/%1/exe"_s.arg(pid)).symLinkTarget().contains("sandfishd"_L1);
}

} // namespace

EngineStatusCommand::EngineStatusCommand(Missing missing, Arguments arguments, Console &console)
    : Command(std::move(arguments), console)
    , m_missing(missing)
    , m_launcher(launcherOptions(missing))
{
}

CommandSpec EngineStatusCommand::spec(Missing missing)
{
    const bool starts = missing == Missing::IsStarted;
    CommandSpec spec;
    spec.name = starts ? u"engine start"_s : u"engine status"_s;
    spec.summary = starts ? u"Start the engine of this computer, if it does not run."_s
                          : u"Tell whether the engine of this computer runs, and how it isolates."_s;
    spec.details = starts ? u"Other commands start it by themselves; this one shows what it says of itself."_s
                          : u"Include its output when you report a problem. It ends with 3 when no engine runs."_s;
    spec.examples = {{spec.name, u"version, address, isolation"_s}};
    spec.make = [missing](Arguments arguments, Console &console) -> std::unique_ptr<Command> {
        return std::make_unique<EngineStatusCommand>(missing, std::move(arguments), console);
    };
    return spec;
}

void EngineStatusCommand::start()
{
    m_launcher.find(this, [this](const Result<LizardEndpoint> &endpoint) {
        if (!endpoint) {
            Error error = endpoint.error();
            if (error.kind == Error::Kind::NotFound && m_missing == Missing::IsTold)
                error.message += " `sandfish-cli engine start` starts it.";
            fail(error);
            return;
        }
        const HttpCall call = callOf(*m_launcher.found(), HttpCall::Verb::Get, u"/v1/engine"_s);
        m_http.sendJson(call, this, [this](const Result<Json> &answer) {
            if (answer)
                describe(*answer);
            else
                fail(answer.error());
        });
    });
}

void EngineStatusCommand::describe(const Json &description)
{
    Json object = description;
    object["url"] = m_launcher.found()->url.toString().toStdString();
    object["stateDir"] = m_launcher.stateDir().toStdString();
    object["cliVersion"] = SANDFISH_VERSION;
    if (writesJson()) {
        console().write(Console::Channel::Out, dumpJson(object) + '\n');
        finish(ExitStatus::kOk);
        return;
    }
    const auto text = [&](std::string_view key) { return QString::fromStdString(stringOr(object, key, "")); };
    QString isolation = text("isolation");
    if (const QString reason = text("isolationReason"); !reason.isEmpty())
        isolation += u" ("_s + reason + u')';
    QStringList languages;
    for (const Json &language : memberOrNull(object, "languages"))
        languages.append(language.is_string() ? QString::fromStdString(language.get<std::string>()) : QString());
    const QList<std::pair<QString, QString>> lines{{u"engine"_s, u"sandfishd "_s + text("version")},
        {u"command line"_s, text("cliVersion")}, {u"address"_s, text("url")},
        {u"process"_s, QString::number(integerOr(object, "pid", 0))}, {u"isolation"_s, isolation},
        {u"pausing"_s, text("freezer")}, {u"languages"_s, languages.join(u", "_s)}, {u"state"_s, text("stateDir")}};
    for (const auto &[name, value] : lines)
        console().writeLine(Console::Channel::Out, name.leftJustified(14) + value);
    finish(ExitStatus::kOk);
}

CommandSpec EngineStopCommand::spec()
{
    CommandSpec spec;
    spec.name = u"engine stop"_s;
    spec.summary = u"End the engine of this computer, and with it all its sandboxes."_s;
    spec.details =
        u"Variables are lost; the files in the homes of sandboxes stay, and `sandbox resume` starts them again. "
        u"Use it before an engine of another version can start. No engine is no error."_s;
    spec.examples = {{u"engine stop"_s, u"waits until it has ended"_s}};
    spec.make = [](Arguments arguments, Console &console) -> std::unique_ptr<Command> {
        return std::make_unique<EngineStopCommand>(std::move(arguments), console);
    };
    return spec;
}

void EngineStopCommand::start()
{
    const Result<std::optional<EngineFile>> file = readEngineFile(defaultEngineStateDir());
    if (!file) {
        fail(file.error());
        return;
    }
    if (!*file || !isEngineProcess((*file)->pid)) {
        conclude(u"No local engine was running."_s);
        return;
    }
    m_file = **file;
    connect(&m_look, &QTimer::timeout, this, &EngineStopCommand::look);
    m_age.start();
    m_http.send(callOf(m_file, HttpCall::Verb::Post, u"/v1/shutdown"_s), this,
        [this](const Result<HttpAnswer> &answer) { takeAnswer(answer); });
}

void EngineStopCommand::takeAnswer(const Result<HttpAnswer> &answer)
{
    if (!answer && runs())
        ::kill(static_cast<pid_t>(m_file.pid), SIGTERM);
    m_look.start(kLookInterval);
}

bool EngineStopCommand::runs() const
{
    return isEngineProcess(m_file.pid);
}

void EngineStopCommand::look()
{
    if (!runs()) {
        m_look.stop();
        conclude(u"The local engine was stopped."_s);
        return;
    }
    const bool isLate = m_age.elapsed() > std::chrono::milliseconds(kStopPatience).count();
    if (isLate && !m_hasKilled) {
        m_hasKilled = true;
        m_age.restart();
        ::kill(static_cast<pid_t>(m_file.pid), SIGKILL);
    } else if (isLate) {
        m_look.stop();
        fail({Error::Kind::Timeout,
            u"The local engine, process %1, does not end. Restart the computer, or ask who runs it."_s.arg(m_file.pid)
                .toStdString(),
            {}});
    }
}

void EngineStopCommand::conclude(const QString &text)
{
    if (writesJson())
        console().write(Console::Channel::Out, dumpJson({{"stopped", m_file.pid > 0}, {"pid", m_file.pid}}) + '\n');
    else
        console().writeLine(Console::Channel::Out, text);
    finish(ExitStatus::kOk);
}

} // namespace sandfish
