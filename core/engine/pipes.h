#pragma once

#include "core/base/result.h"
#include "core/engine/uniquefd.h"

namespace sandfish {

struct PipePair
{
    UniqueFd readEnd;
    UniqueFd writeEnd;
};

/// A close-on-exec pipe, 256 KiB deep where the user's quota permits.
Result<PipePair> makePipe();

void setNonBlocking(int fd);

/// A second, non-blocking descriptor of the pipe behind \a fd, for the end that \a access (O_RDONLY or O_WRONLY) names.
/// It has its own flags, so that the process which got \a fd keeps a blocking one.
UniqueFd reopened(int fd, int access);

} // namespace sandfish
