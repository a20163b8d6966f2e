#include "core/session/contextpool.h"

#include "core/providers/provider.h"

#include <algorithm>

namespace sandfish {
namespace {

bool isMoreUsed(const ContextInfo &one, const ContextInfo &other)
{
    return one.executionCount.value_or(0) > other.executionCount.value_or(0);
}

} // namespace

void ContextPool::setSandbox(
    Provider *provider, const SandboxId &sandbox, const std::string &cwd, std::vector<ContextInfo> existing)
{
    m_provider = provider;
    m_sandbox = sandbox;
    m_cwd = cwd;
    // The engine makes contexts by itself, and a notebook that comes back wants the one that has its variables.
    std::stable_sort(existing.begin(), existing.end(), isMoreUsed);
    for (const ContextInfo &context : existing)
        if (context.state != ContextState::Dead)
            attach(context);
    for (const Waiting &waiting : std::vector<Waiting>(m_waiting))
        open(waiting.language);
}

void ContextPool::reset(const Error &reason)
{
    m_provider = nullptr;
    m_sandbox = {};
    m_dead.clear();
    for (const auto &[language, request] : std::exchange(m_opening, {}))
        request.cancel();
    for (const auto &[language, context] : std::exchange(m_contexts, {}))
        context->disconnect(this);
    for (const Waiting &waiting : std::exchange(m_waiting, {}))
        waiting.completion.finish(reason);
    emit changed();
}

Request ContextPool::contextFor(const std::string &language, QObject *receiver, Done<std::shared_ptr<Context>> done)
{
    const Completion<std::shared_ptr<Context>> completion(receiver, std::move(done));
    const auto known = m_contexts.find(language);
    if (known != m_contexts.end() && known->second->state() != Context::State::Dead) {
        completion.finish(known->second);
        return completion.request();
    }
    m_waiting.push_back({language, completion});
    if (m_provider)
        open(language);
    return completion.request();
}

void ContextPool::open(const std::string &language)
{
    if (m_opening.contains(language))
        return;
    const auto dead = m_dead.find(language);
    if (dead == m_dead.end()) {
        create(language);
        return;
    }
    const ContextInfo context = dead->second;
    m_dead.erase(dead);
    attach(context);
}

void ContextPool::create(const std::string &language)
{
    m_opening[language] = m_provider->openContext(m_sandbox, {language, m_cwd}, this,
        [this, language, sandbox = m_sandbox](const Result<std::shared_ptr<Context>> &context) {
            if (sandbox == m_sandbox && m_opening.contains(language))
                opened(language, context);
        });
}

void ContextPool::attach(const ContextInfo &context)
{
    const std::string language = context.language;
    if (!m_provider || m_contexts.contains(language) || m_opening.contains(language))
        return;
    m_opening[language] = m_provider->attachContext(m_sandbox, context, this,
        [this, language, sandbox = m_sandbox](const Result<std::shared_ptr<Context>> &attached) {
            if (sandbox != m_sandbox || !m_opening.contains(language))
                return;
            const bool isWanted = std::any_of(
                m_waiting.begin(), m_waiting.end(), [&](const Waiting &w) { return w.language == language; });
            m_opening.erase(language);
            if (attached)
                opened(language, attached);
            else if (isWanted)
                create(language);
        });
}

void ContextPool::opened(const std::string &language, const Result<std::shared_ptr<Context>> &context)
{
    m_opening.erase(language);
    if (context)
        add(language, *context);
    for (const Waiting &waiting : takeWaiting(language))
        waiting.completion.finish(context);
}

std::vector<ContextPool::Waiting> ContextPool::takeWaiting(const std::string &language)
{
    const auto isOther = [&](const Waiting &waiting) { return waiting.language != language; };
    const auto first = std::stable_partition(m_waiting.begin(), m_waiting.end(), isOther);
    std::vector<Waiting> taken(first, m_waiting.end());
    m_waiting.erase(first, m_waiting.end());
    return taken;
}

void ContextPool::add(const std::string &language, const std::shared_ptr<Context> &context)
{
    m_contexts[language] = context;
    connect(context.get(), &Context::stateChanged, this, &ContextPool::changed);
    connect(context.get(), &Context::infoChanged, this, &ContextPool::infoChanged);
    connect(context.get(), &Context::connectionLost, this, &ContextPool::lost);
    emit changed();
}

void ContextPool::dropDead()
{
    const auto before = m_contexts.size();
    std::erase_if(m_contexts, [this](const auto &entry) {
        const bool isDead = entry.second->state() == Context::State::Dead;
        if (isDead) {
            entry.second->disconnect(this);
            m_dead[entry.first] = entry.second->info();
        }
        return isDead;
    });
    if (m_contexts.size() != before)
        emit changed();
}

void ContextPool::drop(const std::string &language)
{
    const auto it = m_contexts.find(language);
    if (it == m_contexts.end())
        return;
    it->second->disconnect(this);
    m_contexts.erase(it);
    emit changed();
}

bool ContextPool::isReconnecting() const
{
    return std::any_of(m_contexts.begin(), m_contexts.end(),
        [](const auto &entry) { return entry.second->state() == Context::State::Reconnecting; });
}

} // namespace sandfish
