#include "core/engine/supervisorlink.h"

#include <utility>

namespace sandfish {
namespace {

constexpr std::size_t kMaxQueued = 4096;

Error goneError()
{
    return {Error::Kind::ConnectionLost, "The sandbox has ended."};
}

Error::Kind kindFromName(const std::string &name)
{
    for (Error::Kind kind : {Error::Kind::NotFound, Error::Kind::TooLarge, Error::Kind::BadRequest}) {
        if (errorKindName(kind) == name)
            return kind;
    }
    return Error::Kind::Io;
}

} // namespace

SupervisorLink::SupervisorLink(EventLoop &loop, UniqueFd socket)
    : m_loop(loop)
    , m_socket(std::move(socket))
{
    m_readWatch = m_loop.watch(m_socket.get(), EventLoop::Readiness::Read, [this] { receiveAll(); });
}

SupervisorLink::~SupervisorLink()
{
    *m_isAlive = false;
    m_loop.unwatch(m_readWatch);
    m_loop.unwatch(m_writeWatch);
}

std::int64_t SupervisorLink::ask(Answer answer)
{
    const std::int64_t id = m_nextId++;
    m_answers[id] = std::move(answer);
    return id;
}

void SupervisorLink::confine(const Json &rules, int cgroupProcs, Answer answer)
{
    Json message = rules;
    message["op"] = "confine";
    message["id"] = ask(std::move(answer));
    std::vector<UniqueFd> descriptors;
    if (cgroupProcs >= 0)
        descriptors.emplace_back(::dup(cgroupProcs));
    send(std::move(message), std::move(descriptors));
}

void SupervisorLink::spawn(SpawnRequest request, Answer answer, std::function<void(int)> exited)
{
    const std::int64_t id = ask(std::move(answer));
    m_newExits[id] = std::move(exited);
    Json targets = Json::array();
    std::vector<UniqueFd> descriptors;
    for (auto &[here, there] : request.descriptors) {
        descriptors.push_back(std::move(here));
        targets.push_back(there);
    }
    send({{"op", "spawn"}, {"id", id}, {"argv", request.arguments}, {"env", request.environment},
             {"cwd", request.workingDirectory}, {"fds", std::move(targets)}},
        std::move(descriptors));
}

void SupervisorLink::adopt(pid_t pid, Answer answer, std::function<void(int)> exited)
{
    const std::int64_t id = ask(std::move(answer));
    m_newExits[id] = std::move(exited);
    send({{"op", "adopt"}, {"id", id}, {"pid", pid}});
}

void SupervisorLink::signal(pid_t pid, int number, bool isWholeGroup)
{
    send({{"op", "signal"}, {"pid", pid}, {"signal", number}, {"group", isWholeGroup}});
}

void SupervisorLink::killJob(pid_t pid)
{
    send({{"op", "kill_job"}, {"pid", pid}});
}

void SupervisorLink::halt(Answer answer)
{
    send({{"op", "halt"}, {"id", ask(std::move(answer))}});
}

void SupervisorLink::proceed(Answer answer)
{
    send({{"op", "proceed"}, {"id", ask(std::move(answer))}});
}

void SupervisorLink::isDirectory(const std::string &path, Answer answer)
{
    send({{"op", "is_directory"}, {"path", path}, {"id", ask(std::move(answer))}});
}

void SupervisorLink::end()
{
    send({{"op", "end"}});
}

void SupervisorLink::send(Json message, std::vector<UniqueFd> descriptors)
{
    // One more than the bound only when the supervisor has not read for thousands of messages: it is lost.
    if (m_outgoing.size() < kMaxQueued)
        m_outgoing.push_back({std::move(message), std::move(descriptors)});
    m_loop.post([this, alive = m_isAlive] {
        if (*alive)
            flush();
    });
}

void SupervisorLink::flush()
{
    m_loop.unwatch(std::exchange(m_writeWatch, 0));
    if (!m_socket.isOpen()) {
        close();
        return;
    }
    while (!m_outgoing.empty()) {
        const Outgoing &next = m_outgoing.front();
        std::vector<int> numbers;
        for (const UniqueFd &fd : next.descriptors)
            numbers.push_back(fd.get());
        const Result<> sent = sendPacket(m_socket.get(), next.message, numbers);
        if (!sent && sent.error().kind == Error::Kind::Unavailable) {
            m_writeWatch = m_loop.watch(m_socket.get(), EventLoop::Readiness::Write, [this] { flush(); });
            return;
        }
        if (!sent && sent.error().kind == Error::Kind::ConnectionLost) {
            close();
            return;
        }
        const auto waiting = m_answers.extract(integerOr(next.message, "id", 0));
        const bool isRefused = !sent;
        if (!isRefused && !waiting.empty())
            m_answers[waiting.key()] = std::move(waiting.mapped());
        m_outgoing.pop_front();
        if (isRefused && !waiting.empty()) {
            m_newExits.erase(waiting.key());
            waiting.mapped()(sent.error());
        }
    }
}

void SupervisorLink::receiveAll()
{
    const std::shared_ptr<bool> alive = m_isAlive;
    while (*alive && m_socket.isOpen()) {
        Result<Packet> packet = receivePacket(m_socket.get());
        if (packet)
            handle(*packet);
        else if (packet.error().kind == Error::Kind::ConnectionLost)
            close();
        if (!packet && packet.error().kind != Error::Kind::Protocol)
            return;
    }
}

void SupervisorLink::handle(const Packet &packet)
{
    const Json &message = packet.message;
    const std::string event = stringOr(message, "ev", "");
    if (event == "up" && m_started) {
        std::exchange(m_started, nullptr)(packet.senderPid);
    } else if (event == "exited") {
        const auto found = m_exits.extract(static_cast<pid_t>(integerOr(message, "pid", 0)));
        if (!found.empty() && found.mapped())
            found.mapped()(static_cast<int>(integerOr(message, "status", 0)));
    } else if (event == "answer") {
        const std::int64_t id = integerOr(message, "id", 0);
        const auto answer = m_answers.extract(id);
        const auto exit = m_newExits.extract(id);
        const std::string failure = stringOr(message, "error", "");
        const Json &value = memberOrNull(message, "value");
        if (!exit.empty() && failure.empty())
            m_exits[static_cast<pid_t>(value.get<std::int64_t>())] = std::move(exit.mapped());
        if (answer.empty())
            return;
        if (failure.empty())
            answer.mapped()(value);
        else
            answer.mapped()(Error{kindFromName(stringOr(message, "kind", "")), failure});
    }
}

void SupervisorLink::close()
{
    m_loop.unwatch(std::exchange(m_readWatch, 0));
    m_loop.unwatch(std::exchange(m_writeWatch, 0));
    m_socket.reset();
    m_outgoing.clear();
    m_newExits.clear();
    const std::shared_ptr<bool> alive = m_isAlive;
    const auto answers = std::exchange(m_answers, {});
    const auto exits = std::exchange(m_exits, {});
    for (const auto &[id, answer] : answers) {
        if (answer)
            answer(goneError());
    }
    for (const auto &[pid, exited] : exits) {
        if (*alive && exited)
            exited(9);
    }
    if (*alive && m_ended)
        std::exchange(m_ended, nullptr)();
}

} // namespace sandfish
