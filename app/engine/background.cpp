#include "app/engine/background.h"

#include "core/engine/uniquefd.h"

#include <cerrno>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

namespace sandfish {
namespace {

// Copies what the child prints until it closes its end; true if there was anything.
bool copyOutput(int from)
{
    bool hasPrinted = false;
    char buffer[4096];
    for (ssize_t count = ::read(from, buffer, sizeof(buffer)); count != 0;
         count = ::read(from, buffer, sizeof(buffer))) {
        if (count < 0 && errno != EINTR)
            break;
        hasPrinted |= count > 0;
        if (count > 0)
            std::fwrite(buffer, 1, static_cast<std::size_t>(count), stdout);
    }
    std::fflush(stdout);
    return hasPrinted;
}

} // namespace

int runInBackground(const std::function<int()> &serve)
{
    int ends[2];
    if (::pipe(ends) != 0)
        return 1;
    UniqueFd readEnd(ends[0]);
    UniqueFd writeEnd(ends[1]);
    const pid_t child = ::fork();
    if (child < 0)
        return 1;
    if (child == 0) {
        ::setsid();
        readEnd.reset();
        ::dup2(writeEnd.get(), 1);
        writeEnd.reset();
        return serve();
    }
    writeEnd.reset();
    // It prints only once it serves; a child that closes its output in silence is about to end.
    if (copyOutput(readEnd.get()))
        return 0;
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

} // namespace sandfish
