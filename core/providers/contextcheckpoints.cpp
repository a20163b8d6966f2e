#include "core/providers/context.h"

// The calls on checkpoints of a context that keeps none.

namespace sandfish {
namespace {

template <typename T> Request refuse(const Context &context, QObject *receiver, Done<T> done)
{
    const Completion<T> completion(receiver, std::move(done));
    completion.finish(Error{Error::Kind::Unsupported, context.whyNoCheckpoints(), {}});
    return completion.request();
}

} // namespace

std::string Context::whyNoCheckpoints() const
{
    return keepsCheckpoints() ? std::string() : tr("This service cannot rewind or branch a context.").toStdString();
}

Request Context::checkpoints(QObject *receiver, Done<std::vector<CheckpointInfo>> done)
{
    return refuse(*this, receiver, std::move(done));
}

Request Context::keepState(QObject *receiver, Done<CheckpointInfo> done)
{
    return refuse(*this, receiver, std::move(done));
}

Request Context::unpinCheckpoint(const std::string &, QObject *receiver, Done<> done)
{
    return refuse(*this, receiver, std::move(done));
}

Request Context::rewind(const std::string &, WhileBusy, QObject *receiver, Done<> done)
{
    return refuse(*this, receiver, std::move(done));
}

Request Context::branch(const std::string &, QObject *receiver, Done<ContextInfo> done)
{
    return refuse(*this, receiver, std::move(done));
}

} // namespace sandfish
