#include "core/engine/contextview.h"

namespace sandfish {

Json seedContext(const KernelContext &context)
{
    const ContextInfo info = context.info();
    return {{"id", info.id.value}, {"language", info.language}, {"cwd", info.cwd}};
}

Json fullContext(const KernelContext &context)
{
    const ContextInfo info = context.info();
    Json json = seedContext(context);
    json["state"] = contextStateName(info.state);
    json["version"] = info.version;
    json["executionCount"] = context.executionCount();
    return json;
}

} // namespace sandfish
