#include "core/engine/sandboxfreezer.h"

#include "core/engine/pipes.h"

#include <thread>
#include <utility>

namespace sandfish {
namespace {

constexpr std::chrono::milliseconds kCheckInterval(1);
constexpr std::chrono::milliseconds kPatience(3000);

Error stuckError()
{
    return {Error::Kind::Timeout,
        "Not every process of the sandbox could be stopped, so it goes on. Try again, or interrupt what runs."};
}

} // namespace

SandboxFreezer::SandboxFreezer(EventLoop &loop, SupervisorLink &link, Cgroup *cgroup)
    : m_loop(loop)
    , m_link(link)
    , m_cgroup(cgroup)
{
}

SandboxFreezer::~SandboxFreezer()
{
    *m_isAlive = false;
    m_loop.cancelTimer(m_timer);
    m_loop.unwatch(m_reclaimWatch);
}

void SandboxFreezer::freeze(Done done)
{
    m_done = std::move(done);
    m_startedAt = std::chrono::steady_clock::now();
    if (!m_cgroup) {
        haltAll();
        return;
    }
    m_cgroup->freeze();
    checkFrozen();
}

void SandboxFreezer::checkFrozen()
{
    if (m_cgroup->isFrozen()) {
        std::exchange(m_done, nullptr)({});
        return;
    }
    // A process inside an uninterruptible call can hold the whole group up.
    if (std::chrono::steady_clock::now() - m_startedAt > kPatience) {
        m_cgroup->thaw();
        std::exchange(m_done, nullptr)(stuckError());
        return;
    }
    m_timer = m_loop.startTimer(kCheckInterval, [this] { checkFrozen(); });
}

void SandboxFreezer::haltAll()
{
    m_link.halt([this, alive = m_isAlive](const Result<Json> &answer) {
        if (!*alive)
            return;
        if (!answer)
            std::exchange(m_done, nullptr)(answer.error());
        else if (*answer == Json(true))
            std::exchange(m_done, nullptr)({});
        else
            m_link.proceed([this, alive](const Result<Json> &) {
                if (*alive)
                    std::exchange(m_done, nullptr)(stuckError());
            });
    });
}

void SandboxFreezer::thaw(Done done)
{
    if (m_cgroup) {
        m_cgroup->thaw();
        done({});
        return;
    }
    m_link.proceed(
        [done = std::move(done)](const Result<Json> &answer) { done(answer ? Result<>() : Result<>(answer.error())); });
}

void SandboxFreezer::handMemoryBack(std::int64_t residentBytes, std::function<void(bool)> done)
{
    UniqueFd file(m_cgroup ? m_cgroup->openReclaim() : UniqueFd());
    Result<PipePair> pipe = makePipe();
    if (!file.isOpen() || !pipe) {
        done(false);
        return;
    }
    m_loop.unwatch(m_reclaimWatch);
    m_reclaimed = std::move(pipe->readEnd);
    m_reclaimWatch =
        m_loop.watch(m_reclaimed.get(), EventLoop::Readiness::Read, [this, done = std::move(done)]() mutable {
            const std::function<void(bool)> call = std::move(done);
            m_loop.unwatch(std::exchange(m_reclaimWatch, 0));
            call(true);
        });
    // Asking for more than there is ends with EAGAIN after all has been taken.
    std::thread([file = std::move(file), end = std::move(pipe->writeEnd), text = std::to_string(residentBytes)] {
        [[maybe_unused]] const ssize_t written = ::write(file.get(), text.data(), text.size());
    }).detach();
}

} // namespace sandfish
