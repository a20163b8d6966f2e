#pragma once

#include "core/providers/context.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sandfish::test {

/// The checkpoints of a ScriptedContext, and what it was asked about them.
class ScriptedCheckpoints
{
public:
    bool areKept = false;             ///< a state is kept before each run
    std::vector<std::string> inexact; ///< of those that are kept from now on
    std::vector<CheckpointInfo> kept;
    std::optional<Error> nextError; ///< of the next call but that for the list
    std::string whyNot = "This service cannot rewind or branch a context.";

    std::vector<std::string> rewoundTo;
    std::vector<Context::WhileBusy> rewoundWhileBusy;
    std::vector<std::string> unpinned;
    /// What a branch gives; set by ScriptedProvider.
    std::function<ContextInfo(const CheckpointInfo &)> makeBranch;

    const CheckpointInfo &keep(int executionCount, bool isPinned, const std::string &executionId)
    {
        const std::string id = "cp-" + std::to_string(++m_count);
        kept.push_back({{id, inexact}, executionId, executionCount, isPinned});
        return kept.back();
    }
    const CheckpointInfo *find(const std::string &id) const
    {
        for (const CheckpointInfo &each : kept)
            if (each.ref.id == id)
                return &each;
        return nullptr;
    }
    template <typename T> Request answer(QObject *receiver, Done<T> done, const std::function<Result<T>()> &work)
    {
        const Completion<T> completion(receiver, std::move(done));
        if (!areKept)
            completion.finish(Error{Error::Kind::Unsupported, whyNot, {}});
        else if (const auto error = std::exchange(nextError, std::nullopt))
            completion.finish(*error);
        else
            completion.finish(work());
        return completion.request();
    }

private:
    int m_count = 0;
};

} // namespace sandfish::test
