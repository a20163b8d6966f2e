#include "tests/support/scriptedprovider.h"

#include <QTimer>

namespace sandfish::test {

using namespace Qt::StringLiterals;

ScriptedProvider::ScriptedProvider(QObject *parent)
    : Provider(parent)
    , m_capabilities(Capability::Create | Capability::Pause | Capability::MultipleContexts | Capability::Interrupt
          | Capability::Stdin | Capability::FolderBinds)
{
}

void ScriptedProvider::release()
{
    m_isHeld = false;
    const auto held = std::exchange(m_held, {});
    for (const auto &work : held)
        work();
}

void ScriptedProvider::changeSandbox(const SandboxInfo &info)
{
    m_sandboxes[info.id] = info;
    emit sandboxChanged(info);
}

std::shared_ptr<ScriptedContext> ScriptedProvider::addContext(const SandboxId &id, const ContextInfo &info)
{
    auto context = std::make_shared<ScriptedContext>(info.language);
    context->setInfo(info, id);
    context->setDefaultScript(m_script);
    context->states().areKept = m_keepsCheckpoints;
    context->states().makeBranch = [this, origin = context.get()](
                                       const CheckpointInfo &at) { return addBranch(*origin, at); };
    m_contexts.push_back(context);
    return context;
}

ContextInfo ScriptedProvider::addBranch(const ScriptedContext &origin, const CheckpointInfo &at)
{
    ContextInfo info = origin.info();
    info.id.value += "-branch-" + at.ref.id;
    addContext(origin.sandboxId(), info)->setExecutionCount(at.executionCount);
    return info;
}

QString ScriptedProvider::id() const
{
    return u"scripted"_s;
}

QString ScriptedProvider::displayName() const
{
    return u"Scripted"_s;
}

// The work runs in a later turn, as the answer of a service does.
template <typename T> Request ScriptedProvider::reply(QObject *receiver, Done<T> done, std::function<Result<T>()> work)
{
    const Completion<T> completion(receiver, std::move(done));
    const auto answer = [this, completion, work = std::move(work)] {
        if (!completion.isPending())
            return;
        if (const auto error = std::exchange(m_nextError, std::nullopt))
            completion.finish(*error);
        else
            completion.finish(work());
    };
    if (m_isHeld)
        m_held.emplace_back(answer);
    else
        QTimer::singleShot(0, this, answer);
    return completion.request();
}

Result<SandboxInfo> ScriptedProvider::find(const SandboxId &id) const
{
    const auto it = m_sandboxes.find(id);
    if (it == m_sandboxes.end())
        return Error{Error::Kind::NotFound, "The sandbox no longer exists.", {}, 404};
    return it->second;
}

Result<SandboxInfo> ScriptedProvider::moveTo(const SandboxId &id, SandboxState state)
{
    Result<SandboxInfo> info = find(id);
    if (!info)
        return info;
    info->state = state;
    changeSandbox(*info);
    return info;
}

Request ScriptedProvider::list(QObject *receiver, Done<std::vector<SandboxInfo>> done)
{
    return reply<std::vector<SandboxInfo>>(receiver, std::move(done), [this] {
        std::vector<SandboxInfo> all;
        for (const auto &[id, info] : m_sandboxes)
            all.push_back(info);
        return all;
    });
}

Request ScriptedProvider::info(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done)
{
    return reply<SandboxInfo>(receiver, std::move(done), [this, id] { return find(id); });
}

Request ScriptedProvider::create(const SandboxSpec &spec, QObject *receiver, Done<SandboxInfo> done)
{
    return reply<SandboxInfo>(receiver, std::move(done), [this, spec]() -> Result<SandboxInfo> {
        m_created.push_back(spec);
        SandboxInfo info;
        info.id.value = "sandbox-" + std::to_string(m_created.size());
        info.name = spec.name.empty() ? info.id.value : spec.name;
        info.templateName = spec.templateName;
        info.state = SandboxState::Running;
        info.pauseKeeps = PauseKeeps::FilesAndMemory;
        info.folders = spec.folders;
        changeSandbox(info);
        return info;
    });
}

Request ScriptedProvider::kill(const SandboxId &id, QObject *receiver, Done<> done)
{
    return reply<std::monostate>(receiver, std::move(done), [this, id]() -> Result<> {
        const Result<SandboxInfo> info = moveTo(id, SandboxState::Gone);
        m_sandboxes.erase(id);
        return info ? Result<>() : Result<>(info.error());
    });
}

Request ScriptedProvider::pause(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done)
{
    return reply<SandboxInfo>(receiver, std::move(done), [this, id] { return moveTo(id, SandboxState::Paused); });
}

Request ScriptedProvider::resume(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done)
{
    return reply<SandboxInfo>(receiver, std::move(done), [this, id] { return moveTo(id, SandboxState::Running); });
}

Request ScriptedProvider::stop(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done)
{
    return reply<SandboxInfo>(receiver, std::move(done), [this, id] { return moveTo(id, SandboxState::Stopped); });
}

Request ScriptedProvider::listContexts(const SandboxId &id, QObject *receiver, Done<std::vector<ContextInfo>> done)
{
    return reply<std::vector<ContextInfo>>(receiver, std::move(done), [this, id] {
        std::vector<ContextInfo> all;
        for (const auto &context : m_contexts) {
            if (context->sandboxId() == id)
                all.push_back(context->info());
        }
        return all;
    });
}

Request ScriptedProvider::openContext(
    const SandboxId &id, const ContextSpec &spec, QObject *receiver, Done<std::shared_ptr<Context>> done)
{
    return reply<std::shared_ptr<Context>>(
        receiver, std::move(done), [this, id, spec]() -> Result<std::shared_ptr<Context>> {
            if (const Result<SandboxInfo> info = find(id); !info)
                return info.error();
            m_opened.push_back(spec);
            return std::shared_ptr<Context>(addContext(
                id, {{"context-" + std::to_string(m_opened.size())}, spec.language, spec.cwd, ContextState::Idle}));
        });
}

Request ScriptedProvider::attachContext(
    const SandboxId &id, const ContextInfo &context, QObject *receiver, Done<std::shared_ptr<Context>> done)
{
    return reply<std::shared_ptr<Context>>(
        receiver, std::move(done), [this, id, context]() -> Result<std::shared_ptr<Context>> {
            for (const auto &known : m_contexts) {
                if (known->sandboxId() == id && known->info().id == context.id)
                    return std::shared_ptr<Context>(known);
            }
            return Error{Error::Kind::NotFound, "The context no longer exists.", {}, 404};
        });
}

Request ScriptedProvider::closeContext(const SandboxId &id, const ContextId &context, QObject *receiver, Done<> done)
{
    return reply<std::monostate>(receiver, std::move(done), [this, id, context]() -> Result<> {
        std::erase_if(
            m_contexts, [&](const auto &known) { return known->sandboxId() == id && known->info().id == context; });
        return {};
    });
}

} // namespace sandfish::test
