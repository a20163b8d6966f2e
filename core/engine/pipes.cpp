#include "core/engine/pipes.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>

namespace sandfish {
namespace {

constexpr int kPipeBytes = 256 << 10;

} // namespace

Result<PipePair> makePipe()
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return Error{Error::Kind::Io, std::string("No pipe can be made: ") + std::strerror(errno) + "."};
    ::fcntl(ends[1], F_SETPIPE_SZ, kPipeBytes);
    return PipePair{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

void setNonBlocking(int fd)
{
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

UniqueFd reopened(int fd, int access)
{
    const std::string path = "/proc/self/fd/" + std::to_string(fd);
    return UniqueFd(::open(path.c_str(), access | O_NONBLOCK | O_CLOEXEC));
}

} // namespace sandfish
