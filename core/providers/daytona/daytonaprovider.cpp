#include "core/providers/daytona/daytonaprovider.h"

#include "core/providers/daytona/daytonacodec.h"
#include "core/providers/daytona/daytonacontext.h"
#include "core/providers/daytona/daytonalink.h"

#include <algorithm>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;
using Verb = HttpCall::Verb;

// 100 sandboxes each; a service that never comes to an end is not followed further.
constexpr std::size_t kMaxListed = 5000;

Error strangeAnswer()
{
    return Error{Error::Kind::Protocol,
        DaytonaProvider::tr("The answer about the sandbox cannot be understood. Check DAYTONA_API_URL and try again.")
            .toStdString(),
        {}};
}

bool isMissing(const Error &error)
{
    return error.kind == Error::Kind::NotFound || error.kind == Error::Kind::Gone;
}

// The toolbox often sends no words with a refusal (protocols.md §3.4), so what was tried is said here.
Error whileDoing(const QString &what, Error error)
{
    if (error.httpStatus != 0 && error.httpStatus != 401)
        error.message = what.toStdString() + ' ' + error.message;
    return error;
}

template <typename T> Request linked(const Completion<T> &completion, const Request &inner)
{
    completion.setStop([inner] { inner.cancel(); });
    return completion.request();
}

} // namespace

DaytonaProvider::DaytonaProvider(DaytonaConfig config, QObject *parent)
    : Provider(parent)
    , m_link(std::make_shared<DaytonaLink>(std::move(config)))
{
    connect(m_link.get(), &DaytonaLink::reachabilityChanged, this, &Provider::reachabilityChanged);
}

DaytonaProvider::~DaytonaProvider() = default;

const DaytonaConfig &DaytonaProvider::config() const
{
    return m_link->config();
}

Provider::Capabilities DaytonaProvider::capabilities() const
{
    Capabilities all = Capability::Create | Capability::Stop | Capability::SetTimeout | Capability::MultipleContexts
        | Capability::Interrupt;
    all.setFlag(Capability::Pause, m_canPause);
    return all;
}

Request DaytonaProvider::list(QObject *receiver, Done<std::vector<SandboxInfo>> done)
{
    const Pages completion(receiver, std::move(done));
    readPage({}, {}, completion);
    return completion.request();
}

void DaytonaProvider::readPage(const std::string &cursor, std::vector<SandboxInfo> before, const Pages &completion)
{
    const auto take = [this, cursor, before = std::move(before), completion](const Result<Json> &answer) mutable {
        const auto page = answer ? Daytona::parsePage(*answer) : std::nullopt;
        if (!page) {
            completion.finish(answer ? strangeAnswer() : answer.error());
            return;
        }
        before.insert(before.end(), page->sandboxes.begin(), page->sandboxes.end());
        const bool isLast = page->nextCursor.empty() || page->nextCursor == cursor || before.size() >= kMaxListed;
        if (!completion.isPending())
            return;
        if (!isLast) {
            readPage(page->nextCursor, std::move(before), completion);
            return;
        }
        for (const SandboxInfo &info : before)
            remember(info);
        completion.finish(std::move(before));
    };
    linked(completion, m_link->control(Verb::Get, Daytona::listPath(cursor), {}, this, take));
}

Request DaytonaProvider::info(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done)
{
    const Completion<SandboxInfo> completion(receiver, std::move(done));
    return linked(completion,
        m_link->control(
            Verb::Get, Daytona::sandboxPath(id), {}, this, [this, id, completion](const Result<Json> &answer) {
                if (!answer && isMissing(answer.error()))
                    noteGone(id);
                const auto info = answer ? learn(*answer) : std::nullopt;
                if (info)
                    completion.finish(*info);
                else
                    completion.finish(answer ? strangeAnswer() : answer.error());
            }));
}

Request DaytonaProvider::create(const SandboxSpec &spec, QObject *receiver, Done<SandboxInfo> done)
{
    const Completion<SandboxInfo> completion(receiver, std::move(done));
    const std::string body = Daytona::createBody(spec, config().target);
    m_link->control(Verb::Post, u"/sandbox"_s, body, this, [this, completion](const Result<Json> &answer) {
        const auto made = answer ? learn(*answer) : std::nullopt;
        if (!made)
            completion.finish(answer ? strangeAnswer() : answer.error());
        else if (completion.isPending())
            awaitCreated(*made, completion);
        else
            kill(made->id, this, [](const Result<> &) {});
    });
    return completion.request();
}

void DaytonaProvider::awaitCreated(const SandboxInfo &made, const Completion<SandboxInfo> &completion)
{
    const DaytonaWait::Goal goal{{SandboxState::Running}, config().createLimit};
    const Request wait = DaytonaWait::start(
        this, made.id, goal, made, this, [completion](const Result<SandboxInfo> &ready) { completion.finish(ready); });
    completion.setStop([guard = QPointer(this), wait, id = made.id] {
        wait.cancel();
        if (guard)
            guard->kill(id, guard, [](const Result<> &) {});
    });
}

Request DaytonaProvider::kill(const SandboxId &id, QObject *receiver, Done<> done)
{
    const Completion<> completion(receiver, std::move(done));
    return linked(completion,
        m_link->control(
            Verb::Delete, Daytona::sandboxPath(id), {}, this, [this, id, completion](const Result<Json> &answer) {
                const bool isGone = answer || isMissing(answer.error());
                if (isGone)
                    noteGone(id);
                completion.finish(isGone ? Result<>() : Result<>(answer.error()));
            }));
}

Request DaytonaProvider::resume(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done)
{
    return changeState(id, u"/start"_s, {SandboxState::Running}, receiver, std::move(done));
}

// One that is set to be deleted when it stops is gone then.
Request DaytonaProvider::stop(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done)
{
    return changeState(id, u"/stop"_s, {SandboxState::Stopped, SandboxState::Gone}, receiver, std::move(done));
}

Request DaytonaProvider::pause(const SandboxId &id, QObject *receiver, Done<SandboxInfo> done)
{
    return changeState(id, u"/pause"_s, {SandboxState::Paused}, receiver, std::move(done));
}

Request DaytonaProvider::changeState(const SandboxId &id, const QString &verb, std::vector<SandboxState> wanted,
    QObject *receiver, Done<SandboxInfo> done)
{
    const Completion<SandboxInfo> completion(receiver, std::move(done));
    const DaytonaWait::Goal goal{std::move(wanted), config().changeLimit};
    const auto take = [this, id, goal, verb, completion](const Result<Json> &answer) {
        if (!completion.isPending())
            return;
        const bool isRefusal = !answer && answer.error().httpStatus >= 400 && answer.error().httpStatus < 500
            && answer.error().kind != Error::Kind::Unauthenticated && answer.error().kind != Error::Kind::Timeout
            && answer.error().kind != Error::Kind::RateLimited;
        if (isRefusal && verb == "/pause"_L1)
            checkRefusedPause(id, answer.error(), completion);
        else if (isRefusal)
            checkRefusedChange(id, goal, answer.error(), completion);
        else if (!answer)
            completion.finish(answer.error());
        else
            linked(completion,
                DaytonaWait::start(this, id, goal, learn(*answer), this,
                    [completion](const Result<SandboxInfo> &info) { completion.finish(info); }));
    };
    return linked(completion, m_link->control(Verb::Post, Daytona::sandboxPath(id, verb), {}, this, take));
}

// It may be there already, such as one that somebody else has started, or on its way.
void DaytonaProvider::checkRefusedChange(
    const SandboxId &id, const DaytonaWait::Goal &goal, const Error &refusal, const Completion<SandboxInfo> &completion)
{
    linked(completion, info(id, this, [this, id, goal, refusal, completion](const Result<SandboxInfo> &now) {
        if (!now || !completion.isPending()) {
            completion.finish(now ? refusal : now.error());
            return;
        }
        const auto isIn = [&](std::initializer_list<SandboxState> states) {
            return std::find(states.begin(), states.end(), now->state) != states.end();
        };
        const bool isOnItsWay = isIn({SandboxState::Creating, SandboxState::Resuming, SandboxState::Stopping,
            SandboxState::Pausing, SandboxState::Busy});
        const bool isThere = std::find(goal.wanted.begin(), goal.wanted.end(), now->state) != goal.wanted.end();
        if (!isThere && !isOnItsWay)
            completion.finish(refusal);
        else
            linked(completion,
                DaytonaWait::start(this, id, goal, *now, this,
                    [completion](const Result<SandboxInfo> &info) { completion.finish(info); }));
    }));
}

// A running sandbox that may not be paused is of a kind that cannot.
void DaytonaProvider::checkRefusedPause(
    const SandboxId &id, const Error &refusal, const Completion<SandboxInfo> &completion)
{
    linked(completion, info(id, this, [this, refusal, completion](const Result<SandboxInfo> &now) {
        if (!now || now->state != SandboxState::Running) {
            if (now && now->state == SandboxState::Paused)
                completion.finish(*now);
            else
                completion.finish(now ? refusal : now.error());
            return;
        }
        m_canPause = false;
        Error error = refusal;
        error.kind = Error::Kind::Unsupported;
        error.message = tr("Daytona cannot pause this sandbox. Stop it instead, which keeps its files and loses its "
                           "variables.")
                            .toStdString()
            + ' ' + refusal.message;
        completion.finish(error);
    }));
}

Request DaytonaProvider::setTimeout(
    const SandboxId &id, std::chrono::milliseconds timeout, QObject *receiver, Done<> done)
{
    const Completion<> completion(receiver, std::move(done));
    const QString path = Daytona::sandboxPath(id, u"/autostop/"_s + QString::number(Daytona::idleMinutes(timeout)));
    return linked(
        completion, m_link->control(Verb::Post, path, {}, this, [this, completion](const Result<Json> &answer) {
            if (answer)
                learn(*answer);
            completion.finish(answer ? Result<>() : Result<>(answer.error()));
        }));
}

Request DaytonaProvider::listContexts(const SandboxId &id, QObject *receiver, Done<std::vector<ContextInfo>> done)
{
    const Completion<std::vector<ContextInfo>> completion(receiver, std::move(done));
    return linked(completion,
        m_link->toolbox(
            id, Verb::Get, u"/process/interpreter/context"_s, {}, this, [completion](const Result<Json> &answer) {
                if (answer)
                    completion.finish(Daytona::parseContexts(*answer));
                else
                    completion.finish(whileDoing(tr("The contexts could not be listed."), answer.error()));
            }));
}

Request DaytonaProvider::openContext(
    const SandboxId &id, const ContextSpec &spec, QObject *receiver, Done<std::shared_ptr<Context>> done)
{
    const Completion<std::shared_ptr<Context>> completion(receiver, std::move(done));
    if (spec.language != "python") {
        const QString text = tr("Daytona runs Python alone. Make this a Python cell, or choose another service.");
        completion.finish(Error{Error::Kind::Unsupported, text.toStdString(), {}});
        return completion.request();
    }
    const auto take = [this, id, completion, cwd = spec.cwd](const Result<Json> &answer) {
        const ContextInfo info = answer ? Daytona::parseContext(*answer) : ContextInfo();
        const QString what = cwd.empty() ? tr("The context could not be opened.")
                                         : tr("The context could not be opened in the folder %1. It may be missing.")
                                               .arg(QString::fromStdString(cwd));
        if (!answer)
            completion.finish(whileDoing(what, answer.error()));
        else if (info.id.isEmpty())
            completion.finish(strangeAnswer());
        else
            completion.finish(makeContext(id, info));
    };
    return linked(completion,
        m_link->toolbox(id, Verb::Post, u"/process/interpreter/context"_s, Daytona::contextBody(spec), this, take));
}

Request DaytonaProvider::attachContext(
    const SandboxId &id, const ContextInfo &context, QObject *receiver, Done<std::shared_ptr<Context>> done)
{
    const Completion<std::shared_ptr<Context>> completion(receiver, std::move(done));
    const auto take = [this, id, context, completion](const Result<std::vector<ContextInfo>> &contexts) {
        if (!contexts) {
            completion.finish(contexts.error());
            return;
        }
        const auto it = std::find_if(
            contexts->begin(), contexts->end(), [&](const ContextInfo &listed) { return listed.id == context.id; });
        if (it != contexts->end())
            completion.finish(makeContext(id, *it));
        else
            completion.finish(Error{Error::Kind::NotFound,
                tr("The context no longer exists. Run the cell again to open another one.").toStdString(), {}});
    };
    return linked(completion, listContexts(id, this, take));
}

Request DaytonaProvider::closeContext(const SandboxId &id, const ContextId &context, QObject *receiver, Done<> done)
{
    const Completion<> completion(receiver, std::move(done));
    return linked(completion,
        m_link->toolbox(
            id, Verb::Delete, Daytona::contextPath(context), {}, this, [completion](const Result<Json> &answer) {
                const bool isClosed = answer || isMissing(answer.error());
                completion.finish(isClosed ? Result<>() : Result<>(answer.error()));
            }));
}

std::optional<SandboxInfo> DaytonaProvider::learn(const Json &told)
{
    const SandboxInfo info = Daytona::parseSandbox(told);
    if (info.id.isEmpty())
        return std::nullopt;
    m_link->learnToolbox(info.id, stringOr(told, "toolboxProxyUrl", ""));
    if (info.state == SandboxState::Gone)
        noteGone(info.id);
    else
        remember(info);
    return info;
}

void DaytonaProvider::remember(const SandboxInfo &info)
{
    SandboxInfo &known = m_known[info.id];
    if (known == info)
        return;
    known = info;
    emit sandboxChanged(info);
}

void DaytonaProvider::noteGone(const SandboxId &id)
{
    const auto known = m_known.find(id);
    SandboxInfo info = known == m_known.end() ? SandboxInfo{id, id.value} : known->second;
    if (known != m_known.end())
        m_known.erase(known);
    m_link->forgetToolbox(id);
    info.state = SandboxState::Gone;
    emit sandboxChanged(info);
}

std::shared_ptr<Context> DaytonaProvider::makeContext(const SandboxId &id, ContextInfo info) const
{
    return std::make_shared<DaytonaContext>(m_link, id, std::move(info));
}

} // namespace sandfish
