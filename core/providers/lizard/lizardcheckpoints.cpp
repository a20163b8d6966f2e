#include "core/providers/lizard/lizardcheckpoints.h"

#include "core/providers/lizard/lizardcodec.h"
#include "core/providers/lizard/lizardcontext.h"
#include "core/providers/lizard/lizardexecution.h"
#include "core/providers/lizard/lizardlink.h"

namespace sandfish {

using namespace Qt::StringLiterals;
using Verb = HttpCall::Verb;

CheckpointInfo Lizard::parseCheckpoint(const Json &object)
{
    CheckpointInfo info;
    info.ref.id = stringOr(object, "id", "");
    for (const Json &reason : memberOrNull(object, "inexact")) {
        if (reason.is_string())
            info.ref.inexact.push_back(reason.get<std::string>());
    }
    info.executionId = stringOr(object, "execution_id", "");
    info.executionCount = static_cast<int>(integerOr(object, "execution_count", 0));
    info.isPinned = boolOr(object, "pinned", false);
    return info;
}

std::vector<CheckpointInfo> Lizard::parseCheckpoints(const Json &list)
{
    std::vector<CheckpointInfo> all;
    for (const Json &object : list) {
        if (object.is_object() && !stringOr(object, "id", "").empty())
            all.push_back(parseCheckpoint(object));
    }
    return all;
}

bool LizardContext::keepsCheckpoints() const
{
    return m_info.language != "javascript" && m_whyNoCheckpoints.empty() && m_link->engine()
        && m_link->engine()->has("checkpoints");
}

std::string LizardContext::whyNoCheckpoints() const
{
    const bool isOffered = m_link->engine() && m_link->engine()->has("checkpoints");
    if (isOffered && m_info.language == "javascript")
        return tr("JavaScript cannot be rewound or branched: Node.js does not survive a fork.").toStdString();
    return m_whyNoCheckpoints.empty() ? Context::whyNoCheckpoints() : m_whyNoCheckpoints;
}

Request LizardContext::checkpoints(QObject *receiver, Done<std::vector<CheckpointInfo>> done)
{
    if (!keepsCheckpoints())
        return Context::checkpoints(receiver, std::move(done));
    const Completion<std::vector<CheckpointInfo>> completion(receiver, std::move(done));
    const Request inner = m_link->code(m_sandbox, Verb::Get, Lizard::contextPath(m_info.id, u"/checkpoints"_s), {},
        this, [this, completion](const Result<Json> &answer) {
            if (answer) {
                completion.finish(Lizard::parseCheckpoints(*answer));
                return;
            }
            // Only the service knows which languages it can do this for.
            if (answer.error().kind == Error::Kind::Unsupported)
                m_whyNoCheckpoints = answer.error().message;
            completion.finish(answer.error());
        });
    completion.setStop([inner] { inner.cancel(); });
    return completion.request();
}

Request LizardContext::keepState(QObject *receiver, Done<CheckpointInfo> done)
{
    if (!keepsCheckpoints())
        return Context::keepState(receiver, std::move(done));
    return m_link->code(m_sandbox, Verb::Post, Lizard::contextPath(m_info.id, u"/checkpoints"_s),
        dumpJson({{"pinned", true}}), receiver, [done = std::move(done)](const Result<Json> &answer) {
            done(answer ? Result<CheckpointInfo>(Lizard::parseCheckpoint(*answer))
                        : Result<CheckpointInfo>(answer.error()));
        });
}

Request LizardContext::unpinCheckpoint(const std::string &id, QObject *receiver, Done<> done)
{
    if (!keepsCheckpoints())
        return Context::unpinCheckpoint(id, receiver, std::move(done));
    const QString path = u"/checkpoints/"_s + QString::fromUtf8(QUrl::toPercentEncoding(QString::fromStdString(id)));
    return m_link->code(m_sandbox, Verb::Post, Lizard::contextPath(m_info.id, path + u"/pin"_s),
        dumpJson({{"pinned", false}}), receiver,
        [done = std::move(done)](const Result<Json> &answer) { done(answer ? Result<>() : Result<>(answer.error())); });
}

Request LizardContext::rewind(const std::string &id, WhileBusy whileBusy, QObject *receiver, Done<> done)
{
    if (!keepsCheckpoints())
        return Context::rewind(id, whileBusy, receiver, std::move(done));
    const Completion<> completion(receiver, std::move(done));
    const bool isBusy = m_running || !m_waiting.empty() || m_isRestarting || m_isRewinding;
    if (isBusy && whileBusy == WhileBusy::Refuse) {
        completion.finish(
            Error{Error::Kind::Conflict, tr("The context is busy. Wait until no cell runs.").toStdString(), {}});
        return completion.request();
    }
    m_isRewinding = true;
    abortWaiting(tr("The context was rewound before this run began.").toStdString());
    setState(State::Starting);
    const Request inner = m_link->code(m_sandbox, Verb::Post, Lizard::contextPath(m_info.id, u"/rewind"_s),
        dumpJson({{"checkpoint", id}, {"stop", whileBusy == WhileBusy::Stop}}), this,
        [this, completion](const Result<Json> &answer) {
            const Result<> result = answer ? Result<>() : Result<>(answer.error());
            settleRewind(result);
            completion.finish(result);
        });
    completion.setStop([this, inner] {
        inner.cancel();
        settleRewind(Error{Error::Kind::Cancelled, "Cancelled.", {}});
    });
    return completion.request();
}

Request LizardContext::branch(const std::string &id, QObject *receiver, Done<ContextInfo> done)
{
    if (!keepsCheckpoints())
        return Context::branch(id, receiver, std::move(done));
    return m_link->code(m_sandbox, Verb::Post, Lizard::contextPath(m_info.id, u"/branch"_s),
        dumpJson({{"checkpoint", id}}), receiver, [done = std::move(done)](const Result<Json> &answer) {
            done(answer ? Result<ContextInfo>(Lizard::parseContext(*answer)) : Result<ContextInfo>(answer.error()));
        });
}

} // namespace sandfish
