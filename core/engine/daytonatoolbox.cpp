#include "core/engine/daytonatoolbox.h"

#include "core/engine/daytonafiles.h"
#include "core/engine/daytonaprocess.h"
#include "core/engine/daytonarun.h"
#include "core/engine/mountplan.h"

namespace sandfish {
namespace {

constexpr char kDefaultContext[] = "default";

Json interpreterContextJson(const KernelContext &context)
{
    const ContextInfo info = context.info();
    return {{"id", info.id.value}, {"cwd", info.cwd}, {"createdAt", isoTime(context.createdAt())},
        {"active", info.state != ContextState::Dead}, {"language", info.language}};
}

/// The contexts that clients have made: of Python, and not the default one.
std::vector<LocalSandbox::ContextPtr> madeContexts(LocalSandbox &sandbox)
{
    std::vector<LocalSandbox::ContextPtr> made;
    for (const LocalSandbox::ContextPtr &context : sandbox.contexts()) {
        if (context->language() == Language::Python && !sandbox.isDefault(*context))
            made.push_back(context);
    }
    return made;
}

} // namespace

DaytonaToolbox::DaytonaToolbox(EventLoop &loop, const EngineFacts &facts, std::string version)
    : m_loop(loop)
    , m_facts(facts)
    , m_version(std::move(version))
{
}

void DaytonaToolbox::handle(const DaytonaCall &call, const SandboxPtr &sandbox, const std::vector<std::string> &parts)
{
    if (sandbox->state() != SandboxState::Running) {
        sendDaytonaError(call, 409,
            "The sandbox is " + std::string(daytonaStateName(*sandbox)) + ". Start it and try again.", "CONFLICT");
        return;
    }
    const std::string area = parts.empty() ? "" : parts.front();
    if (area == "process" && parts.size() > 1)
        handleProcess(call, sandbox, parts);
    else if (area == "files")
        DaytonaFiles(m_loop, sandbox).handle(call, parts);
    else if (area == "git" || area == "lsp" || area == "computeruse" || area == "port" || area == "system-metrics")
        sendDaytonaUnsupported(call, "The toolbox's part \"" + area + "\"");
    else if (!answerFacts(call, parts))
        sendDaytonaError(call, 404, "Not Found");
}

bool DaytonaToolbox::answerFacts(const DaytonaCall &call, const std::vector<std::string> &parts) const
{
    const std::string name = parts.size() == 1 && call.request->method == "GET" ? parts.front() : "";
    if (name == "version")
        sendJson(call.reply, 200, {{"version", m_version}});
    else if (name == "work-dir" || name == "user-home-dir")
        sendJson(call.reply, 200, {{"dir", kSandboxHome}});
    else
        return false;
    return true;
}

void DaytonaToolbox::handleProcess(
    const DaytonaCall &call, const SandboxPtr &sandbox, const std::vector<std::string> &parts)
{
    const std::string &method = call.request->method;
    const std::string &name = parts[1];
    if (name == "interpreter" && parts.size() > 2 && parts[2] == "context")
        handleContexts(call, sandbox, parts);
    else if (name == "interpreter" && parts.size() == 3 && parts[2] == "execute" && method == "GET")
        DaytonaRun::start(m_loop, sandbox, call);
    else if (name == "execute" && parts.size() == 2 && method == "POST")
        daytonaExecuteCommand(m_loop, m_facts.interpreters, sandbox, call);
    else if (name == "code-run" && parts.size() == 2 && method == "POST")
        daytonaRunCode(m_loop, m_facts.interpreters, sandbox, call);
    else if (name == "session" || name == "pty")
        sendDaytonaUnsupported(call, name == "pty" ? "A terminal" : "A session of commands");
    else
        sendDaytonaError(call, 404, "Not Found");
}

void DaytonaToolbox::handleContexts(
    const DaytonaCall &call, const SandboxPtr &sandbox, const std::vector<std::string> &parts)
{
    const std::string &method = call.request->method;
    if (parts.size() == 4 && method == "DELETE") {
        deleteContext(call, sandbox, parts[3]);
    } else if (parts.size() == 3 && method == "POST") {
        createContext(call, sandbox);
    } else if (parts.size() == 3 && method == "GET") {
        Json contexts = Json::array();
        for (const LocalSandbox::ContextPtr &context : madeContexts(*sandbox))
            contexts.push_back(interpreterContextJson(*context));
        sendJson(call.reply, 200, {{"contexts", std::move(contexts)}});
    } else {
        sendDaytonaError(call, parts.size() > 4 ? 404 : 405, "There is no such call on contexts");
    }
}

void DaytonaToolbox::createContext(const DaytonaCall &call, const SandboxPtr &sandbox)
{
    const Result<Json> body = bodyObject(*call.request);
    const Json none;
    const Json &cwd = memberOrNull(body ? *body : none, "cwd");
    const Json &language = memberOrNull(body ? *body : none, "language");
    Result<> checked;
    if (!body)
        checked = body.error();
    else if (!(cwd.is_null() || cwd.is_string()) || !(language.is_null() || language.is_string()))
        checked = Error{Error::Kind::BadRequest, "cwd and language must be strings"};
    else if (language.is_string() && language != "" && language != "python")
        checked = Error{Error::Kind::BadRequest, "Only python has contexts here"};
    else if (cwd.is_string() && cwd.get_ref<const std::string &>().find('\0') != std::string::npos)
        checked = Error{Error::Kind::BadRequest, "The working directory must not hold NUL"};
    if (!checked) {
        sendDaytonaError(call, checked.error());
        return;
    }
    const std::string folder = cwd.is_string() && cwd != "" ? cwd.get<std::string>() : kSandboxHome;
    sandbox->createContext(Language::Python, folder, [call](const Result<LocalSandbox::ContextPtr> &context) {
        if (context)
            sendJson(call.reply, 200, interpreterContextJson(**context));
        else
            sendDaytonaError(call, context.error());
    });
}

void DaytonaToolbox::deleteContext(const DaytonaCall &call, const SandboxPtr &sandbox, const std::string &id)
{
    const LocalSandbox::ContextPtr context = sandbox->findContext(id);
    if (id == kDefaultContext || (context && sandbox->isDefault(*context))) {
        sendDaytonaError(call, 400, "The default context cannot be deleted");
    } else if (!context || context->language() != Language::Python) {
        sendDaytonaError(call, 404, "context not found: " + id);
    } else {
        sandbox->removeContext(context);
        sendJson(call.reply, 200, {{"message", "Context deleted"}});
    }
}

} // namespace sandfish
