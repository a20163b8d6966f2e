#include "core/engine/daytonacontrol.h"

#include "core/engine/daytonacreate.h"
#include "core/engine/daytonalist.h"

#include <algorithm>
#include <cstdlib>

namespace sandfish {
namespace {

// The SDKs ask for the token of this port when they mean the toolbox itself.
constexpr int kToolboxPort = 1;

bool isMethod(const DaytonaCall &call, const char *method)
{
    return call.request->method == method;
}

/// The number, or -1.
int numberFrom(const std::string &text)
{
    const bool isNumber = !text.empty() && text.size() <= 9
        && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    return isNumber ? std::atoi(text.c_str()) : -1;
}

/// What a path names that the service has and this engine does not; empty for other paths.
std::string_view unofferedAction(const std::string &action)
{
    static constexpr std::pair<std::string_view, std::string_view> kUnoffered[] = {{"archive", "Archiving a sandbox"},
        {"backup", "Backing a sandbox up"}, {"recover", "Recovering a sandbox"}, {"resize", "Resizing a sandbox"},
        {"fork", "Forking a sandbox"}, {"snapshot", "A snapshot of a sandbox"}, {"ssh-access", "Access by SSH"},
        {"network-settings", "Changing the network of a running sandbox"}, {"secrets", "Attaching secrets"},
        {"telemetry", "Telemetry"}, {"signing-key", "Signing addresses"}, {"build-logs", "Building images"},
        {"build-logs-url", "Building images"}};
    for (const auto &[name, what] : kUnoffered) {
        if (name == action)
            return what;
    }
    return {};
}

int DaytonaSettings::*intervalOf(const std::string &action)
{
    if (action == "autostop")
        return &DaytonaSettings::autoStop;
    if (action == "autopause")
        return &DaytonaSettings::autoPause;
    if (action == "autoarchive")
        return &DaytonaSettings::autoArchive;
    return action == "autodelete" ? &DaytonaSettings::autoDelete : nullptr;
}

/// False where \a action is no setting.
Result<bool> changeSetting(DaytonaSettings &settings, const std::string &action, const std::string &value)
{
    if (action == "public") {
        settings.isPublic = value == "true";
        return settings.isPublic || value == "false";
    }
    const auto interval = intervalOf(action);
    if (!interval && action != "ttl")
        return false;
    if (action == "autodelete" && value.starts_with('-') && numberFrom(value.substr(1)) > 0) {
        settings.autoDelete = -1;
        return true;
    }
    const Result<int> minutes = daytonaMinutes(Json(numberFrom(value)), "The interval", 0);
    if (!minutes)
        return minutes.error();
    if (interval)
        settings.*interval = *minutes;
    else if (*minutes == 0)
        settings.destroyAt.reset();
    else
        settings.destroyAt = std::chrono::system_clock::now() + std::chrono::minutes(*minutes);
    return true;
}

Error nameTaken(const std::string &name)
{
    return {Error::Kind::Conflict, "There is a sandbox named \"" + name + "\" already. Choose another name."};
}

void refuseDaytonaMethod(const DaytonaCall &call)
{
    sendDaytonaError(call, 405, "Method Not Allowed", "METHOD_NOT_ALLOWED");
}

} // namespace

DaytonaControl::DaytonaControl(SandboxRegistry &registry, DaytonaTimers &timers, std::string toolboxUrl)
    : m_registry(registry)
    , m_timers(timers)
    , m_toolboxUrl(std::move(toolboxUrl))
{
}

Json DaytonaControl::describe(const LocalSandbox &sandbox) const
{
    return daytonaSandboxJson(sandbox, m_toolboxUrl, m_timers.lastActivity(sandbox), true);
}

DaytonaControl::SandboxPtr DaytonaControl::find(const std::string &idOrName) const
{
    SandboxPtr found = m_registry.find(idOrName);
    for (const SandboxPtr &sandbox : m_registry.all()) {
        if (!found && !sandbox->isEnding() && sandbox->spec().common.name == idOrName)
            found = sandbox;
    }
    return found && !found->isEnding() ? found : nullptr;
}

void DaytonaControl::handle(const DaytonaCall &call, const std::vector<std::string> &parts)
{
    if (parts.empty() || parts[0] != "sandbox") {
        const bool isKnown = !parts.empty() && (parts[0] == "snapshots" || parts[0] == "volumes");
        isKnown ? sendDaytonaUnsupported(call, "The service's list of " + parts[0])
                : sendDaytonaError(call, 404, "Not Found");
        return;
    }
    if (parts.size() == 1) {
        if (isMethod(call, "POST"))
            create(call);
        else if (isMethod(call, "GET"))
            list(call);
        else
            refuseDaytonaMethod(call);
        return;
    }
    const SandboxPtr sandbox = find(parts[1]);
    if (!sandbox)
        sendDaytonaError(call, 404, "Sandbox with ID or name " + parts[1] + " not found");
    else if (parts.size() == 2)
        handleSandbox(call, sandbox);
    else
        handleAction(call, sandbox, parts);
}

void DaytonaControl::create(const DaytonaCall &call)
{
    const Result<Json> body = bodyObject(*call.request);
    Result<DaytonaCreate> asked = body ? daytonaCreateFrom(*body) : Result<DaytonaCreate>(body.error());
    if (asked && !asked->spec.name.empty() && find(asked->spec.name))
        asked = nameTaken(asked->spec.name);
    if (!asked) {
        sendDaytonaError(call, asked.error());
        return;
    }
    m_registry.create(
        std::move(asked->spec), [this, call, settings = asked->settings](const Result<SandboxPtr> &sandbox) {
            if (!sandbox) {
                sendDaytonaError(call, sandbox.error());
                return;
            }
            (*sandbox)->edit([&](LocalSandboxSpec &spec) { spec.daytona = settings; });
            m_timers.touch(**sandbox);
            answer(call, *sandbox, {});
        });
}

void DaytonaControl::list(const DaytonaCall &call) const
{
    const Result<DaytonaPage> page = daytonaPage(m_registry, m_timers, *call.request);
    if (!page) {
        sendDaytonaError(call, page.error());
        return;
    }
    Json items = Json::array();
    for (const SandboxPtr &sandbox : page->sandboxes)
        items.push_back(daytonaSandboxJson(*sandbox, m_toolboxUrl, m_timers.lastActivity(*sandbox), false));
    const Json next = page->nextCursor.empty() ? Json() : Json(page->nextCursor);
    sendJson(call.reply, 200, {{"items", std::move(items)}, {"nextCursor", next}});
}

void DaytonaControl::handleSandbox(const DaytonaCall &call, const SandboxPtr &sandbox)
{
    if (isMethod(call, "GET")) {
        answer(call, sandbox, {});
    } else if (isMethod(call, "DELETE")) {
        sandbox->kill([this, call, sandbox](const Result<> &) { answer(call, sandbox, {}); });
    } else {
        refuseDaytonaMethod(call);
    }
}

void DaytonaControl::answer(const DaytonaCall &call, const SandboxPtr &sandbox, const Result<> &result)
{
    if (result)
        sendJson(call.reply, 200, describe(*sandbox));
    else
        sendDaytonaError(call, result.error());
}

void DaytonaControl::handleAction(
    const DaytonaCall &call, const SandboxPtr &sandbox, const std::vector<std::string> &parts)
{
    const std::string &action = parts[2];
    if (const std::string_view what = unofferedAction(action); !what.empty()) {
        sendDaytonaUnsupported(call, what);
        return;
    }
    if (action == "labels" && parts.size() == 3 && isMethod(call, "PUT")) {
        setLabels(call, sandbox);
        return;
    }
    if (answerAddress(call, sandbox, parts) || changeInterval(call, sandbox, parts)
        || (parts.size() == 3 && changeState(call, sandbox, action)))
        return;
    sendDaytonaError(call, 404, "Not Found");
}

bool DaytonaControl::changeState(const DaytonaCall &call, const SandboxPtr &sandbox, const std::string &action)
{
    if (!isMethod(call, "POST"))
        return false;
    const auto done = [this, call, sandbox](const Result<> &result) {
        answer(call, sandbox, result);
        // Some are deleted as soon as they have stopped.
        m_timers.check();
    };
    if (action == "start") {
        m_timers.touch(*sandbox);
        sandbox->resume(done);
    } else if (action == "stop") {
        sandbox->stop(done);
    } else if (action == "pause") {
        sandbox->pause(done);
    } else if (action == "last-activity") {
        m_timers.touch(*sandbox);
        answer(call, sandbox, {});
    } else {
        return false;
    }
    return true;
}

bool DaytonaControl::changeInterval(
    const DaytonaCall &call, const SandboxPtr &sandbox, const std::vector<std::string> &parts)
{
    if (parts.size() != 4 || !isMethod(call, "POST"))
        return false;
    DaytonaSettings settings = sandbox->spec().daytona.value_or(DaytonaSettings::inert());
    const Result<bool> changed = changeSetting(settings, parts[2], parts[3]);
    if (!changed) {
        sendDaytonaError(call, changed.error());
        return true;
    }
    if (!*changed)
        return false;
    settings.updatedAt = std::chrono::system_clock::now();
    sandbox->edit([&](LocalSandboxSpec &spec) { spec.daytona = settings; });
    m_timers.touch(*sandbox);
    answer(call, sandbox, {});
    return true;
}

bool DaytonaControl::answerAddress(
    const DaytonaCall &call, const SandboxPtr &sandbox, const std::vector<std::string> &parts) const
{
    if (!isMethod(call, "GET"))
        return false;
    if (parts.size() == 3 && parts[2] == "toolbox-proxy-url") {
        sendJson(call.reply, 200, {{"url", m_toolboxUrl}});
        return true;
    }
    if (parts.size() != 5 || parts[2] != "ports" || (parts[4] != "preview-url" && parts[4] != "signed-preview-url"))
        return false;
    const int port = numberFrom(parts[3]);
    if (parts[4] == "signed-preview-url") {
        sendDaytonaUnsupported(call, "A signed address of a port");
    } else if (port < 1 || port > 65535) {
        sendDaytonaError(call, 400, "The port must be a number from 1 to 65535");
    } else if (port != kToolboxPort && !sandbox->spec().common.hasNetwork) {
        sendDaytonaError(call, 409, "The sandbox has no network, so its ports cannot be reached");
    } else {
        const std::string url = port == kToolboxPort ? m_toolboxUrl + "/" + sandbox->spec().id.value
                                                     : "http://127.0.0.1:" + std::to_string(port);
        sendJson(call.reply, 200,
            {{"sandboxId", sandbox->spec().id.value}, {"url", url}, {"token", sandbox->spec().capability}});
    }
    return true;
}

void DaytonaControl::setLabels(const DaytonaCall &call, const SandboxPtr &sandbox)
{
    const Result<Json> body = bodyObject(*call.request);
    if (!body || !memberOrNull(*body, "labels").is_object()) {
        sendDaytonaError(call, 400, "labels must be an object of strings");
        return;
    }
    const std::map<std::string, std::string> labels = stringMap(memberOrNull(*body, "labels"));
    sandbox->edit([&](LocalSandboxSpec &spec) {
        spec.common.metadata = labels;
        if (spec.daytona)
            spec.daytona->updatedAt = std::chrono::system_clock::now();
    });
    sendJson(call.reply, 200, {{"labels", labels}});
}

} // namespace sandfish
