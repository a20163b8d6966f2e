#pragma once

#include "core/engine/apireply.h"
#include "core/engine/localsandbox.h"

namespace sandfish {

/// The body of `POST /execute`.
struct ExecuteRequest
{
    ExecutionSpec spec;
    std::string contextId; ///< empty: not given
    std::string language;  ///< empty: not given
    WireDialect dialect = WireDialect::Seed;
};

/// An error's detail names the member that is wrong, and is empty when the body is no JSON object.
Result<ExecuteRequest> parseExecuteRequest(const std::string &body);

/// Answers 422 for an error of parseExecuteRequest().
void sendInvalidBody(const ReplyPtr &reply, const Error &error);

/// The selection rule of protocols.md §1.3.
Result<LocalSandbox::ContextPtr> selectContext(LocalSandbox &sandbox, const ExecuteRequest &request);

} // namespace sandfish
