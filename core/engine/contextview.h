#pragma once

#include "core/engine/kernelcontext.h"

namespace sandfish {

/// A context as the seed's code server shows it: `id`, `language`, `cwd`.
Json seedContext(const KernelContext &context);
/// An item of `GET /v1/contexts`.
Json fullContext(const KernelContext &context);

} // namespace sandfish
