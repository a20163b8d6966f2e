#include "core/engine/daytonaface.h"

namespace sandfish {
namespace {

constexpr char kBearer[] = "Bearer ";
constexpr char kTokenHeader[] = "x-daytona-preview-token";
constexpr char kTokenName[] = "DAYTONA_SANDBOX_AUTH_KEY";

void refuseKey(const DaytonaCall &call)
{
    sendDaytonaError(call, 401, "The API key is missing or not valid");
}

/// What clients that cannot set headers, or do not have the key, show for one sandbox; empty: nothing.
std::string shownToken(const DaytonaCall &call)
{
    const std::string token = call.request->header(kTokenHeader);
    return token.empty() ? call.query(kTokenName) : token;
}

} // namespace

DaytonaFace::DaytonaFace(EventLoop &loop, const EngineFacts &facts, SandboxRegistry &registry, Options options)
    : m_registry(registry)
    , m_options(std::move(options))
    , m_timers(loop, registry)
    , m_control(registry, m_timers, m_options.url + "/daytona/toolbox")
    , m_toolbox(loop, facts, m_options.version)
    , m_events(loop, m_options.apiKey)
{
    registry.setObserver([this](const LocalSandbox &sandbox) {
        if (m_events.hasListeners())
            m_events.sandboxChanged(m_control.describe(sandbox));
    });
}

DaytonaFace::~DaytonaFace()
{
    m_registry.setObserver(nullptr);
}

void DaytonaFace::handle(HttpRequest &&request, std::vector<std::string> parts, const ReplyPtr &reply)
{
    const DaytonaCall call{std::make_shared<const HttpRequest>(std::move(request)), reply};
    const std::string area = parts.empty() ? "" : parts.front();
    if (!parts.empty())
        parts.erase(parts.begin());
    if (area == "toolbox")
        handleToolbox(call, std::move(parts));
    else if (area != "api")
        sendDaytonaError(call, 404, "Not Found");
    else if (!parts.empty() && parts.front() == "socket.io")
        m_events.accept(call);
    else if (!hasKey(*call.request))
        refuseKey(call);
    else
        m_control.handle(call, parts);
}

bool DaytonaFace::hasKey(const HttpRequest &request) const
{
    return equalsInConstantTime(request.header("authorization"), kBearer + m_options.apiKey);
}

void DaytonaFace::handleToolbox(const DaytonaCall &call, std::vector<std::string> parts)
{
    SandboxRegistry::SandboxPtr sandbox = parts.empty() ? nullptr : m_registry.find(parts.front());
    if (sandbox && sandbox->isEnding())
        sandbox = nullptr;
    // Without the key, a sandbox that is not there looks like one whose token is wrong.
    if (!hasKey(*call.request) && !(sandbox && equalsInConstantTime(shownToken(call), sandbox->spec().capability))) {
        refuseKey(call);
        return;
    }
    if (!sandbox) {
        sendDaytonaError(call, 404, "Sandbox not found");
        return;
    }
    if (sandbox->state() == SandboxState::Running)
        m_timers.touch(*sandbox);
    parts.erase(parts.begin());
    m_toolbox.handle(call, sandbox, parts);
}

} // namespace sandfish
