#include "core/providers/lizard/lizardprovider.h"

#include "core/providers/lizard/lizardcontext.h"
#include "core/providers/lizard/lizardlink.h"

#include <algorithm>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;
using Verb = HttpCall::Verb;

Error misunderstood()
{
    return Error{Error::Kind::Protocol,
        QObject::tr("The service's answer about the sandbox cannot be understood. Refresh and try again.")
            .toStdString(),
        {}};
}

Done<Json> ignoringBody(Done<> done)
{
    return
        [done = std::move(done)](const Result<Json> &answer) { done(answer ? Result<>() : Result<>(answer.error())); };
}

// Two requests, one handle: \a completion ends when either fails or the second has answered.
void chain(const Completion<SandboxInfo> &completion, const Request &request)
{
    completion.setStop([request] { request.cancel(); });
}

} // namespace

LizardProvider::LizardProvider(Config config, std::unique_ptr<EndpointSource> source, QObject *parent)
    : Provider(parent)
    , m_config(std::move(config))
    , m_link(std::make_shared<LizardLink>(std::move(source)))
{
    connect(m_link.get(), &LizardLink::reachabilityChanged, this, &Provider::reachabilityChanged);
}

LizardProvider::LizardProvider(
    Config config, const QUrl &apiUrl, const QByteArray &apiKey, const QString &projectId, QObject *parent)
    : LizardProvider(
        std::move(config), std::make_unique<FixedEndpoint>(LizardEndpoint{apiUrl, apiKey, projectId}), parent)
{
}

LizardProvider::~LizardProvider() = default;

Provider::Capabilities LizardProvider::capabilities() const
{
    return Lizard::capabilitiesOf(m_link->engine());
}

Request LizardProvider::list(QObject *receiver, Done<std::vector<SandboxInfo>> done)
{
    const Completion<std::vector<SandboxInfo>> completion(receiver, std::move(done));
    const Request inner =
        m_link->control(Verb::Get, u"/api/sandboxes"_s, {}, this, [this, completion](const Result<Json> &answer) {
            if (!answer || !answer->is_array()) {
                completion.finish(answer ? misunderstood() : answer.error());
                return;
            }
            std::vector<SandboxInfo> all = Lizard::parseSandboxes(*answer);
            for (SandboxInfo &info : all) {
                // The seed lists no state; what a pause has told stays true until something else is told.
                const auto known = m_known.find(info.id);
                if (info.rawState.empty() && known != m_known.end())
                    info.state = known->second.state;
                remember(info);
            }
            completion.finish(std::move(all));
        });
    completion.setStop([inner] { inner.cancel(); });
    return completion.request();
}

Request LizardProvider::info(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done)
{
    const Completion<SandboxInfo> completion(receiver, std::move(done));
    chain(completion,
        m_link->control(
            Verb::Get, Lizard::sandboxPath(id), {}, this, [this, id, completion](const Result<Json> &answer) {
                if (!answer) {
                    if (answer.error().kind == Error::Kind::NotFound || answer.error().kind == Error::Kind::Gone)
                        noteGone(id);
                    completion.finish(answer.error());
                    return;
                }
                SandboxInfo info = Lizard::parseSandbox(*answer);
                if (info.id.isEmpty()) {
                    completion.finish(misunderstood());
                    return;
                }
                const auto known = m_known.find(id);
                if (info.rawState.empty() && known != m_known.end())
                    info.state = known->second.state;
                remember(info);
                completion.finish(info);
            }));
    return completion.request();
}

Request LizardProvider::create(const SandboxSpec &spec, QObject *receiver, Done<SandboxInfo> done)
{
    const Completion<SandboxInfo> completion(receiver, std::move(done));
    m_link->whenConnected([this, spec, completion](const Result<> &ready) {
        if (!ready) {
            m_link->noteReachability(&ready.error());
            completion.finish(ready.error());
            return;
        }
        const std::string project = m_link->endpoint().projectId.toStdString();
        const std::string body = Lizard::createBody(spec, project, m_link->engine().has_value());
        chain(completion,
            m_link->control(
                Verb::Post, u"/api/sandboxes"_s, body, this, [this, completion](const Result<Json> &answer) {
                    const SandboxInfo made = answer ? Lizard::parseSandbox(*answer) : SandboxInfo();
                    if (!answer || made.id.isEmpty()) {
                        completion.finish(answer ? misunderstood() : answer.error());
                    } else if (!made.rawState.empty()) {
                        remember(made);
                        completion.finish(made);
                    } else {
                        chain(completion, info(made.id, this, [completion](const Result<SandboxInfo> &info) {
                            completion.finish(info);
                        }));
                    }
                }));
    });
    return completion.request();
}

Request LizardProvider::kill(const SandboxId &id, QObject *receiver, Done<> done)
{
    const Completion<> completion(receiver, std::move(done));
    const Request inner = m_link->control(
        Verb::Delete, Lizard::sandboxPath(id), {}, this, [this, id, completion](const Result<Json> &answer) {
            const bool isGone =
                answer || answer.error().kind == Error::Kind::NotFound || answer.error().kind == Error::Kind::Gone;
            if (isGone)
                noteGone(id);
            completion.finish(isGone ? Result<>() : Result<>(answer.error()));
        });
    completion.setStop([inner] { inner.cancel(); });
    return completion.request();
}

Request LizardProvider::pause(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done)
{
    return changeState(id, u"/pause"_s, SandboxState::Paused, receiver, std::move(done));
}

Request LizardProvider::resume(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done)
{
    return changeState(id, u"/resume"_s, SandboxState::Running, receiver, std::move(done));
}

// The seed's answer says nothing, so the state it stands for is taken as reached, and the rest asked for.
Request LizardProvider::changeState(
    const SandboxId &id, const QString &verb, SandboxState reached, QObject *receiver, Done<SandboxInfo> done)
{
    const Completion<SandboxInfo> completion(receiver, std::move(done));
    chain(completion,
        m_link->control(Verb::Post, Lizard::sandboxPath(id, verb), {}, this,
            [this, id, reached, completion](const Result<Json> &answer) {
                if (!answer) {
                    if (answer.error().kind == Error::Kind::NotFound)
                        noteGone(id);
                    completion.finish(answer.error());
                    return;
                }
                const SandboxInfo told = Lizard::parseSandbox(*answer);
                if (!told.id.isEmpty() && !told.rawState.empty()) {
                    remember(told);
                    completion.finish(told);
                    return;
                }
                m_known[id].id = id;
                m_known[id].state = reached;
                chain(completion,
                    info(id, this, [completion](const Result<SandboxInfo> &info) { completion.finish(info); }));
            }));
    return completion.request();
}

Request LizardProvider::setTimeout(
    const SandboxId &id, std::chrono::milliseconds timeout, QObject *receiver, Done<> done)
{
    const std::string body = dumpJson({{"timeoutMs", timeout.count()}});
    return m_link->control(
        Verb::Post, Lizard::sandboxPath(id, u"/timeout"_s), body, receiver, ignoringBody(std::move(done)));
}

Request LizardProvider::listContexts(const SandboxId &id, QObject *receiver, Done<std::vector<ContextInfo>> done)
{
    const Completion<std::vector<ContextInfo>> completion(receiver, std::move(done));
    m_link->whenConnected([this, id, completion](const Result<> &ready) {
        if (!ready) {
            completion.finish(ready.error());
            return;
        }
        const QString path = m_link->engine() ? u"/v1/contexts"_s : u"/contexts"_s;
        const Request inner = m_link->code(id, Verb::Get, path, {}, this, [completion](const Result<Json> &answer) {
            if (answer)
                completion.finish(Lizard::parseContexts(*answer));
            else
                completion.finish(answer.error());
        });
        completion.setStop([inner] { inner.cancel(); });
    });
    return completion.request();
}

Request LizardProvider::openContext(
    const SandboxId &id, const ContextSpec &spec, QObject *receiver, Done<std::shared_ptr<Context>> done)
{
    const Completion<std::shared_ptr<Context>> completion(receiver, std::move(done));
    const Request inner = m_link->code(id, Verb::Post, u"/contexts"_s, Lizard::contextBody(spec), this,
        [this, id, completion](const Result<Json> &answer) {
            const ContextInfo info = answer ? Lizard::parseContext(*answer) : ContextInfo();
            if (!answer || info.id.isEmpty())
                completion.finish(answer ? misunderstood() : answer.error());
            else
                completion.finish(makeContext(id, info));
        });
    completion.setStop([inner] { inner.cancel(); });
    return completion.request();
}

Request LizardProvider::attachContext(
    const SandboxId &id, const ContextInfo &context, QObject *receiver, Done<std::shared_ptr<Context>> done)
{
    const Completion<std::shared_ptr<Context>> completion(receiver, std::move(done));
    const Request inner =
        listContexts(id, this, [this, id, context, completion](const Result<std::vector<ContextInfo>> &contexts) {
            if (!contexts) {
                completion.finish(contexts.error());
                return;
            }
            const auto it = std::find_if(
                contexts->begin(), contexts->end(), [&](const ContextInfo &listed) { return listed.id == context.id; });
            if (it == contexts->end())
                completion.finish(Error{Error::Kind::NotFound,
                    tr("The context no longer exists. Run the cell again to open another one.").toStdString(), {}});
            else
                completion.finish(makeContext(id, *it));
        });
    completion.setStop([inner] { inner.cancel(); });
    return completion.request();
}

Request LizardProvider::closeContext(const SandboxId &id, const ContextId &context, QObject *receiver, Done<> done)
{
    return m_link->code(id, Verb::Delete, Lizard::contextPath(context), {}, receiver, ignoringBody(std::move(done)));
}

void LizardProvider::remember(SandboxInfo info)
{
    SandboxInfo &known = m_known[info.id];
    if (known == info)
        return;
    known = info;
    emit sandboxChanged(info);
}

void LizardProvider::noteGone(const SandboxId &id)
{
    const auto known = m_known.find(id);
    SandboxInfo info = known == m_known.end() ? SandboxInfo{id, id.value} : known->second;
    if (known != m_known.end())
        m_known.erase(known);
    m_link->forgetCodeUrl(id);
    info.state = SandboxState::Gone;
    emit sandboxChanged(info);
}

std::shared_ptr<Context> LizardProvider::makeContext(const SandboxId &id, ContextInfo info) const
{
    return std::make_shared<LizardContext>(m_link, id, std::move(info));
}

} // namespace sandfish
