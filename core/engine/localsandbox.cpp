#include "core/engine/localsandbox.h"

#include "core/engine/randomid.h"
#include "core/engine/statefiles.h"

#include <algorithm>
#include <utility>

namespace sandfish {
namespace {

// A process inside an uninterruptible call outlives its SIGKILL until the call returns.
constexpr std::chrono::seconds kKillPatience(3);

} // namespace

LocalSandbox::LocalSandbox(EventLoop &loop, const EngineFacts &facts, LocalSandboxSpec spec)
    : m_loop(loop)
    , m_facts(facts)
    , m_spec(std::move(spec))
    , m_clock(loop)
    , m_nodeSpares(loop, m_clock, [this] { return makeContext(Language::JavaScript, kSandboxHome); })
    , m_zygote(loop, m_clock, [this] { return services(); })
{
}

LocalSandbox::~LocalSandbox()
{
    *m_isAlive = false;
    m_loop.cancelTimer(m_killTimer);
    m_contexts.clear();
}

void LocalSandbox::setState(SandboxState state)
{
    if (std::exchange(m_state, state) != state && m_stateChanged)
        m_stateChanged();
}

Result<> LocalSandbox::prepareFolders() const
{
    const std::string base = m_facts.sandboxDirectory(m_spec.id.value);
    for (const char *name : {"/home", "/tmp", "/spool"}) {
        if (Result<> made = makeFolder(base + name); !made)
            return made;
    }
    return {};
}

void LocalSandbox::start(Done done, std::function<void()> gone)
{
    m_gone = std::move(gone);
    m_changes.push_back({SandboxState::Running, std::move(done)});
    launch();
}

void LocalSandbox::adopt(std::function<void()> gone)
{
    m_gone = std::move(gone);
    m_hasRun = true;
    setState(SandboxState::Stopped);
}

void LocalSandbox::launch()
{
    setState(SandboxState::Creating);
    if (const Result<> prepared = prepareFolders(); !prepared) {
        m_loop.post([this, alive = m_isAlive, prepared] {
            if (!*alive)
                return;
            started(prepared);
            processEnded();
        });
        return;
    }
    m_process = std::make_unique<SandboxProcess>(m_loop, m_facts, m_spec.id.value);
    m_process->start(
        m_spec, [this](const Result<> &result) { started(result); }, [this] { processEnded(); });
}

void LocalSandbox::started(const Result<> &result)
{
    if (m_state != SandboxState::Creating)
        return;
    if (result) {
        m_freezer = std::make_unique<SandboxFreezer>(m_loop, m_process->link(), m_process->cgroup());
        setState(SandboxState::Running);
        m_hasRun = true;
        m_clock.resume();
        setTimeout(m_spec.common.timeout.count() > 0 ? std::optional(m_spec.common.timeout) : std::nullopt);
        defaultContext(Language::Python)->warmUp();
        defaultContext(Language::JavaScript);
    } else {
        setState(SandboxState::Failed);
    }
    answerChange(result);
    continueChanges();
}

void LocalSandbox::processEnded()
{
    const bool isHalted = std::exchange(m_isHalting, false);
    const bool isKilled = m_state == SandboxState::Stopping && !isHalted;
    setState(isKilled || !m_hasRun ? SandboxState::Gone : SandboxState::Stopped);
    m_clock.cancel(std::exchange(m_expiry, 0));
    endContexts("The sandbox has ended.");
    if (!isHalted)
        refuseChanges();
    m_loop.cancelTimer(std::exchange(m_killTimer, 0));
    // Both are calling, or held by what calls.
    m_loop.post([contexts = std::exchange(m_contexts, {}), freezer = std::shared_ptr(std::move(m_freezer)),
                    process = std::shared_ptr(std::move(m_process))] {});
    m_defaults.clear();
    const std::vector<Done> waiters = std::exchange(m_killWaiters, {});
    if (m_state == SandboxState::Gone && m_gone)
        std::exchange(m_gone, nullptr)();
    for (const Done &done : waiters)
        done({});
    if (isHalted)
        continueChanges();
}

void LocalSandbox::endContexts(const std::string &reason)
{
    for (const ContextPtr &context : m_contexts)
        context->shutDown(reason);
    m_nodeSpares.clear();
    m_zygote.clear();
}

void LocalSandbox::saveRecord() const
{
    SandboxRecord record{m_spec, info().endsAt, ""};
    if (m_process && m_process->cgroup())
        record.cgroup = m_process->cgroup()->path();
    // Without the record the sandbox works all the same; only a later daemon would not find its files.
    [[maybe_unused]] const Result<> saved = saveSandboxRecord(m_facts.sandboxDirectory(m_spec.id.value), record);
}

void LocalSandbox::pause(Done done)
{
    m_changes.push_back({SandboxState::Paused, std::move(done)});
    continueChanges();
}

void LocalSandbox::resume(Done done)
{
    m_changes.push_back({SandboxState::Running, std::move(done)});
    continueChanges();
}

void LocalSandbox::stop(Done done)
{
    m_changes.push_back({SandboxState::Stopped, std::move(done)});
    continueChanges();
}

// Pauses, resumes and stops take effect in the order in which they were asked for; one that is under way comes back
// here.
void LocalSandbox::continueChanges()
{
    while (!m_changes.empty()) {
        const SandboxState wanted = m_changes.front().wanted;
        if (m_state == SandboxState::Creating || m_state == SandboxState::Pausing || m_state == SandboxState::Resuming
            || m_isHalting)
            return;
        if (m_state == wanted) {
            answerChange({});
        } else if (wanted == SandboxState::Paused && m_state == SandboxState::Running) {
            setState(SandboxState::Pausing);
            m_freezer->freeze([this](const Result<> &result) { paused(result); });
        } else if (wanted == SandboxState::Running && m_state == SandboxState::Paused) {
            setState(SandboxState::Resuming);
            m_freezer->thaw([this, alive = m_isAlive](const Result<> &result) {
                if (*alive)
                    resumed(result);
            });
        } else if (wanted == SandboxState::Running && m_state == SandboxState::Stopped) {
            launch();
        } else if (wanted == SandboxState::Stopped
            && (m_state == SandboxState::Running || m_state == SandboxState::Paused)) {
            halt();
        } else {
            answerChange(stateError());
        }
    }
}

void LocalSandbox::halt()
{
    setState(SandboxState::Stopping);
    m_isHalting = true;
    endContexts("The sandbox was stopped.");
    m_killTimer = m_loop.startTimer(kKillPatience, [this] { answerChange({}); });
    m_process->kill();
}

Error LocalSandbox::stateError() const
{
    return {Error::Kind::Conflict, "The sandbox is " + std::string(sandboxStateName(m_state)) + "."};
}

void LocalSandbox::answerChange(const Result<> &result)
{
    const Done done = std::move(m_changes.front().done);
    m_changes.pop_front();
    done(result);
}

void LocalSandbox::refuseChanges()
{
    for (const Change &change : std::exchange(m_changes, {}))
        change.done(Error{Error::Kind::NotFound, "The sandbox has ended."});
}

void LocalSandbox::paused(const Result<> &result)
{
    // Killed meanwhile.
    if (m_state != SandboxState::Pausing)
        return;
    setState(result ? SandboxState::Paused : SandboxState::Running);
    if (result)
        m_clock.pause();
    answerChange(result);
    continueChanges();
    if (m_state == SandboxState::Paused)
        m_freezer->handMemoryBack(
            m_process->residentBytes(), [this](bool isHandedBack) { m_hasHandedMemoryBack = isHandedBack; });
}

void LocalSandbox::resumed(const Result<> &result)
{
    if (m_state != SandboxState::Resuming)
        return;
    setState(result ? SandboxState::Running : SandboxState::Paused);
    m_hasHandedMemoryBack = false;
    if (result)
        m_clock.resume();
    answerChange(result);
    continueChanges();
}

void LocalSandbox::kill(Done done)
{
    if (m_state == SandboxState::Gone) {
        done({});
        return;
    }
    m_killWaiters.push_back(std::move(done));
    const bool wasHalting = std::exchange(m_isHalting, false);
    const bool isUnderWay = m_state == SandboxState::Stopping && !wasHalting;
    setState(SandboxState::Stopping);
    if (isUnderWay)
        return;
    refuseChanges();
    endContexts("The sandbox was ended.");
    if (!m_process) {
        processEnded();
        return;
    }
    m_loop.cancelTimer(m_killTimer);
    m_killTimer = m_loop.startTimer(kKillPatience, [this] { answerKills(); });
    m_process->kill();
}

void LocalSandbox::answerKills()
{
    for (const Done &done : std::exchange(m_killWaiters, {}))
        done({});
}

void LocalSandbox::setTimeout(std::optional<std::chrono::milliseconds> timeout)
{
    m_clock.cancel(std::exchange(m_expiry, 0));
    if (timeout)
        m_expiry = m_clock.start(*timeout, [this] { kill([](const Result<> &) {}); });
    saveRecord();
}

LocalSandbox::ContextPtr LocalSandbox::makeContext(Language language, const std::string &cwd)
{
    return std::make_shared<KernelContext>(services(), ContextId{randomUuid()}, language, cwd, insidePath(cwd));
}

LocalSandbox::ContextPtr LocalSandbox::addContext(Language language, const std::string &cwd)
{
    ContextPtr context = makeContext(language, cwd);
    m_contexts.push_back(context);
    return context;
}

LocalSandbox::ContextPtr LocalSandbox::findContext(const std::string &id) const
{
    const auto found = std::find_if(
        m_contexts.begin(), m_contexts.end(), [&](const ContextPtr &context) { return context->id().value == id; });
    return found == m_contexts.end() ? nullptr : *found;
}

LocalSandbox::ContextPtr LocalSandbox::defaultContext(Language language)
{
    if (ContextPtr context = findContext(m_defaults[language]))
        return context;
    ContextPtr context = addContext(language, kSandboxHome);
    m_defaults[language] = context->id().value;
    return context;
}

} // namespace sandfish
