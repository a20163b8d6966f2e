#include "core/engine/engine.h"

#include "core/engine/enginerecord.h"
#include "core/engine/engineserver.h"
#include "core/engine/randomid.h"
#include "core/engine/runnerassets.h"
#include "core/engine/runnerprecompiler.h"
#include "core/engine/statefiles.h"
#include "core/engine/supervisor.h"
#include "core/engine/tlsauthority.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>

namespace sandfish {
namespace {

constexpr std::size_t kApiKeyBytes = 24;

std::string environmentVariable(const char *name)
{
    const char *value = std::getenv(name);
    return value ? value : "";
}

// Root outside is uid 1000 inside, see mountplan.cpp.
Result<std::string> writeAccounts(const std::string &stateDirectory)
{
    const std::string folder = stateDirectory + "/etc";
    const std::string uid = std::to_string(::getuid() == 0 ? 1000 : ::getuid());
    const std::string gid = std::to_string(::getuid() == 0 ? 1000 : ::getgid());
    const std::string passwd = "root:x:0:0:root:/root:/bin/sh\nuser:x:" + uid + ":" + gid
        + ":user:/home/user:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n";
    const std::string group = "root:x:0:\nuser:x:" + gid + ":\nnogroup:x:65534:\n";
    if (Result<> made = makeFolder(folder); !made)
        return made.error();
    if (Result<> written = writeFileAtomically(folder + "/passwd", passwd); !written)
        return written.error();
    if (Result<> written = writeFileAtomically(folder + "/group", group); !written)
        return written.error();
    return folder;
}

Result<> collectFacts(const EngineOptions &options, EngineFacts &facts)
{
    facts.stateDirectory = options.stateDirectory;
    facts.program = options.program;
    Result<std::string> runners = installRunners(options.stateDirectory);
    if (!runners)
        return runners.error();
    facts.runners = runners.take();
    Result<std::string> accounts = writeAccounts(options.stateDirectory);
    if (!accounts)
        return accounts.error();
    facts.accounts = accounts.take();
    Result<Isolation> isolation = probeIsolation(environmentVariable("SANDFISH_ISOLATION"));
    if (!isolation)
        return isolation.error();
    facts.isolation = isolation.take();
    facts.interpreters = findInterpreters(options.stateDirectory);
    if (environmentVariable("SANDFISH_FREEZER") != "signals")
        facts.cgroups = CgroupRoot::make();
    return {};
}

void raiseFileLimit()
{
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

// The line that tells the caller how to connect; afterwards nobody waits for this process any more.
void announce(const Json &line)
{
    const std::string text = dumpJson(line) + "\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

void closeStandardStreams()
{
    const int nothing = ::open("/dev/null", O_RDWR);
    for (int fd : {0, 1, 2})
        ::dup2(nothing, fd);
    ::close(nothing);
}

Result<> serve(EventLoop &loop, const EngineOptions &options, const EngineFacts &facts)
{
    SandboxRegistry registry(loop, facts);
    registry.adoptLeftovers();
    const RunnerPrecompiler precompiler(loop, facts);
    const std::string apiKey = randomHex(kApiKeyBytes);
    bool isStopping = false;
    const auto stop = [&] {
        if (!std::exchange(isStopping, true))
            registry.shutDown([&loop] { loop.stop(); });
    };
    const Result<TlsIdentity> identity = makeTlsIdentity();
    if (!identity)
        return identity.error();
    auto server = EngineServer::make(loop, facts, registry, {options.port, apiKey, options.version, *identity}, stop);
    if (!server)
        return server.error();
    EngineRecord record{
        (*server)->url(), apiKey, options.version, std::string(isolationLevelName(facts.isolation.level)), {}};
    Result<> written = writeAuthority(options.stateDirectory, identity->authorityPem, record);
    if (written)
        written = writeEngineRecord(options.stateDirectory, record);
    if (!written)
        return written;
    loop.watchTermination(stop);
    announce(readyLine(record));
    if (!options.staysInForeground)
        closeStandardStreams();
    loop.run();
    removeEngineRecord(options.stateDirectory);
    return {};
}

} // namespace

Result<> runEngine(EngineOptions options)
{
    if (options.stateDirectory.empty())
        return Error{Error::Kind::Io, "There is no home directory. Name a folder with --state-dir."};
    ::signal(SIGPIPE, SIG_IGN);
    ::umask(0077);
    raiseFileLimit();
    if (Result<> made = makeFolder(options.stateDirectory + "/sandboxes"); !made)
        return made;
    std::error_code failure;
    options.stateDirectory = std::filesystem::canonical(options.stateDirectory, failure).string();
    const Result<UniqueFd> lock = lockStateDirectory(options.stateDirectory);
    if (!lock)
        return lock.error();
    EngineFacts facts;
    if (Result<> collected = collectFacts(options, facts); !collected)
        return collected;
    const std::unique_ptr<EventLoop> loop = EventLoop::make();
    return serve(*loop, options, facts);
}

void runSupervisor(int descriptor)
{
    Supervisor supervisor{UniqueFd(descriptor)};
    ::_exit(supervisor.run());
}

} // namespace sandfish
