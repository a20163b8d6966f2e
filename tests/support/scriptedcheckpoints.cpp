#include "tests/support/scriptedcontext.h"

#include <utility>

// What a ScriptedContext does with its checkpoints.

namespace sandfish::test {

Request ScriptedContext::checkpoints(QObject *receiver, Done<std::vector<CheckpointInfo>> done)
{
    const Completion<std::vector<CheckpointInfo>> completion(receiver, std::move(done));
    if (m_checkpoints.areKept)
        completion.finish(m_checkpoints.kept);
    else
        completion.finish(Error{Error::Kind::Unsupported, m_checkpoints.whyNot, {}});
    return completion.request();
}

Request ScriptedContext::keepState(QObject *receiver, Done<CheckpointInfo> done)
{
    return m_checkpoints.answer<CheckpointInfo>(receiver, std::move(done),
        [this]() -> Result<CheckpointInfo> { return m_checkpoints.keep(m_executionCount, true, ""); });
}

Request ScriptedContext::unpinCheckpoint(const std::string &id, QObject *receiver, Done<> done)
{
    return m_checkpoints.answer<std::monostate>(receiver, std::move(done), [this, id]() -> Result<> {
        m_checkpoints.unpinned.push_back(id);
        return {};
    });
}

Request ScriptedContext::rewind(const std::string &id, WhileBusy whileBusy, QObject *receiver, Done<> done)
{
    return m_checkpoints.answer<std::monostate>(receiver, std::move(done), [this, id, whileBusy]() -> Result<> {
        const CheckpointInfo *found = m_checkpoints.find(id);
        if (!found)
            return Error{Error::Kind::NotFound, "Checkpoint " + id + " is not kept.", {}, 404};
        if (m_running && whileBusy == WhileBusy::Refuse)
            return Error{Error::Kind::Conflict, "The context is busy.", {}, 409};
        m_checkpoints.rewoundTo.push_back(id);
        m_checkpoints.rewoundWhileBusy.push_back(whileBusy);
        const int count = found->executionCount;
        finishNow({Outcome::Interrupted, 0, {}, "The context was rewound to before this run."});
        m_executionCount = count;
        setState(State::Idle);
        return {};
    });
}

Request ScriptedContext::branch(const std::string &id, QObject *receiver, Done<ContextInfo> done)
{
    return m_checkpoints.answer<ContextInfo>(receiver, std::move(done), [this, id]() -> Result<ContextInfo> {
        const CheckpointInfo *found = m_checkpoints.find(id);
        if (!found)
            return Error{Error::Kind::NotFound, "Checkpoint " + id + " is not kept.", {}, 404};
        return m_checkpoints.makeBranch(*found);
    });
}

} // namespace sandfish::test
