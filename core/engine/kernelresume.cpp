// How a runner is taken from a kept state, and leaves one behind (resources/runners/README.md §10).
#include "core/engine/kernelprocess.h"
#include "core/engine/randomid.h"

#include <algorithm>
#include <utility>

namespace sandfish {

void KernelProcess::resume(HolderLink &holder, const std::string &folder, Randomness randomness, std::string name)
{
    m_nonce = randomHex(8);
    m_demux = OutputDemux(m_nonce);
    m_name = std::move(name);
    SpawnRequest request;
    if (const Result<> prepared = preparePipes(request, false); !prepared) {
        finishLater(prepared.error().message);
        return;
    }
    std::sort(request.descriptors.begin(), request.descriptors.end(),
        [](const auto &left, const auto &right) { return left.second < right.second; });
    std::vector<UniqueFd> descriptors;
    for (auto &[fd, target] : request.descriptors)
        descriptors.push_back(std::move(fd));
    Json message{{"op", "resume"}, {"nonce", m_nonce}, {"path", folder}, {"seed", randomness == Randomness::Fresh}};
    m_awaitsHead = true;
    watchPipes();
    holder.resume(message, descriptors, [this, alive = m_isAlive](const Error &error) {
        if (*alive && std::exchange(m_awaitsHead, false))
            finishLater(error.message);
    });
}

// The supervisor hears of its end only when it knows it.
void KernelProcess::adopt(const Json &ready)
{
    m_awaitsHead = false;
    const auto answered = [this, alive = m_isAlive, ready](Result<Json> answer) {
        if (*alive)
            adopted(std::move(answer), ready);
    };
    const auto ended = [this, alive = m_isAlive](int status) {
        if (*alive)
            exited(status);
    };
    m_link.adopt(static_cast<pid_t>(integerOr(ready, "pid", 0)), answered, ended);
}

void KernelProcess::adopted(Result<Json> answer, const Json &ready)
{
    if (!answer) {
        finish(answer.error().message);
        return;
    }
    m_pid = static_cast<pid_t>(answer->get<std::int64_t>());
    if (m_wasKilled) {
        killJob();
        return;
    }
    m_handlers.event(ready);
    m_handlers.turnEnded();
}

Result<std::shared_ptr<HolderLink>> KernelProcess::checkpoint(int id)
{
    Result<PacketSocketPair> sockets = makePacketSocketPair();
    if (!sockets)
        return sockets.error();
    // Such a state could not be gone back to, or would only look like it.
    const Json message{{"op", "checkpoint"}, {"id", id}, {"unless", Json::array({"children", "gpu"})}};
    m_commands->write(dumpJson(message) + "\n", std::move(sockets->supervisor));
    auto holder = std::make_shared<HolderLink>(m_loop, std::move(sockets->daemon));
    m_newestHolder = holder;
    return holder;
}

// A holder that is just being forked is still one of the job.
void KernelProcess::killJob()
{
    const auto kill = [&link = m_link, pid = m_pid] { link.killJob(pid); };
    if (const std::shared_ptr<HolderLink> holder = m_newestHolder.lock())
        holder->whenSettled(kill);
    else
        kill();
}

void KernelProcess::abandon()
{
    m_handlers = {[](StreamText::Channel, std::string_view) {}, [](const Json &) {}, [] {}, [](const KernelEnd &) {}};
    kill();
}

void KernelProcess::finishLater(std::string reason)
{
    m_loop.post([this, alive = m_isAlive, reason = std::move(reason)] {
        if (*alive)
            finish(reason);
    });
}

} // namespace sandfish
