#pragma once

#include "core/protocol/sandboxinfo.h"

#include <functional>

class QObject;

namespace sandfish {

class Provider;

/// Ends a sandbox that was made ahead of a run that never came, unless another tab or another program has used it.
///
/// The service is asked first: the sandbox ends only if each of its contexts is said to have run nothing. It stays if
/// that cannot be found out, and on any error. \a done runs once, from the event loop, whatever comes of it, and may be
/// empty; it is dropped if \a receiver dies first, which may leave the sandbox too. Thread: the receiver's.
void endUnusedSandbox(Provider &provider, const SandboxId &id, QObject *receiver, std::function<void()> done);

} // namespace sandfish
