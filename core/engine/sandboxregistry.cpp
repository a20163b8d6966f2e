#include "core/engine/sandboxregistry.h"

#include "core/engine/randomid.h"
#include "core/engine/statefiles.h"

#include <filesystem>
#include <thread>
#include <utility>

namespace sandfish {
namespace {

constexpr std::size_t kMaxSandboxes = 256;
constexpr std::size_t kCapabilityBytes = 24;
constexpr std::chrono::seconds kShutDownPatience(3);

} // namespace

SandboxRegistry::SandboxRegistry(EventLoop &loop, const EngineFacts &facts)
    : m_loop(loop)
    , m_facts(facts)
{
}

Result<> SandboxRegistry::check(const SandboxSpec &spec) const
{
    if (m_sandboxes.size() >= kMaxSandboxes)
        return Error{Error::Kind::RateLimited, "Too many sandboxes are open. Kill one that is no longer needed."};
    if (!spec.hasNetwork && m_facts.isolation.level == IsolationLevel::None)
        return Error{Error::Kind::BadRequest, "The network cannot be switched off on this computer."};
    return {};
}

Result<> SandboxRegistry::resolveFolders(LocalSandboxSpec &spec) const
{
    for (FolderBind &folder : spec.common.folders) {
        const Result<FolderBind> resolved = resolvedFolder(folder, m_facts.stateDirectory, m_facts.isolation);
        if (!resolved)
            return resolved.error();
        if (resolved->path != folder.path)
            spec.aliases[folder.path] = resolved->path;
        folder = *resolved;
    }
    return {};
}

void SandboxRegistry::create(SandboxSpec spec, std::function<void(Result<SandboxPtr>)> done)
{
    Result<> checked = check(spec);
    LocalSandboxSpec full{
        std::move(spec), SandboxId{randomUuid()}, randomHex(kCapabilityBytes), std::chrono::system_clock::now(), {}};
    if (checked)
        checked = resolveFolders(full);
    if (!checked) {
        done(checked.error());
        return;
    }
    const std::string id = full.id.value;
    const auto sandbox = std::make_shared<LocalSandbox>(m_loop, m_facts, std::move(full));
    m_sandboxes[id] = sandbox;
    watch(sandbox);
    sandbox->start(
        [weak = std::weak_ptr(sandbox), done = std::move(done)](const Result<> &result) {
            const SandboxPtr strong = weak.lock();
            if (result && strong)
                done(strong);
            else
                done(result ? Error{Error::Kind::NotFound, "The sandbox has ended."} : result.error());
        },
        [this, id] { forget(id); });
}

void SandboxRegistry::adoptLeftovers()
{
    std::error_code failure;
    std::filesystem::directory_iterator folders(m_facts.stateDirectory + "/sandboxes", failure);
    for (const auto &entry : folders) {
        const Result<SandboxRecord> record = loadSandboxRecord(entry.path().string());
        const std::string id = entry.path().filename().string();
        if (record && !record->cgroup.empty())
            removeStaleCgroup(record->cgroup);
        const bool isOver = record && record->endsAt && *record->endsAt < std::chrono::system_clock::now();
        if (!record || record->spec.id.value != id || isOver) {
            removeFiles(id);
            continue;
        }
        const auto sandbox = std::make_shared<LocalSandbox>(m_loop, m_facts, record->spec);
        m_sandboxes[id] = sandbox;
        watch(sandbox);
        sandbox->adopt([this, id] { forget(id); });
    }
}

std::vector<SandboxRegistry::SandboxPtr> SandboxRegistry::all() const
{
    std::vector<SandboxPtr> found;
    for (const auto &[id, sandbox] : m_sandboxes) {
        if (sandbox->state() != SandboxState::Gone && sandbox->state() != SandboxState::Failed)
            found.push_back(sandbox);
    }
    return found;
}

SandboxRegistry::SandboxPtr SandboxRegistry::find(const std::string &id) const
{
    const auto found = m_sandboxes.find(id);
    return found == m_sandboxes.end() ? nullptr : found->second;
}

SandboxRegistry::SandboxPtr SandboxRegistry::findByCapability(const std::string &capability) const
{
    SandboxPtr match;
    for (const auto &[id, sandbox] : m_sandboxes) {
        if (equalsInConstantTime(sandbox->spec().capability, capability))
            match = sandbox;
    }
    return match && !match->isEnding() ? match : nullptr;
}

void SandboxRegistry::watch(const SandboxPtr &sandbox)
{
    sandbox->setStateChanged([this, weak = std::weak_ptr(sandbox)] {
        m_loop.post([this, sandbox = weak.lock()] {
            if (sandbox && m_observer)
                m_observer(*sandbox);
        });
    });
}

void SandboxRegistry::forget(const std::string &id)
{
    const auto sandbox = m_sandboxes.extract(id);
    if (sandbox.empty())
        return;
    if (!m_keepsFiles)
        removeFiles(id);
    // The sandbox is calling; it goes in a later turn.
    m_loop.post([keep = sandbox.mapped()] {});
    if (m_sandboxes.empty() && m_emptied) {
        m_loop.cancelTimer(std::exchange(m_emptyTimer, 0));
        m_loop.post(std::exchange(m_emptied, nullptr));
    }
}

void SandboxRegistry::removeFiles(const std::string &id) const
{
    // A home may hold millions of files; removing them must not hold up the loop.
    std::thread([path = m_facts.sandboxDirectory(id)] { removeFolder(path); }).detach();
}

void SandboxRegistry::shutDown(std::function<void()> done)
{
    if (m_sandboxes.empty()) {
        m_loop.post(std::move(done));
        return;
    }
    m_keepsFiles = true;
    m_emptied = std::move(done);
    m_emptyTimer = m_loop.startTimer(kShutDownPatience, [this] {
        if (m_emptied)
            std::exchange(m_emptied, nullptr)();
    });
    for (const auto &[id, sandbox] : m_sandboxes)
        m_loop.post([keep = sandbox] { keep->kill([](const Result<> &) {}); });
}

bool equalsInConstantTime(std::string_view a, std::string_view b)
{
    unsigned difference = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < b.size(); ++i)
        difference |= static_cast<unsigned char>(i < a.size() ? a[i] : 0) ^ static_cast<unsigned char>(b[i]);
    return difference == 0;
}

} // namespace sandfish
