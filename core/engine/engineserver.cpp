#include "core/engine/engineserver.h"

#include <unistd.h>
#include <utility>

namespace sandfish {
namespace {

bool isLoopbackHost(std::string host)
{
    if (host.starts_with("[::1]"))
        return host.size() == 5 || host[5] == ':';
    host = host.substr(0, host.find(':'));
    return host == "127.0.0.1" || host == "localhost";
}

} // namespace

EngineServer::EngineServer(EventLoop &loop, const EngineFacts &facts, SandboxRegistry &registry, Options options,
    std::function<void()> shutDown)
    : m_loop(loop)
    , m_facts(facts)
    , m_registry(registry)
    , m_options(std::move(options))
    , m_shutDown(std::move(shutDown))
    , m_codeApi(loop)
{
}

Result<std::unique_ptr<EngineServer>> EngineServer::make(EventLoop &loop, const EngineFacts &facts,
    SandboxRegistry &registry, Options options, std::function<void()> shutDown)
{
    HttpServer::Options plain;
    plain.port = options.port;
    HttpServer::Options secure;
    secure.tlsCertificatePem = options.identity.certificatePem;
    secure.tlsKeyPem = std::exchange(options.identity.keyPem, {});
    std::unique_ptr<EngineServer> engine(
        new EngineServer(loop, facts, registry, std::move(options), std::move(shutDown)));
    const auto handler = [raw = engine.get()](
                             HttpRequest request, const ReplyPtr &reply) { raw->handle(std::move(request), reply); };
    auto server = HttpServer::listen(loop, plain, handler);
    if (!server)
        return server.error();
    auto tlsServer = HttpServer::listen(loop, secure, handler);
    if (!tlsServer)
        return tlsServer.error();
    engine->m_server = server.take();
    engine->m_tlsServer = tlsServer.take();
    engine->m_controlApi = std::make_unique<ControlApi>(
        loop, registry, ControlApi::Ports{engine->m_server->port(), engine->m_tlsServer->port()});
    engine->m_daytona = std::make_unique<DaytonaFace>(loop, facts, registry,
        DaytonaFace::Options{engine->url(), engine->m_options.apiKey, engine->m_options.version});
    return engine;
}

std::string EngineServer::url() const
{
    return "http://127.0.0.1:" + std::to_string(m_server->port());
}

void EngineServer::handle(HttpRequest &&request, const ReplyPtr &reply)
{
    // A name that resolves to loopback (DNS rebinding) and a page in the user's browser both come from outside.
    if (!isLoopbackHost(request.header("host"))) {
        sendError(reply, 403, "The Host header must name this computer's loopback address");
        return;
    }
    if (request.headers.count("origin") > 0) {
        sendError(reply, 403, "Requests from web pages are not accepted");
        return;
    }
    std::vector<std::string> parts = pathParts(request.path);
    const std::string area = parts.empty() ? "" : parts.front();
    if (!parts.empty())
        parts.erase(parts.begin());
    if (area == "s") {
        const SandboxRegistry::SandboxPtr sandbox =
            parts.empty() ? nullptr : m_registry.findByCapability(parts.front());
        if (!sandbox) {
            sendDetail(reply, 404, "Not Found");
            return;
        }
        parts.erase(parts.begin());
        m_codeApi.handle(sandbox, request, parts, reply);
    } else if (area == "daytona" && !request.isTls) {
        m_daytona->handle(std::move(request), std::move(parts), reply);
    } else if (request.isTls || (area != "api" && area != "v1")) {
        sendError(reply, 404, "Not Found");
    } else if (!isAuthorised(request)) {
        sendError(reply, 401, "The API key is missing or not valid");
    } else if (area == "api") {
        m_controlApi->handle(request, parts, reply);
    } else {
        handleEngine(request, parts, reply);
    }
}

bool EngineServer::isAuthorised(const HttpRequest &request) const
{
    return equalsInConstantTime(request.header("x-api-key"), m_options.apiKey);
}

void EngineServer::handleEngine(
    const HttpRequest &request, const std::vector<std::string> &parts, const ReplyPtr &reply)
{
    const std::string name = parts.size() == 1 ? parts.front() : "";
    const bool isEngine = name == "engine";
    if (!isEngine && name != "shutdown") {
        sendError(reply, 404, "Not Found");
    } else if (request.method != (isEngine ? "GET" : "POST")) {
        sendError(reply, 405, "Method Not Allowed");
    } else if (isEngine) {
        sendJson(reply, 200, description());
    } else {
        sendNothing(reply);
        m_loop.post(m_shutDown);
    }
}

Json EngineServer::description() const
{
    Json languages = Json::array();
    for (const auto &[name, program] : {std::pair{"python", m_facts.interpreters.python},
             {"javascript", m_facts.interpreters.node}, {"bash", m_facts.interpreters.bash}}) {
        if (!program.empty())
            languages.push_back(name);
    }
    return {{"version", m_options.version}, {"isolation", isolationLevelName(m_facts.isolation.level)},
        {"isolationReason", m_facts.isolation.reason}, {"pid", ::getpid()},
        {"freezer", m_facts.cgroups ? "cgroup" : "signals"}, {"languages", std::move(languages)},
        {"features",
            Json::array(
                {"full-dialect", "interrupt", "input", "queries", "events", "folders", "network", "checkpoints"})}};
}

} // namespace sandfish
