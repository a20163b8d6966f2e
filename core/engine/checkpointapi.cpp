#include "core/engine/checkpointapi.h"

#include "core/engine/contextview.h"

namespace sandfish {
namespace {

using CheckpointPtr = ContextCheckpoints::CheckpointPtr;

Json checkpointJson(const Checkpoint &checkpoint)
{
    return {{"id", checkpoint.id}, {"execution_id", checkpoint.executionId},
        {"execution_count", checkpoint.executionCount}, {"inexact", checkpoint.inexact},
        {"created", isoTime(checkpoint.created)}, {"pinned", checkpoint.isPinned}};
}

void sendNotAllowed(const ReplyPtr &reply)
{
    sendDetail(reply, 405, "Method Not Allowed");
}

// Answers itself where the body is no object.
std::optional<Json> bodyOrAnswer(const HttpRequest &request, const ReplyPtr &reply)
{
    const Result<Json> body = bodyObject(request);
    if (body)
        return *body;
    sendInvalid(reply, "", "JSON decode error", "json_invalid");
    return std::nullopt;
}

// The checkpoint that a body names; answers itself where there is none.
CheckpointPtr namedOrAnswer(const KernelContext &context, const Json &body, const ReplyPtr &reply)
{
    const std::string id = stringOr(body, "checkpoint", "");
    const std::string execution = stringOr(body, "execution_id", "");
    if (id.empty() == execution.empty()) {
        sendDetail(reply, 400, "Provide checkpoint or execution_id, one of the two");
        return nullptr;
    }
    CheckpointPtr found = id.empty() ? context.checkpoints().findBefore(execution) : context.checkpoints().find(id);
    if (!found && id.empty())
        sendDetail(reply, 404, "No state from before execution " + execution + " is kept");
    else if (!found)
        sendDetail(reply, 404, "Checkpoint " + id + " is not kept");
    return found;
}

} // namespace

bool CheckpointApi::knows(const std::vector<std::string> &parts)
{
    if (parts.empty())
        return false;
    if (parts.front() == "checkpoints")
        return parts.size() <= 2 || (parts.size() == 3 && parts[2] == "pin");
    return parts.size() == 1 && (parts.front() == "rewind" || parts.front() == "branch");
}

void CheckpointApi::handle(const SandboxPtr &sandbox, const ContextPtr &context, const HttpRequest &request,
    const std::vector<std::string> &parts, const ReplyPtr &reply)
{
    const bool isList = parts.front() == "checkpoints" && parts.size() == 1;
    if (!KernelContext::canKeepState(context->language())) {
        sendDetail(reply, 501, std::string(KernelContext::whyNoState(context->language())));
    } else if (isList && request.method == "GET") {
        Json list = Json::array();
        for (const CheckpointPtr &checkpoint : context->checkpoints().rows())
            list.push_back(checkpointJson(*checkpoint));
        sendJson(reply, 200, list);
    } else if (sandbox->state() != SandboxState::Running) {
        sendDetail(reply, 409,
            "The sandbox is " + std::string(sandboxStateName(sandbox->state())) + ". Resume it and try again.");
    } else if (parts.size() > 1) {
        handleOne(context, request, parts, reply);
    } else if (request.method != "POST") {
        sendNotAllowed(reply);
    } else if (isList) {
        keep(context, request, reply);
    } else if (parts.front() == "rewind") {
        rewind(context, request, reply);
    } else {
        branch(sandbox, context, request, reply);
    }
}

void CheckpointApi::keep(const ContextPtr &context, const HttpRequest &request, const ReplyPtr &reply)
{
    const std::optional<Json> body = bodyOrAnswer(request, reply);
    if (!body)
        return;
    context->keepState(boolOr(*body, "pinned", false), [reply](const Result<CheckpointPtr> &checkpoint) {
        if (checkpoint)
            sendJson(reply, 201, checkpointJson(**checkpoint));
        else
            sendDetail(reply, checkpoint.error());
    });
}

void CheckpointApi::handleOne(
    const ContextPtr &context, const HttpRequest &request, const std::vector<std::string> &parts, const ReplyPtr &reply)
{
    const bool isPin = parts.size() == 3;
    if (request.method != (isPin ? "POST" : "DELETE")) {
        sendNotAllowed(reply);
        return;
    }
    const std::optional<Json> body = bodyOrAnswer(request, reply);
    if (!body)
        return;
    const CheckpointPtr checkpoint = namedOrAnswer(*context, {{"checkpoint", parts[1]}}, reply);
    if (!checkpoint)
        return;
    if (!isPin) {
        context->checkpoints().remove(checkpoint->id);
        sendNothing(reply);
        return;
    }
    const Result<> pinned = context->checkpoints().pin(*checkpoint, boolOr(*body, "pinned", true));
    if (pinned)
        sendJson(reply, 200, checkpointJson(*checkpoint));
    else
        sendDetail(reply, pinned.error());
}

void CheckpointApi::rewind(const ContextPtr &context, const HttpRequest &request, const ReplyPtr &reply)
{
    const std::optional<Json> body = bodyOrAnswer(request, reply);
    const CheckpointPtr checkpoint = body ? namedOrAnswer(*context, *body, reply) : nullptr;
    if (!checkpoint)
        return;
    const auto whileBusy =
        boolOr(*body, "stop", false) ? KernelContext::WhileBusy::Stop : KernelContext::WhileBusy::Refuse;
    context->rewind(*checkpoint, whileBusy, [context, reply](const Result<> &done) {
        if (done)
            sendJson(reply, 200, fullContext(*context));
        else
            sendDetail(reply, done.error());
    });
}

void CheckpointApi::branch(
    const SandboxPtr &sandbox, const ContextPtr &context, const HttpRequest &request, const ReplyPtr &reply)
{
    const std::optional<Json> body = bodyOrAnswer(request, reply);
    const CheckpointPtr checkpoint = body ? namedOrAnswer(*context, *body, reply) : nullptr;
    if (!checkpoint)
        return;
    sandbox->branchContext(*context, *checkpoint, [reply](const Result<ContextPtr> &made) {
        if (made)
            sendJson(reply, 201, fullContext(**made));
        else
            sendDetail(reply, made.error());
    });
}

} // namespace sandfish
