#include "core/engine/commandrun.h"

#include "core/base/utf8.h"
#include "core/engine/pipes.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace sandfish {
namespace {

constexpr std::size_t kMaxOutputBytes = 16u << 20;
constexpr std::size_t kReadBytes = 64u << 10;
constexpr int kMaxCommands = 64;
// A background child may hold the pipes for ever; what the command itself wrote is there by then.
constexpr std::chrono::milliseconds kPipePatience(200);

/// A file without a name that holds \a bytes, at its beginning.
Result<UniqueFd> memoryFile(std::string_view bytes)
{
    UniqueFd file(::memfd_create("input", MFD_CLOEXEC));
    while (file.isOpen() && !bytes.empty()) {
        const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
        if (count < 0 && errno != EINTR)
            file.reset();
        bytes.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
    }
    if (!file.isOpen() || ::lseek(file.get(), 0, SEEK_SET) != 0)
        return Error{
            Error::Kind::Io, "The input of the command could not be kept: " + std::string(std::strerror(errno))};
    return file;
}

class CommandRun : public std::enable_shared_from_this<CommandRun>
{
public:
    using Done = std::function<void(Result<CommandResult>)>;

    CommandRun(EventLoop &loop, std::shared_ptr<LocalSandbox> sandbox, Done done)
        : m_loop(loop)
        , m_sandbox(std::move(sandbox))
        , m_done(std::move(done))
    {
        m_sandbox->countCommand(+1);
    }
    ~CommandRun() { m_sandbox->countCommand(-1); }

    void start(CommandSpec spec);

private:
    struct Output
    {
        UniqueFd fd;
        EventLoop::WatchId watch = 0;
        std::string text;
        bool isCut = false;
    };

    Result<SpawnRequest> prepare(CommandSpec &spec);
    void spawned(const Result<Json> &answer);
    void read(std::size_t index);
    void exited(int status);
    void finishIfComplete();
    void finish(Result<CommandResult> result);
    void closeOutput(std::size_t index);
    void killJob();
    std::string takeText(std::size_t index);

    EventLoop &m_loop;
    std::shared_ptr<LocalSandbox> m_sandbox;
    Done m_done;
    std::array<Output, 2> m_outputs;
    pid_t m_pid = 0;
    std::optional<int> m_status;
    PausableClock::TimerId m_timeout = 0;
    EventLoop::TimerId m_pipeTimer = 0;
};

void CommandRun::start(CommandSpec spec)
{
    const auto self = shared_from_this();
    if (!m_sandbox->process()) {
        m_loop.post([self] { self->finish(Error{Error::Kind::Conflict, "The sandbox does not run."}); });
        return;
    }
    if (m_sandbox->commands() > kMaxCommands) {
        m_loop.post([self] {
            self->finish(Error{Error::Kind::RateLimited,
                std::to_string(kMaxCommands) + " commands already run in the sandbox. Wait until one has ended."});
        });
        return;
    }
    Result<SpawnRequest> request = prepare(spec);
    if (!request) {
        m_loop.post([self, error = request.error()] { self->finish(error); });
        return;
    }
    m_timeout = m_sandbox->clock().start(spec.timeout, [self, timeout = spec.timeout] {
        self->finish(Error{Error::Kind::Timeout,
            "The command ran longer than " + std::to_string(timeout.count()) + " ms and was ended."});
    });
    m_sandbox->process()->link().spawn(
        request.take(), [self](const Result<Json> &answer) { self->spawned(answer); },
        [self](int status) { self->exited(status); });
}

Result<SpawnRequest> CommandRun::prepare(CommandSpec &spec)
{
    SpawnRequest request;
    request.arguments = std::move(spec.arguments);
    if (request.arguments.empty())
        request.arguments = {"/bin/sh", "-c", std::move(spec.command)};
    request.environment = m_sandbox->environment(spec.environment);
    request.workingDirectory = m_sandbox->insidePath(spec.workingDirectory);
    Result<UniqueFd> input =
        spec.standardInput ? memoryFile(*spec.standardInput) : UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!input)
        return input.error();
    request.descriptors.emplace_back(input.take(), 0);
    for (std::size_t i = 0; i < m_outputs.size(); ++i) {
        if (i == 1 && spec.mergesOutput) {
            request.descriptors.emplace_back(UniqueFd(::dup(request.descriptors.back().first.get())), 2);
            break;
        }
        Result<PipePair> pipe = makePipe();
        if (!pipe)
            return pipe.error();
        setNonBlocking(pipe->readEnd.get());
        m_outputs[i].fd = std::move(pipe->readEnd);
        request.descriptors.emplace_back(std::move(pipe->writeEnd), static_cast<int>(i) + 1);
    }
    return request;
}

void CommandRun::spawned(const Result<Json> &answer)
{
    if (!answer) {
        finish(answer.error());
        return;
    }
    m_pid = static_cast<pid_t>(answer->get<std::int64_t>());
    if (!m_done) {
        killJob();
        return;
    }
    for (std::size_t i = 0; i < m_outputs.size() && m_outputs[i].fd.isOpen(); ++i) {
        m_outputs[i].watch = m_loop.watch(
            m_outputs[i].fd.get(), EventLoop::Readiness::Read, [self = shared_from_this(), i] { self->read(i); });
    }
}

void CommandRun::read(std::size_t index)
{
    Output &output = m_outputs[index];
    char buffer[kReadBytes];
    const ssize_t count = ::read(output.fd.get(), buffer, sizeof(buffer));
    if (count > 0) {
        const std::size_t room = kMaxOutputBytes - output.text.size();
        output.text.append(buffer, std::min(static_cast<std::size_t>(count), room));
        output.isCut |= static_cast<std::size_t>(count) > room;
        return;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        const auto self = shared_from_this();
        closeOutput(index);
        finishIfComplete();
    }
}

void CommandRun::exited(int status)
{
    m_status = status;
    if (!m_done)
        return;
    finishIfComplete();
    if (m_done)
        m_pipeTimer = m_loop.startTimer(kPipePatience, [self = shared_from_this()] {
            for (std::size_t i = 0; i < self->m_outputs.size(); ++i)
                self->closeOutput(i);
            self->finishIfComplete();
        });
}

void CommandRun::finishIfComplete()
{
    if (!m_status || m_outputs[0].fd.isOpen() || m_outputs[1].fd.isOpen())
        return;
    CommandResult result{takeText(0), takeText(1), 0};
    result.exitCode = WIFSIGNALED(*m_status) ? 128 + WTERMSIG(*m_status) : WEXITSTATUS(*m_status);
    finish(std::move(result));
}

void CommandRun::killJob()
{
    if (m_sandbox->process())
        m_sandbox->process()->link().killJob(m_pid);
}

std::string CommandRun::takeText(std::size_t index)
{
    std::string text = repairedUtf8(m_outputs[index].text);
    if (m_outputs[index].isCut)
        text += "\n[The rest of the output was dropped.]\n";
    return text;
}

void CommandRun::finish(Result<CommandResult> result)
{
    if (!m_done)
        return;
    const auto self = shared_from_this();
    m_sandbox->clock().cancel(std::exchange(m_timeout, 0));
    m_loop.cancelTimer(std::exchange(m_pipeTimer, 0));
    for (std::size_t i = 0; i < m_outputs.size(); ++i)
        closeOutput(i);
    if (m_pid > 0 && !m_status)
        killJob();
    std::exchange(m_done, nullptr)(std::move(result));
}

void CommandRun::closeOutput(std::size_t index)
{
    m_loop.unwatch(std::exchange(m_outputs[index].watch, 0));
    m_outputs[index].fd.reset();
}

} // namespace

void runCommand(EventLoop &loop, std::shared_ptr<LocalSandbox> sandbox, CommandSpec spec,
    std::function<void(Result<CommandResult>)> done)
{
    std::make_shared<CommandRun>(loop, std::move(sandbox), std::move(done))->start(std::move(spec));
}

} // namespace sandfish
