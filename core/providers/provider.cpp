#include "core/providers/provider.h"

namespace sandfish {
namespace {

template <typename T> Request refuse(QObject *receiver, Done<T> done, const char *message)
{
    const Completion<T> completion(receiver, std::move(done));
    completion.finish(Error{Error::Kind::Unsupported, message, {}});
    return completion.request();
}

} // namespace

Request Provider::pause(const SandboxId &, QObject *receiver, Done<SandboxInfo> done)
{
    return refuse(receiver, std::move(done), "This service cannot pause a sandbox.");
}

Request Provider::resume(const SandboxId &, QObject *receiver, Done<SandboxInfo> done)
{
    return refuse(receiver, std::move(done), "This service cannot resume a sandbox.");
}

Request Provider::stop(const SandboxId &, QObject *receiver, Done<SandboxInfo> done)
{
    return refuse(receiver, std::move(done), "This service cannot stop a sandbox and keep its files.");
}

Request Provider::setTimeout(const SandboxId &, std::chrono::milliseconds, QObject *receiver, Done<> done)
{
    return refuse(receiver, std::move(done), "This service has no time limit to set.");
}

} // namespace sandfish
