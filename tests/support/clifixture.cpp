#include "tests/support/clifixture.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kCallLimitMs = 60'000;
const QString kProgram = QStringLiteral(SANDFISH_BINARY_DIR "/sandfish-cli");

} // namespace

QList<QJsonObject> CliResult::lines() const
{
    QList<QJsonObject> objects;
    for (const QByteArray &line : output.split('\n')) {
        if (!line.isEmpty())
            objects.append(QJsonDocument::fromJson(line).object());
    }
    return objects;
}

CliFixture::CliFixture()
    : m_environment(QProcessEnvironment::systemEnvironment())
{
    for (const QString &name : m_environment.keys()) {
        if (name.startsWith("SANDFISH_"_L1) || name.startsWith("LIZARD_"_L1) || name.startsWith("DAYTONA_"_L1))
            m_environment.remove(name);
    }
    m_environment.insert(u"XDG_STATE_HOME"_s, m_user.filePath(u"state"_s));
    m_environment.insert(u"XDG_CONFIG_HOME"_s, m_user.filePath(u"config"_s));
    m_environment.insert(u"CLI"_s, kProgram);
    m_environment.insert(u"TERM"_s, u"xterm"_s);
    m_environment.remove(u"NO_COLOR"_s);
}

CliFixture::~CliFixture()
{
    if (hasEngine())
        run({u"engine"_s, u"stop"_s});
}

std::unique_ptr<QProcess> CliFixture::prepare() const
{
    auto process = std::make_unique<QProcess>();
    process->setProcessEnvironment(m_environment);
    process->setWorkingDirectory(m_work.path());
    return process;
}

std::unique_ptr<QProcess> CliFixture::startProgram(const QString &program, const QStringList &arguments)
{
    std::unique_ptr<QProcess> process = prepare();
    // A test run in the background inherits an ignored SIGINT, which would be kept.
    process->setChildProcessModifier([] { ::signal(SIGINT, SIG_DFL); });
    process->start(program, arguments);
    return process;
}

std::unique_ptr<QProcess> CliFixture::start(const QStringList &arguments)
{
    return startProgram(kProgram, arguments);
}

CliResult CliFixture::run(const QStringList &arguments, const QByteArray &input)
{
    const std::unique_ptr<QProcess> process = start(arguments);
    process->write(input);
    process->closeWriteChannel();
    return waitForEnd(*process);
}

CliResult CliFixture::runInShell(const QString &line)
{
    const std::unique_ptr<QProcess> process = startProgram(u"bash"_s, {u"-c"_s, line});
    process->closeWriteChannel();
    return waitForEnd(*process);
}

CliResult CliFixture::runOnTerminal(const QStringList &arguments)
{
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    const bool isOpen = master >= 0 && ::grantpt(master) == 0 && ::unlockpt(master) == 0;
    const int terminal = isOpen ? ::open(::ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
    CliResult result;
    if (terminal >= 0) {
        const std::unique_ptr<QProcess> process = prepare();
        process->setChildProcessModifier([terminal] {
            ::dup2(terminal, STDOUT_FILENO);
            ::dup2(terminal, STDERR_FILENO);
        });
        process->start(kProgram, arguments);
        process->closeWriteChannel();
        result = waitForEnd(*process);
        ::close(terminal);
        char bytes[4096];
        for (ssize_t count = 1; (count = ::read(master, bytes, sizeof(bytes))) > 0;)
            result.output.append(bytes, count);
    }
    ::close(master);
    return result;
}

bool CliFixture::waitForOutput(QProcess &process, const QByteArray &text, QByteArray &output)
{
    return QTest::qWaitFor(
        [&] {
            output += process.readAllStandardOutput();
            return output.contains(text);
        },
        kCallLimitMs);
}

CliResult CliFixture::waitForEnd(QProcess &process, const QByteArray &outputSoFar)
{
    CliResult result;
    const bool hasEnded = QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, kCallLimitMs);
    result.output = outputSoFar + process.readAllStandardOutput();
    result.errors = process.readAllStandardError();
    if (hasEnded && process.exitStatus() == QProcess::NormalExit && process.error() == QProcess::UnknownError)
        result.status = process.exitCode();
    return result;
}

void CliFixture::write(const QString &name, const QByteArray &bytes) const
{
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

QByteArray CliFixture::read(const QString &name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void CliFixture::writeNotebook(const QString &name, const QStringList &sources) const
{
    QJsonArray cells;
    for (const QString &source : sources)
        cells.append(QJsonObject{{u"cell_type"_s, u"code"_s}, {u"id"_s, u"cell%1"_s.arg(cells.size())},
            {u"metadata"_s, QJsonObject()}, {u"execution_count"_s, QJsonValue()}, {u"outputs"_s, QJsonArray()},
            {u"source"_s, source}});
    const QJsonObject kernel{{u"name"_s, u"python3"_s}, {u"display_name"_s, u"Python 3"_s}};
    write(name,
        QJsonDocument(QJsonObject{{u"nbformat"_s, 4}, {u"nbformat_minor"_s, 5}, {u"cells"_s, cells},
                          {u"metadata"_s, QJsonObject{{u"kernelspec"_s, kernel}}}})
            .toJson());
}

QByteArray CliFixture::outputsOf(const QString &name, int cell) const
{
    const QJsonArray cells = QJsonDocument::fromJson(read(name)).object().value("cells"_L1).toArray();
    return QJsonDocument(cells.at(cell).toObject().value("outputs"_L1).toArray()).toJson(QJsonDocument::Compact);
}

bool CliFixture::hasEngine() const
{
    return QFile::exists(stateDirectory() + u"/engine.json"_s);
}

qint64 CliFixture::enginePid() const
{
    QFile file(stateDirectory() + u"/engine.json"_s);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object().value("pid"_L1).toInteger()
                                          : 0;
}

} // namespace sandfish
