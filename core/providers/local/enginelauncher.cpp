#include "core/providers/local/enginelauncher.h"

#include "core/providers/lizard/lizardcodec.h"
#include "core/support/logging.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

constexpr int kAnotherDaemonOwnsTheFolder = 3;
constexpr std::chrono::milliseconds kCheckTimeout{3000};
constexpr std::chrono::milliseconds kLookAgain{50};

std::string minorVersion(const std::string &version)
{
    const std::size_t first = version.find('.');
    return version.substr(0, first == std::string::npos ? first : version.find('.', first + 1));
}

LizardEndpoint endpointOf(const EngineFile &file)
{
    return {file.url, file.apiKey, u"local"_s};
}

} // namespace

EngineLauncher::EngineLauncher(Options options, QObject *parent)
    : EndpointSource(parent)
    , m_options(std::move(options))
{
    if (m_options.stateDir.isEmpty())
        m_options.stateDir = defaultEngineStateDir();
    if (m_options.version.empty())
        m_options.version = SANDFISH_VERSION;
    m_timeout.setSingleShot(true);
    connect(&m_timeout, &QTimer::timeout, this, &EngineLauncher::expire);
}

EngineLauncher::~EngineLauncher()
{
    const Error error{Error::Kind::Cancelled, "Cancelled.", {}};
    for (const auto &completion : m_waiting)
        completion.finish(error);
    // The end of the process ends it with a signal, which would find this object half gone.
    if (m_process)
        m_process->disconnect(this);
}

Request EngineLauncher::find(QObject *receiver, Done<LizardEndpoint> done)
{
    const Completion<LizardEndpoint> completion(receiver, std::move(done));
    if (m_found) {
        completion.finish(endpointOf(*m_found));
        return completion.request();
    }
    m_waiting.push_back(completion);
    if (m_state == State::Idle)
        advance();
    return completion.request();
}

// From Idle or Lost: what does engine.json say now?
void EngineLauncher::advance()
{
    const Result<std::optional<EngineFile>> file = readEngineFile(m_options.stateDir);
    if (!file)
        settle(file.error());
    else if (*file)
        check(**file);
    else if (m_state == State::Lost)
        QTimer::singleShot(kLookAgain, this, &EngineLauncher::advance);
    else
        startProcess();
}

void EngineLauncher::check(const EngineFile &file)
{
    if (m_state != State::Lost)
        m_state = State::Checking;
    HttpCall call;
    call.url = Lizard::urlFor(file.url, u"/v1/engine"_s);
    call.headers = {{"X-API-Key", file.apiKey}};
    call.timeout = kCheckTimeout;
    m_http.sendJson(call, this, [this, file](const Result<Json> &answer) { takeAnswer(file, answer); });
}

void EngineLauncher::takeAnswer(const EngineFile &file, const Result<Json> &answer)
{
    const auto info = answer ? Lizard::parseEngineInfo(*answer) : std::nullopt;
    if (info && minorVersion(info->version) == minorVersion(m_options.version)) {
        settle(file);
        return;
    }
    if (info) {
        const QString text = tr("The local engine that runs is version %1, and this is Sandfish %2. Stop it with "
                                "\"sandfish-cli engine stop\", which ends its sandboxes, and try again.");
        settle(Error{Error::Kind::Conflict,
            text.arg(QString::fromStdString(info->version), QString::fromStdString(m_options.version)).toStdString(),
            {}});
        return;
    }
    const bool isSilent = !answer && answer.error().kind == Error::Kind::Timeout;
    if (isSilent) {
        settle(Error{Error::Kind::Timeout,
            tr("The local engine runs but does not answer. Stop it with \"sandfish-cli engine stop\" and try again.")
                .toStdString(),
            answer.error().detail});
        return;
    }
    // Nobody, or a stranger, answers at that address: the file is a leftover of a daemon that was killed.
    if (m_state == State::Lost)
        QTimer::singleShot(kLookAgain, this, &EngineLauncher::advance);
    else
        startProcess();
}

QString EngineLauncher::findProgram() const
{
    const QString name = m_options.program.isEmpty() ? u"sandfishd"_s : m_options.program;
    if (QFileInfo(name).isAbsolute())
        return QFileInfo(name).isExecutable() ? name : QString();
    const QString beside = QStandardPaths::findExecutable(name, {QCoreApplication::applicationDirPath()});
    return beside.isEmpty() ? QStandardPaths::findExecutable(name) : beside;
}

void EngineLauncher::startProcess()
{
    if (!m_options.startsEngine) {
        settle(Error{Error::Kind::NotFound, tr("No local engine is running.").toStdString(), {}});
        return;
    }
    const QString program = findProgram();
    if (program.isEmpty()) {
        settle(
            startError(tr("The program sandfishd was not found beside this one or in PATH. Install Sandfish again.")));
        return;
    }
    if (!QDir().mkpath(m_options.stateDir) || !QFileInfo(m_options.stateDir).isWritable()) {
        settle(
            startError(tr("The folder %1 cannot be written. Make it yours to write, or set XDG_STATE_HOME to another "
                          "folder.")
                           .arg(m_options.stateDir)));
        return;
    }
    m_state = State::Starting;
    m_sinceStart.start();
    m_process = std::make_unique<QProcess>();
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->setStandardErrorFile(logPath(), QIODevice::Truncate);
    connect(m_process.get(), &QProcess::finished, this, &EngineLauncher::processEnded);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            settle(startError(m_process->errorString() + u'.'));
    });
    // Without --foreground it forks: what we wait for ends once the daemon serves or has failed.
    m_process->start(program, QStringList{u"--state-dir"_s, m_options.stateDir} + m_options.arguments);
    m_timeout.start(m_options.startTimeout);
}

void EngineLauncher::takeReadyLine(const QByteArray &line)
{
    const auto file = parseEngineFile(line);
    if (file)
        qCInfo(lcProvider) << "the local engine was started in" << m_sinceStart.elapsed() << "ms";
    settle(file ? Result<EngineFile>(*file)
                : Result<EngineFile>(
                    startError(tr("It gave an answer that cannot be understood. Install Sandfish again."))));
}

void EngineLauncher::processEnded(int exitCode)
{
    if (m_state != State::Starting)
        return;
    if (exitCode == kAnotherDaemonOwnsTheFolder) {
        m_state = State::Lost;
        advance();
        return;
    }
    const QByteArray output = m_process->readAllStandardOutput();
    if (const qsizetype end = output.indexOf('\n'); end >= 0) {
        takeReadyLine(output.first(end));
        return;
    }
    const QString said = lastLogLine();
    settle(
        startError(said.isEmpty() ? tr("It ended with status %1. Look into %2.").arg(exitCode).arg(logPath()) : said));
}

void EngineLauncher::expire()
{
    if (m_process && m_process->state() != QProcess::NotRunning)
        m_process->kill();
    const qint64 seconds = std::chrono::duration_cast<std::chrono::seconds>(m_options.startTimeout).count();
    Error error =
        startError(tr("It was not ready within %1 s. Try again, or look into %2.").arg(seconds).arg(logPath()));
    error.kind = Error::Kind::Timeout;
    settle(error);
}

void EngineLauncher::settle(const Result<EngineFile> &result)
{
    m_timeout.stop();
    m_state = State::Idle;
    if (result)
        m_found = *result;
    // The process object is in one of its own signals here, and reaps its child by itself.
    if (m_process) {
        m_process->disconnect(this);
        m_process.release()->deleteLater();
    }
    const auto waiting = std::exchange(m_waiting, {});
    for (const auto &completion : waiting)
        completion.finish(
            result ? Result<LizardEndpoint>(endpointOf(*result)) : Result<LizardEndpoint>(result.error()));
}

Error EngineLauncher::startError(const QString &cause) const
{
    const QString message = tr("The local engine could not be started.") + u' ' + cause;
    return Error{Error::Kind::Io, message.toStdString(), {}};
}

QString EngineLauncher::lastLogLine() const
{
    QFile file(logPath());
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QStringList lines = QString::fromUtf8(file.read(16 << 10)).trimmed().split(u'\n');
    QString line = lines.last().trimmed();
    if (line.startsWith("sandfishd: "_L1))
        line.remove(0, 11);
    return line;
}

} // namespace sandfish
