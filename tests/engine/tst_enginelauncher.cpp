#include "core/providers/local/enginelauncher.h"

#include "core/providers/local/localprovider.h"
#include "tests/support/awaited.h"
#include "tests/support/enginefixture.h"
#include "tests/support/fakelizard.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

#include <csignal>

using namespace sandfish;
using namespace sandfish::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

// A process that nobody has reaped yet has no program any more.
bool isAlive(qint64 pid)
{
    return !QFileInfo(u"/proc/%1/exe"_s.arg(pid)).symLinkTarget().isEmpty();
}

} // namespace

/// Finding and starting the built sandfishd, and what is said when that fails.
class EngineLauncherTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void find_nothingRuns_startsAnEngineThatStays();
    void find_again_asksNobody();
    void find_engineRuns_isReused();
    void find_twoAtOnce_giveOneEngine();
    void find_forgottenAndKilled_startsAnother();
    void find_startIsSwitchedOff_saysThatNoneRuns();
    void find_otherMinorVersion_isRefusedWithAdvice();
    void find_otherPatchVersion_isTaken();
    void find_leftoverOfAKilledEngine_startsAnother();
    void find_strangerAtTheAddress_startsAnother();
    void find_silentEngine_isATimeout();
    void find_fileOthersMayWrite_isRefused();
    void find_impossible_saysWhatToDo_data();
    void find_impossible_saysWhatToDo();
    void find_neverReady_endsInTime();
    void provider_engineKilledBetweenCalls_startsAnother();

private:
    QString stateDir() const { return m_folder->filePath(u"engine"_s); }
    EngineLauncher::Options options() const;
    Result<LizardEndpoint> find(EngineLauncher &launcher) const;
    std::optional<EngineFile> running() const;
    void writeEngineFile(const QUrl &url) const;
    QString script(const QByteArray &text) const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

void EngineLauncherTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void EngineLauncherTest::cleanup()
{
    if (const auto file = running(); file && file->pid > 1) {
        ::kill(static_cast<pid_t>(file->pid), SIGTERM);
        QTRY_VERIFY(!isAlive(file->pid));
    }
}

EngineLauncher::Options EngineLauncherTest::options() const
{
    EngineLauncher::Options options;
    options.stateDir = stateDir();
    options.program = EngineFixture::program();
    return options;
}

Result<LizardEndpoint> EngineLauncherTest::find(EngineLauncher &launcher) const
{
    return awaited<LizardEndpoint>(
        [&](QObject *receiver, auto done) { launcher.find(receiver, std::move(done)); }, 60000);
}

std::optional<EngineFile> EngineLauncherTest::running() const
{
    const Result<std::optional<EngineFile>> file = readEngineFile(stateDir());
    return file ? *file : std::nullopt;
}

// As a daemon leaves it, but for a pid, so that cleanup() ends nobody.
void EngineLauncherTest::writeEngineFile(const QUrl &url) const
{
    QVERIFY(QDir().mkpath(stateDir()));
    QFile file(stateDir() + u"/engine.json"_s);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    file.write("{\"url\":\"" + url.toEncoded(QUrl::StripTrailingSlash) + "\",\"apiKey\":\"k\",\"version\":\"0.1.0\"}");
}

QString EngineLauncherTest::script(const QByteArray &text) const
{
    QFile file(m_folder->filePath(u"program"_s));
    if (file.open(QIODevice::WriteOnly))
        file.write("#!/bin/sh\n" + text + '\n');
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    return file.fileName();
}

void EngineLauncherTest::find_nothingRuns_startsAnEngineThatStays()
{
    std::optional<Result<LizardEndpoint>> endpoint;
    {
        EngineLauncher launcher(options());
        endpoint = find(launcher);
    }
    QVERIFY2(*endpoint, endpoint->isOk() ? "" : endpoint->error().message.c_str());
    QVERIFY(running());
    QCOMPARE(running()->url, (*endpoint)->url);
    QCOMPARE(running()->apiKey, (*endpoint)->apiKey);
    QVERIFY(isAlive(running()->pid));
}

void EngineLauncherTest::find_again_asksNobody()
{
    EngineLauncher launcher(options());
    QVERIFY(find(launcher));
    const pid_t pid = static_cast<pid_t>(running()->pid);
    QCOMPARE(::kill(pid, SIGTERM), 0);
    QTRY_VERIFY(!isAlive(pid));
    QVERIFY(find(launcher));
    QVERIFY(!running());
}

void EngineLauncherTest::find_engineRuns_isReused()
{
    EngineLauncher first(options());
    const auto endpoint = find(first);
    QVERIFY(endpoint);
    EngineLauncher::Options unable = options();
    unable.program = u"/nowhere/sandfishd"_s;
    EngineLauncher second(unable);
    const auto again = find(second);
    QVERIFY(again);
    QCOMPARE(again->url, endpoint->url);
    QCOMPARE(again->apiKey, endpoint->apiKey);
}

void EngineLauncherTest::find_twoAtOnce_giveOneEngine()
{
    EngineLauncher first(options());
    EngineLauncher second(options());
    QObject receiver;
    std::vector<Result<LizardEndpoint>> answers;
    const auto take = [&](const Result<LizardEndpoint> &endpoint) { answers.push_back(endpoint); };
    first.find(&receiver, take);
    second.find(&receiver, take);
    QTRY_COMPARE_WITH_TIMEOUT(answers.size(), std::size_t(2), 60000);
    QVERIFY(answers[0] && answers[1]);
    QCOMPARE(answers[0]->url, answers[1]->url);
    QCOMPARE(answers[0]->apiKey, answers[1]->apiKey);
}

void EngineLauncherTest::find_forgottenAndKilled_startsAnother()
{
    EngineLauncher launcher(options());
    QVERIFY(find(launcher));
    const qint64 pid = running()->pid;
    QCOMPARE(::kill(static_cast<pid_t>(pid), SIGKILL), 0);
    launcher.forget();
    QTRY_VERIFY(!isAlive(pid));
    QVERIFY(find(launcher));
    QVERIFY(running()->pid != pid);
}

void EngineLauncherTest::find_startIsSwitchedOff_saysThatNoneRuns()
{
    EngineLauncher::Options look = options();
    look.startsEngine = false;
    EngineLauncher launcher(look);
    const auto endpoint = find(launcher);
    QVERIFY(!endpoint);
    QCOMPARE(endpoint.error().kind, Error::Kind::NotFound);
    QVERIFY(!QDir(stateDir()).exists());
}

void EngineLauncherTest::find_otherMinorVersion_isRefusedWithAdvice()
{
    EngineLauncher first(options());
    QVERIFY(find(first));
    EngineLauncher::Options newer = options();
    newer.version = "7.3.0";
    EngineLauncher second(newer);
    const auto endpoint = find(second);
    QVERIFY(!endpoint);
    QCOMPARE(endpoint.error().kind, Error::Kind::Conflict);
    const QString message = QString::fromStdString(endpoint.error().message);
    QVERIFY2(message.contains(u"7.3.0"_s), qPrintable(message));
    QVERIFY2(message.contains(QString::fromStdString(first.found()->version)), qPrintable(message));
    QVERIFY2(message.contains(u"sandfish-cli engine stop"_s), qPrintable(message));
    QVERIFY(isAlive(running()->pid));
}

void EngineLauncherTest::find_otherPatchVersion_isTaken()
{
    EngineLauncher first(options());
    QVERIFY(find(first));
    const std::string version = first.found()->version;
    EngineLauncher::Options patched = options();
    patched.version = version.substr(0, version.rfind('.')) + ".999";
    EngineLauncher second(patched);
    QVERIFY(find(second));
}

void EngineLauncherTest::find_leftoverOfAKilledEngine_startsAnother()
{
    QUrl url;
    {
        const FakeLizard gone(FakeLizard::Kind::LocalEngine);
        url = gone.url();
    }
    writeEngineFile(url);
    EngineLauncher launcher(options());
    const auto endpoint = find(launcher);
    QVERIFY2(endpoint, endpoint ? "" : endpoint.error().message.c_str());
    QVERIFY(endpoint->apiKey != "k");
}

void EngineLauncherTest::find_strangerAtTheAddress_startsAnother()
{
    FakeLizard stranger(FakeLizard::Kind::Seed);
    stranger.setMode(FakeHttpServer::Mode::Html);
    writeEngineFile(stranger.url());
    EngineLauncher launcher(options());
    const auto endpoint = find(launcher);
    QVERIFY2(endpoint, endpoint ? "" : endpoint.error().message.c_str());
    QVERIFY(endpoint->url != stranger.url());
}

void EngineLauncherTest::find_silentEngine_isATimeout()
{
    FakeLizard silent(FakeLizard::Kind::LocalEngine);
    silent.setMode(FakeHttpServer::Mode::Stall);
    writeEngineFile(silent.url());
    EngineLauncher launcher(options());
    const auto endpoint = find(launcher);
    QVERIFY(!endpoint);
    QCOMPARE(endpoint.error().kind, Error::Kind::Timeout);
    QVERIFY(endpoint.error().message.find("sandfish-cli engine stop") != std::string::npos);
}

void EngineLauncherTest::find_fileOthersMayWrite_isRefused()
{
    FakeLizard trap(FakeLizard::Kind::LocalEngine);
    writeEngineFile(trap.url());
    QFile file(stateDir() + u"/engine.json"_s);
    QVERIFY(file.setPermissions(file.permissions() | QFileDevice::WriteOther));
    EngineLauncher launcher(options());
    const auto endpoint = find(launcher);
    QVERIFY(!endpoint);
    QCOMPARE(endpoint.error().kind, Error::Kind::Io);
    QVERIFY(endpoint.error().message.find("others may write it") != std::string::npos);
    QCOMPARE(trap.requests().size(), 0);
}

void EngineLauncherTest::find_impossible_saysWhatToDo_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QByteArray>("words");
    const QString good;
    QTest::newRow("no program") << good << QByteArray("/nowhere/sandfishd") << QByteArray("was not found");
    QTest::newRow("unwritable folder") << u"/proc/none"_s << QByteArray() << QByteArray("cannot be written");
    QTest::newRow("folder is a file") << u"/etc/hostname/x"_s << QByteArray() << QByteArray("cannot be written");
    QTest::newRow("says why") << good << QByteArray("echo 'sandfishd: The disk is full.' >&2; exit 1")
                              << QByteArray("The disk is full.");
    QTest::newRow("says nothing") << good << QByteArray("exit 9") << QByteArray("status 9");
    QTest::newRow("talks nonsense") << good << QByteArray("echo hello") << QByteArray("cannot be understood");
}

void EngineLauncherTest::find_impossible_saysWhatToDo()
{
    QFETCH(QString, folder);
    QFETCH(QByteArray, program);
    QFETCH(QByteArray, words);
    EngineLauncher::Options wanted = options();
    if (!folder.isEmpty())
        wanted.stateDir = folder;
    if (!program.isEmpty())
        wanted.program = program.startsWith('/') ? QString::fromUtf8(program) : script(program);
    EngineLauncher launcher(wanted);
    const auto endpoint = find(launcher);
    QVERIFY(!endpoint);
    QCOMPARE(endpoint.error().kind, Error::Kind::Io);
    const QByteArray message = QByteArray::fromStdString(endpoint.error().message);
    QVERIFY2(message.startsWith("The local engine could not be started. "), message.constData());
    QVERIFY2(message.contains(words), message.constData());
    QVERIFY2(message.endsWith('.'), message.constData());
}

void EngineLauncherTest::find_neverReady_endsInTime()
{
    EngineLauncher::Options slow = options();
    slow.program = script("exec sleep 60");
    slow.startTimeout = 200ms;
    EngineLauncher launcher(slow);
    const auto endpoint = find(launcher);
    QVERIFY(!endpoint);
    QCOMPARE(endpoint.error().kind, Error::Kind::Timeout);
}

void EngineLauncherTest::provider_engineKilledBetweenCalls_startsAnother()
{
    LocalProvider provider(options());
    const auto list = [&] {
        return awaited<std::vector<SandboxInfo>>(
            [&](QObject *receiver, auto done) { provider.list(receiver, std::move(done)); }, 60000);
    };
    QVERIFY(list());
    const qint64 pid = running()->pid;
    QCOMPARE(::kill(static_cast<pid_t>(pid), SIGKILL), 0);
    QTRY_VERIFY(!isAlive(pid));
    QVERIFY(list());
    QVERIFY(running()->pid != pid);
}

QTEST_GUILESS_MAIN(EngineLauncherTest)
#include "tst_enginelauncher.moc"
