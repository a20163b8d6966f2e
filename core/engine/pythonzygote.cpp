#include "core/engine/pythonzygote.h"

#include "core/engine/kernellaunch.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <utility>

namespace sandfish {
namespace {

// The cells of the notebook go before it.
constexpr std::chrono::seconds kStartDelay(1);
constexpr std::chrono::minutes kKeptIdle(10);
constexpr std::array kPreloadable{"numpy", "pandas", "matplotlib.pyplot"};

} // namespace

PythonZygote::PythonZygote(EventLoop &loop, PausableClock &clock, Services services)
    : m_loop(loop)
    , m_clock(clock)
    , m_services(std::move(services))
{
}

PythonZygote::~PythonZygote()
{
    *m_isAlive = false;
    m_clock.cancel(m_startTimer);
    m_clock.cancel(m_idleTimer);
}

void PythonZygote::want(const std::vector<std::string> &modules)
{
    const std::size_t before = m_modules.size();
    for (const char *name : kPreloadable) {
        if (std::find(modules.begin(), modules.end(), name) != modules.end())
            m_modules.insert(name);
    }
    const bool isThere = m_holder || m_next || m_startTimer != 0;
    if (m_modules.size() > before || (!isThere && !m_modules.empty()))
        startLater();
}

HolderLink *PythonZygote::take()
{
    if (!m_holder || !m_holder->isHeld())
        return nullptr;
    m_clock.cancel(m_idleTimer);
    m_idleTimer = m_clock.start(kKeptIdle, [this] { giveUp(); });
    return m_holder.get();
}

void PythonZygote::renew()
{
    giveUp();
    startLater();
}

void PythonZygote::clear()
{
    giveUp();
    m_modules.clear();
}

void PythonZygote::giveUp()
{
    m_clock.cancel(std::exchange(m_startTimer, 0));
    m_clock.cancel(std::exchange(m_idleTimer, 0));
    for (const auto &link : {m_holder, m_next}) {
        if (link)
            link->setEnded(nullptr);
    }
    // Either may be calling.
    m_loop.post([holder = std::exchange(m_holder, nullptr), next = std::exchange(m_next, nullptr)] {});
}

void PythonZygote::startLater()
{
    m_clock.cancel(m_startTimer);
    m_startTimer = m_clock.start(kStartDelay, [this] {
        m_startTimer = 0;
        start();
    });
}

void PythonZygote::start()
{
    const ContextServices services = m_services();
    Result<std::vector<std::string>> arguments =
        runnerArguments(Language::Python, services.interpreters, services.runners);
    Result<PacketSocketPair> sockets = makePacketSocketPair();
    if (!arguments || !sockets || services.isUnderPressure())
        return;
    std::string names;
    for (const std::string &name : m_modules)
        names += (names.empty() ? "" : ",") + name;
    SpawnRequest request;
    request.arguments = arguments.take();
    request.arguments.insert(request.arguments.end(), {"--preload", names, "--hold"});
    request.environment = services.environment;
    request.environment.push_back("SANDFISH_NONCE=00000000");
    request.workingDirectory = "/";
    for (int target : {0, 1, 2})
        request.descriptors.emplace_back(UniqueFd(::open("/dev/null", O_RDWR | O_CLOEXEC)), target);
    request.descriptors.emplace_back(std::move(sockets->supervisor), 3);
    m_next = std::make_shared<HolderLink>(m_loop, std::move(sockets->daemon));
    m_next->setHeld([this, alive = m_isAlive] {
        if (!*alive)
            return;
        m_clock.cancel(m_idleTimer);
        m_loop.post([old = std::exchange(m_holder, std::exchange(m_next, nullptr))] {});
        m_idleTimer = m_clock.start(kKeptIdle, [this] { giveUp(); });
    });
    m_next->setEnded([this, alive = m_isAlive] {
        if (*alive)
            giveUp();
    });
    services.link.spawn(
        std::move(request), [](const Result<Json> &) {}, [](int) {});
}

} // namespace sandfish
