#pragma once

#include "core/providers/context.h"

#include <functional>
#include <optional>
#include <vector>

namespace sandfish::test {

/// What a ScriptedContext answers about its inside, and what it was asked.
class ScriptedLook
{
public:
    Context::Looks looks = {};
    VariableList variables;
    std::function<Result<ValuePage>(const ValueQuery &)> value;
    std::function<Result<CompletionList>(const CodePlace &)> completions;
    std::function<Result<Inspection>(const CodePlace &)> inspection;
    bool isRefusing = false; ///< Kind::Conflict, as an interpreter that is still starting
    std::optional<Error> failure;

    /// Answers wait for release(), so that a test can act in between.
    bool isHeld = false;
    void release();

    int variablesAsked = 0;
    std::vector<ValueQuery> valuesAsked;
    std::vector<CodePlace> completionsAsked;
    std::vector<CodePlace> inspectionsAsked;

    template <typename T> Request answer(bool isBusy, QObject *receiver, Done<T> done, std::function<Result<T>()> work)
    {
        const Completion<T> completion(receiver, std::move(done));
        const auto finish = [this, completion, isBusy, work = std::move(work)] {
            if (isBusy || isRefusing)
                completion.finish(Error{Error::Kind::Conflict, "The context is busy.", {}});
            else if (failure)
                completion.finish(*failure);
            else
                completion.finish(work());
        };
        if (isHeld)
            m_held.push_back(finish);
        else
            finish();
        return completion.request();
    }

private:
    std::vector<std::function<void()>> m_held;
};

} // namespace sandfish::test
