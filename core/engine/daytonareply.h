#pragma once

#include "core/engine/apireply.h"
#include "core/engine/localsandbox.h"

#include <string>
#include <string_view>

namespace sandfish {

/// One request of the Daytona face and the way to answer it; may be kept until it is answered.
struct DaytonaCall
{
    std::shared_ptr<const HttpRequest> request;
    ReplyPtr reply;

    /// The decoded value of a name in the query; empty if it is not there.
    std::string query(const std::string &name) const;
};

/// A fault as the SDKs of Daytona read it: `{statusCode, message, code, source, timestamp, path, method}`
/// (protocols.md §3.4). \a code such as "NOT_FOUND"; empty: the one of the status.
void sendDaytonaError(const DaytonaCall &call, int status, std::string_view message, std::string_view code = {});
void sendDaytonaError(const DaytonaCall &call, const Error &error);
/// 501 for what the service has and this engine does not.
void sendDaytonaUnsupported(const DaytonaCall &call, std::string_view what);

/// The word of protocols.md §3.3 for a sandbox's state.
std::string_view daytonaStateName(const LocalSandbox &sandbox);

/// The body for a sandbox. \a toolboxUrl goes into it; \a isWhole adds the members that a list leaves out.
Json daytonaSandboxJson(
    const LocalSandbox &sandbox, const std::string &toolboxUrl, SystemTime lastActivity, bool isWhole);

} // namespace sandfish
