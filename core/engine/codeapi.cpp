#include "core/engine/codeapi.h"

#include "core/engine/checkpointapi.h"
#include "core/engine/contextview.h"
#include "core/engine/executerequest.h"
#include "core/engine/executionstream.h"

#include <cstdlib>

namespace sandfish {
namespace {

constexpr std::chrono::seconds kDisconnectGrace(10);

using ContextPtr = LocalSandbox::ContextPtr;

void sendMethodNotAllowed(const ReplyPtr &reply)
{
    sendDetail(reply, 405, "Method Not Allowed");
}

Json contextList(const LocalSandbox &sandbox, Json (*describe)(const KernelContext &))
{
    Json list = Json::array();
    for (const ContextPtr &context : sandbox.contexts())
        list.push_back(describe(*context));
    return list;
}

bool refusesWhilePaused(const CodeApi::SandboxPtr &sandbox, const ReplyPtr &reply)
{
    if (sandbox->state() == SandboxState::Running)
        return false;
    sendDetail(
        reply, 409, "The sandbox is " + std::string(sandboxStateName(sandbox->state())) + ". Resume it and try again.");
    return true;
}

} // namespace

void CodeApi::handle(
    const SandboxPtr &sandbox, const HttpRequest &request, const std::vector<std::string> &parts, const ReplyPtr &reply)
{
    const std::string first = parts.empty() ? "" : parts.front();
    if (first == "health" && parts.size() == 1) {
        if (request.method == "GET")
            reply->send(200, "application/json", "\"OK\"");
        else
            sendMethodNotAllowed(reply);
    } else if (first == "execute" && parts.size() == 1) {
        if (request.method == "POST")
            execute(sandbox, request, reply);
        else
            sendMethodNotAllowed(reply);
    } else if (first == "contexts") {
        handleContexts(sandbox, request, parts, reply);
    } else if (parts.size() == 2 && first == "v1" && parts[1] == "contexts") {
        if (request.method == "GET")
            sendJson(reply, 200, contextList(*sandbox, fullContext));
        else
            sendMethodNotAllowed(reply);
    } else if (parts.size() == 3 && first == "executions" && parts[2] == "events") {
        if (request.method == "GET")
            streamEvents(sandbox, request, parts[1], reply);
        else
            sendMethodNotAllowed(reply);
    } else {
        sendDetail(reply, 404, "Not Found");
    }
}

void CodeApi::handleContexts(
    const SandboxPtr &sandbox, const HttpRequest &request, const std::vector<std::string> &parts, const ReplyPtr &reply)
{
    const std::vector<std::string> below(parts.begin() + std::min<std::ptrdiff_t>(2, std::ssize(parts)), parts.end());
    if (CheckpointApi::knows(below)) {
        if (const ContextPtr context = sandbox->findContext(parts[1]))
            CheckpointApi::handle(sandbox, context, request, below, reply);
        else
            sendDetail(reply, 404, "Context " + parts[1] + " not found");
    } else if (parts.size() > 3) {
        sendDetail(reply, 404, "Not Found");
    } else if (parts.size() > 1) {
        handleContext(sandbox, request, parts, reply);
    } else if (request.method == "GET") {
        sendJson(reply, 200, contextList(*sandbox, seedContext));
    } else if (request.method == "POST") {
        createContext(sandbox, request, reply);
    } else {
        sendMethodNotAllowed(reply);
    }
}

void CodeApi::handleContext(
    const SandboxPtr &sandbox, const HttpRequest &request, const std::vector<std::string> &parts, const ReplyPtr &reply)
{
    static const std::vector<std::string> kActions{
        "restart", "interrupt", "input", "vars", "get", "complete", "inspect"};
    const std::string action = parts.size() == 3 ? parts[2] : "";
    if (parts.size() == 3 && std::find(kActions.begin(), kActions.end(), action) == kActions.end()) {
        sendDetail(reply, 404, "Not Found");
        return;
    }
    if (request.method != (action.empty() ? "DELETE" : "POST")) {
        sendMethodNotAllowed(reply);
        return;
    }
    const ContextPtr context = sandbox->findContext(parts[1]);
    if (!context) {
        sendDetail(reply, 404, "Context " + parts[1] + " not found");
        return;
    }
    if (refusesWhilePaused(sandbox, reply))
        return;
    if (action.empty()) {
        sandbox->removeContext(context);
        sendNothing(reply);
    } else if (action == "restart") {
        context->restart();
        sendNothing(reply);
    } else if (action == "interrupt") {
        context->interrupt();
        sendNothing(reply);
    } else if (action == "input") {
        sendInput(context, request, reply);
    } else {
        query(context, request, action, reply);
    }
}

void CodeApi::execute(const SandboxPtr &sandbox, const HttpRequest &request, const ReplyPtr &reply)
{
    const Result<ExecuteRequest> parsed = parseExecuteRequest(request.body);
    if (!parsed) {
        sendInvalidBody(reply, parsed.error());
        return;
    }
    if (refusesWhilePaused(sandbox, reply))
        return;
    const Result<ContextPtr> context = selectContext(*sandbox, *parsed);
    if (!context) {
        sendDetail(reply, context.error());
        return;
    }
    Result<KernelContext::ExecutionPtr> execution = (*context)->enqueue(parsed->spec);
    if (!execution) {
        sendDetail(reply, execution.error());
        return;
    }
    ExecutionStream::Options options;
    options.dialect = parsed->dialect;
    if (parsed->dialect == WireDialect::Full)
        options.preamble = dumpJson({{"type", "accepted"}, {"execution_id", (*execution)->id()},
                               {"context_id", (*context)->id().value}})
            + "\n";
    const bool isSeed = parsed->dialect == WireDialect::Seed;
    ExecutionStream::start(
        m_loop, *execution, reply, options, [sandbox, context = *context, running = *execution, isSeed] {
            // A client of the full dialect comes back for its output; nobody else can, so nobody waits for it.
            if (isSeed)
                sandbox->clock().start(kDisconnectGrace, [context, running] { context->cancel(running); });
        });
}

void CodeApi::createContext(const SandboxPtr &sandbox, const HttpRequest &request, const ReplyPtr &reply)
{
    const Result<Json> body = bodyObject(request);
    if (!body) {
        sendInvalid(reply, "", "JSON decode error", "json_invalid");
        return;
    }
    for (const char *member : {"language", "cwd"}) {
        const Json &value = memberOrNull(*body, member);
        if (!value.is_null() && !value.is_string()) {
            sendInvalid(reply, member, "Input should be a valid string", "string_type");
            return;
        }
    }
    const std::string name = stringOr(*body, "language", "python");
    const std::optional<Language> language = languageFromName(name);
    if (!language) {
        sendDetail(reply, 400, "Unsupported language: " + name);
        return;
    }
    if (refusesWhilePaused(sandbox, reply))
        return;
    const std::string cwd = stringOr(*body, "cwd", kSandboxHome);
    if (cwd.find('\0') != std::string::npos) {
        sendDetail(reply, 400, "The working directory must not hold NUL");
        return;
    }
    sandbox->createContext(*language, cwd.empty() ? kSandboxHome : cwd, [reply](const Result<ContextPtr> &context) {
        if (context)
            sendJson(reply, 200, seedContext(**context));
        else
            sendDetail(reply, context.error());
    });
}

void CodeApi::sendInput(const ContextPtr &context, const HttpRequest &request, const ReplyPtr &reply)
{
    const Result<Json> body = bodyObject(request);
    if (!body) {
        sendInvalid(reply, "", "JSON decode error", "json_invalid");
        return;
    }
    const bool isEnd = boolOr(*body, "eof", false);
    const Result<> sent = isEnd ? context->endInput() : context->sendInput(stringOr(*body, "text", "") + "\n");
    if (sent)
        sendNothing(reply);
    else
        sendDetail(reply, sent.error());
}

void CodeApi::query(
    const ContextPtr &context, const HttpRequest &request, const std::string &operation, const ReplyPtr &reply)
{
    const Result<Json> body = bodyObject(request);
    if (!body) {
        sendInvalid(reply, "", "JSON decode error", "json_invalid");
        return;
    }
    context->query(operation, *body, [reply](const Result<Json> &answer) {
        if (answer)
            sendJson(reply, 200, *answer);
        else
            sendDetail(reply, answer.error());
    });
}

void CodeApi::streamEvents(
    const SandboxPtr &sandbox, const HttpRequest &request, const std::string &executionId, const ReplyPtr &reply)
{
    for (const ContextPtr &context : sandbox->contexts()) {
        const KernelContext::ExecutionPtr execution = context->find(executionId);
        if (!execution)
            continue;
        ExecutionStream::Options options;
        options.dialect = WireDialect::Full;
        const auto from = request.query.find("from");
        if (from != request.query.end())
            options.from = std::strtoull(from->second.c_str(), nullptr, 10);
        if (request.query.count("follow") > 0)
            options.atDone = ExecutionStream::AtDone::Follow;
        ExecutionStream::start(m_loop, execution, reply, options, [] {});
        return;
    }
    sendDetail(reply, 404, "Execution " + executionId + " not found");
}

} // namespace sandfish
