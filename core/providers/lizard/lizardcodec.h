#pragma once

#include "core/base/json.h"
#include "core/protocol/sandboxinfo.h"
#include "core/providers/execution.h"
#include "core/providers/provider.h"

#include <QByteArray>
#include <QUrl>

#include <optional>
#include <string>
#include <vector>

/// The JSON of the seed protocol (protocols.md §1) and of the local engine's extensions. Pure functions.
namespace sandfish::Lizard {

/// What `GET /v1/engine` of the local engine says; the seed service has no such path.
struct EngineInfo
{
    std::string version;
    std::string isolation;
    std::string isolationReason;
    std::int64_t pid = 0;
    std::vector<std::string> features;

    bool has(std::string_view feature) const;
};
/// Nothing if \a answer is not the local engine's.
std::optional<EngineInfo> parseEngineInfo(const Json &answer);
Provider::Capabilities capabilitiesOf(const std::optional<EngineInfo> &engine);

/// Members that are missing stay empty; without a state a listed sandbox counts as running (protocols.md §1.7).
SandboxInfo parseSandbox(const Json &object);
std::vector<SandboxInfo> parseSandboxes(const Json &list);
/// The count of executions is known with the extension `executionCount` only.
ContextInfo parseContext(const Json &object);
/// In the order of the service.
std::vector<ContextInfo> parseContexts(const Json &list);

/// The code server's address from the answer to `expose/8080`: always https, but http on loopback where the control
/// plane \a control itself is on loopback. An invalid URL if there is none.
QUrl parseExposed(const Json &answer, const QUrl &control);

std::string createBody(const SandboxSpec &spec, const std::string &projectId, bool isLocalEngine);
std::string executeBody(const ExecuteRequest &request, const ContextId &context, bool isLocalEngine);
std::string contextBody(const ContextSpec &spec);

/// "/api/sandboxes/ID" and what follows, with the id percent-encoded.
QString sandboxPath(const SandboxId &id, const QString &rest = {});
QString contextPath(const ContextId &id, const QString &rest = {});

/// \a path, which may carry a query, below the path of \a base.
QUrl urlFor(const QUrl &base, const QString &path);
bool isLoopback(const QUrl &url);

} // namespace sandfish::Lizard
