#pragma once

#include "app/cli/commandline.h"
#include "core/providers/provider.h"

namespace sandfish {

/// --service, --url, --api-key and --project: where sandboxes are. Without them on the engine of this computer.
QList<OptionSpec> serviceOptions();
/// Asks nothing of the network. Errors are wrong options.
Result<std::unique_ptr<Provider>> makeService(const Arguments &arguments);

/// The sandbox that \a text means: by its id, else by its name, else by the first letters of its id.
Result<SandboxInfo> findSandbox(const std::vector<SandboxInfo> &sandboxes, const QString &text);

} // namespace sandfish
