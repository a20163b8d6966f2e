#pragma once

#include "core/base/json.h"
#include "core/protocol/executionevent.h"
#include "core/protocol/sandboxinfo.h"
#include "core/providers/execution.h"

#include <QString>
#include <QUrl>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The JSON of the Daytona protocol (protocols.md §3). Pure functions.
namespace sandfish::Daytona {

/// The label that keeps the name of a notebook: names of sandboxes are unique in an organization, those of notebooks
/// are not.
inline constexpr std::string_view kNameLabel = "sandfish-name";

/// The neutral state for a word of §3.3; a word that is not known there counts as transitional.
SandboxState stateFrom(const std::string &word);
/// A sandbox or an item of the list; members that are missing stay empty.
SandboxInfo parseSandbox(const Json &object);

struct SandboxPage
{
    std::vector<SandboxInfo> sandboxes;
    std::string nextCursor; ///< empty: the last page
};
/// Nothing if \a answer is neither a page nor a plain list.
std::optional<SandboxPage> parsePage(const Json &answer);

ContextInfo parseContext(const Json &object);
/// Of `{contexts:[…]}`, the newest first.
std::vector<ContextInfo> parseContexts(const Json &answer);

/// The toolbox address \a text if the key may be sent there: https, or plain http where the control plane \a control is
/// plain too; on this computer only if \a control is. Otherwise an invalid URL.
QUrl usableToolbox(const std::string &text, const QUrl &control);

std::string createBody(const SandboxSpec &spec, const QString &target);
std::string contextBody(const ContextSpec &spec);
/// The first and only message of a run. A limit is sent in whole seconds, rounded up; 0 means none.
std::string executeMessage(const ExecuteRequest &request, const ContextId &context);

/// "/sandbox/ID" and what follows, with the id percent-encoded.
QString sandboxPath(const SandboxId &id, const QString &rest = {});
/// A page of the sandboxes that are there, deleted ones left out.
QString listPath(const std::string &cursor);
QString contextPath(const ContextId &id);
/// Idle time before the service stops a sandbox, in minutes, rounded up; 0: never.
long idleMinutes(std::chrono::milliseconds time);

/// One message of a run.
struct Frame
{
    std::optional<ExecutionEvent> event;
    std::string control; ///< "completed" or "interrupted"; empty if it is no control message
};
/// Unknown types give an empty frame; missing members count as empty (§0-2, §0-3).
Result<Frame> decodeFrame(std::string_view message);

} // namespace sandfish::Daytona
