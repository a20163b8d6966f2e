#include "core/engine/kernelprocess.h"

#include "core/engine/pipes.h"
#include "core/engine/randomid.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <utility>

namespace sandfish {
namespace {

constexpr std::size_t kReadBytes = 256u << 10;
constexpr std::size_t kMaxControlLineBytes = 64u << 20;
constexpr std::size_t kMaxControlBytesPerTurn = 8u << 20;
constexpr std::size_t kMaxInputBytes = 1u << 20;
constexpr std::chrono::milliseconds kMarkPatience(50);
constexpr std::chrono::milliseconds kControlLossPatience(250);
constexpr int kDrainRounds = 16;

std::vector<char> &readBuffer()
{
    static thread_local std::vector<char> buffer(kReadBytes);
    return buffer;
}

StreamText::Channel channelOf(std::size_t index)
{
    return index == 0 ? StreamText::Channel::Stdout : StreamText::Channel::Stderr;
}

} // namespace

KernelProcess::KernelProcess(EventLoop &loop, SupervisorLink &link, Handlers handlers)
    : m_loop(loop)
    , m_link(link)
    , m_handlers(std::move(handlers))
    , m_demux("")
    , m_controlLines(kMaxControlLineBytes)
{
}

KernelProcess::~KernelProcess()
{
    *m_isAlive = false;
    m_loop.cancelTimer(m_markTimer);
    m_loop.cancelTimer(m_endTimer);
    m_loop.unwatch(m_controlWatch);
    for (std::size_t i = 0; i < m_outputs.size(); ++i)
        closeOutput(i);
}

void KernelProcess::start(Launch launch)
{
    m_nonce = randomHex(8);
    m_demux = OutputDemux(m_nonce);
    m_name = launch.interpreterName;
    launch.environment.push_back("SANDFISH_NONCE=" + m_nonce);
    const std::string firstCommand = launch.firstCommand;
    Result<SpawnRequest> request = prepare(launch);
    if (!request) {
        finishLater(request.error().message);
        return;
    }
    const auto guarded = [this, alive = m_isAlive](auto call) {
        return [this, alive, call](auto value) {
            if (*alive)
                (this->*call)(std::move(value));
        };
    };
    m_link.spawn(request.take(), guarded(&KernelProcess::spawned), guarded(&KernelProcess::exited));
    if (!firstCommand.empty())
        send(firstCommand);
}

Result<SpawnRequest> KernelProcess::prepare(Launch &launch)
{
    SpawnRequest request;
    request.arguments = std::move(launch.arguments);
    request.environment = std::move(launch.environment);
    request.workingDirectory = std::move(launch.workingDirectory);
    if (Result<> prepared = preparePipes(request, launch.readsCommandsFromStdin); !prepared)
        return prepared.error();
    return request;
}

Result<> KernelProcess::preparePipes(SpawnRequest &request, bool readsCommandsFromStdin)
{
    int control[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) != 0)
        return Error{Error::Kind::Io, std::string("No control channel: ") + std::strerror(errno) + "."};
    m_control.reset(control[0]);
    request.descriptors.emplace_back(UniqueFd(control[1]), 3);
    setNonBlocking(m_control.get());
    for (std::size_t i = 0; i < m_outputs.size(); ++i) {
        Result<PipePair> pipe = makePipe();
        if (!pipe)
            return pipe.error();
        setNonBlocking(pipe->readEnd.get());
        m_outputs[i].fd = std::move(pipe->readEnd);
        request.descriptors.emplace_back(std::move(pipe->writeEnd), static_cast<int>(i) + 1);
    }
    Result<PipePair> input = makePipe();
    if (!input)
        return input.error();
    m_inputReader = reopened(input->readEnd.get(), O_RDONLY);
    request.descriptors.emplace_back(std::move(input->readEnd), readsCommandsFromStdin ? 5 : 0);
    reopenInput();
    UniqueFd commandEnd(::fcntl(m_control.get(), F_DUPFD_CLOEXEC, 0));
    if (readsCommandsFromStdin) {
        Result<PipePair> commands = makePipe();
        if (!commands)
            return commands.error();
        setNonBlocking(commands->writeEnd.get());
        commandEnd = std::move(commands->writeEnd);
        request.descriptors.emplace_back(std::move(commands->readEnd), 0);
    }
    m_commands = std::make_unique<FdWriter>(m_loop, std::move(commandEnd));
    return {};
}

void KernelProcess::spawned(Result<Json> answer)
{
    if (!answer) {
        finish(answer.error().message);
        return;
    }
    m_pid = static_cast<pid_t>(answer->get<std::int64_t>());
    watchPipes();
    if (m_wasKilled)
        killJob();
}

void KernelProcess::watchPipes()
{
    for (OutputPipe &output : m_outputs)
        output.watch = m_loop.watch(output.fd.get(), EventLoop::Readiness::Read, [this] { pump(); });
    m_controlWatch = m_loop.watch(m_control.get(), EventLoop::Readiness::Read, [this] { pump(); });
}

void KernelProcess::exited(int status)
{
    m_status = status;
    // What it had started shares its pipes, and would outlive it unseen.
    killJob();
    drainAndFinish();
}

void KernelProcess::send(std::string_view message)
{
    if (m_commands)
        m_commands->write(message);
}

Result<> KernelProcess::writeInput(std::string_view text)
{
    if (!m_input || m_input->pendingBytes() + text.size() > kMaxInputBytes)
        return Error{Error::Kind::TooLarge, "The program has not read its earlier input yet."};
    m_input->write(text);
    return {};
}

void KernelProcess::endInput()
{
    if (m_input)
        m_input->finish();
}

void KernelProcess::reopenInput()
{
    // Input that the last cell did not read must not reach the next one.
    char rest[4096];
    while (::read(m_inputReader.get(), rest, sizeof(rest)) > 0) { }
    m_input = std::make_unique<FdWriter>(m_loop, reopened(m_inputReader.get(), O_WRONLY));
}

void KernelProcess::signalGroup(int number)
{
    if (m_pid > 0 && !m_status)
        m_link.signal(m_pid, number, true);
}

void KernelProcess::kill()
{
    m_wasKilled = true;
    if (m_pid > 0 && !m_status)
        killJob();
    else if (std::exchange(m_awaitsHead, false))
        finishLater(m_name + " could not be started from the kept state.");
}

void KernelProcess::pump()
{
    for (std::size_t i = 0; i < m_outputs.size(); ++i)
        readOutput(i);
    // The runner writes an event before the text that follows it, so whatever text was read above, its event is here.
    readControl();
    deliver();
}

// True if there may be more.
bool KernelProcess::readOutput(std::size_t index)
{
    OutputPipe &output = m_outputs[index];
    if (!output.fd.isOpen())
        return false;
    std::vector<char> &buffer = readBuffer();
    const ssize_t count = ::read(output.fd.get(), buffer.data(), buffer.size());
    if (count > 0) {
        m_demux.appendText(channelOf(index), std::string_view(buffer.data(), static_cast<std::size_t>(count)));
        return true;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        m_demux.finish(channelOf(index));
        closeOutput(index);
    }
    return false;
}

void KernelProcess::readControl()
{
    std::vector<char> &buffer = readBuffer();
    std::size_t total = 0;
    while (m_control.isOpen() && total < kMaxControlBytesPerTurn) {
        const ssize_t count = ::read(m_control.get(), buffer.data(), buffer.size());
        if (count < 0)
            break;
        if (count == 0) {
            m_loop.unwatch(std::exchange(m_controlWatch, 0));
            m_control.reset();
            m_endTimer = m_loop.startTimer(kControlLossPatience, [this] { kill(); });
            break;
        }
        total += static_cast<std::size_t>(count);
        m_controlLines.append(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    }
    for (std::string_view line; m_controlLines.next(line);) {
        Result<Json> event = parseJsonObject(line);
        if (event)
            m_demux.appendEvent(event.take());
    }
    if (m_controlLines.isOverflown())
        kill();
}

void KernelProcess::deliver()
{
    bool hasMoved = false;
    for (OutputDemux::Item item; m_demux.takeNext(item); hasMoved = true) {
        if (const auto *text = std::get_if<OutputDemux::Text>(&item))
            m_handlers.text(text->channel, text->bytes);
        else if (m_awaitsHead && stringOr(std::get<Json>(item), "ev", "") == "ready")
            adopt(std::get<Json>(item));
        else
            m_handlers.event(std::get<Json>(item));
    }
    m_handlers.turnEnded();
    if (hasMoved)
        m_loop.cancelTimer(std::exchange(m_markTimer, 0));
    if (m_demux.isWaiting() && m_markTimer == 0)
        waitForMarks();
}

void KernelProcess::waitForMarks()
{
    m_markTimer = m_loop.startTimer(kMarkPatience, [this] {
        m_markTimer = 0;
        giveUpMarks();
    });
}

void KernelProcess::giveUpMarks()
{
    // A mark that has been written is in the pipe: only after reading it empty the mark is known to be lost.
    const bool mayHaveMore = readOutput(0) | readOutput(1);
    readControl();
    if (!mayHaveMore)
        m_demux.giveUp();
    deliver();
}

void KernelProcess::drainAndFinish()
{
    if (m_isFinished)
        return;
    for (int round = 0; round < kDrainRounds; ++round) {
        if (!(readOutput(0) | readOutput(1)))
            break;
    }
    readControl();
    deliver();
    finish(m_name + " " + describeWaitStatus(*m_status) + ".");
}

void KernelProcess::finish(std::string reason)
{
    if (std::exchange(m_isFinished, true))
        return;
    m_demux.giveUp();
    deliver();
    m_loop.cancelTimer(std::exchange(m_markTimer, 0));
    m_loop.cancelTimer(std::exchange(m_endTimer, 0));
    m_loop.unwatch(std::exchange(m_controlWatch, 0));
    m_control.reset();
    m_commands.reset();
    m_input.reset();
    for (std::size_t i = 0; i < m_outputs.size(); ++i)
        closeOutput(i);
    // The one who hears of it may abandon() this object.
    const auto ended = std::move(m_handlers.ended);
    ended({m_status, std::move(reason)});
}

void KernelProcess::closeOutput(std::size_t index)
{
    m_loop.unwatch(std::exchange(m_outputs[index].watch, 0));
    m_outputs[index].fd.reset();
}

std::string describeWaitStatus(int status)
{
    if (WIFSIGNALED(status)) {
        const int number = WTERMSIG(status);
        return "was ended by signal " + std::to_string(number) + " (" + ::strsignal(number) + ")";
    }
    return "ended with exit code " + std::to_string(WEXITSTATUS(status));
}

} // namespace sandfish
