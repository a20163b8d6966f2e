#include "core/session/unusedsandbox.h"

#include "core/providers/provider.h"

#include <QPointer>

#include <algorithm>

namespace sandfish {
namespace {

bool hasRunNothing(const ContextInfo &context)
{
    return context.executionCount == 0 && context.state != ContextState::Busy;
}

// Services make a context with the sandbox: where none is left, somebody took it away.
bool areUnused(const std::vector<ContextInfo> &contexts)
{
    return !contexts.empty() && std::all_of(contexts.begin(), contexts.end(), hasRunNothing);
}

} // namespace

void endUnusedSandbox(Provider &provider, const SandboxId &id, QObject *receiver, std::function<void()> done)
{
    const auto finish = [done = std::move(done)] {
        if (done)
            done();
    };
    provider.listContexts(id, receiver,
        [service = QPointer<Provider>(&provider), id, receiver, finish](
            const Result<std::vector<ContextInfo>> &contexts) {
            if (service && contexts && areUnused(*contexts))
                service->kill(id, receiver, [finish](const Result<> &) { finish(); });
            else
                finish();
        });
}

} // namespace sandfish
