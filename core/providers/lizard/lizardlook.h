#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/protocol/lookinside.h"

#include <string>

/// The questions of the local engine's extension "queries" (core/engine/PROTOCOL.md §3.3) and their answers
/// (resources/runners/README.md §3, §6). Pure functions.
///
/// An answer whose shape is not that of the question gives Kind::Protocol; single entries that cannot be understood
/// are left out, members that are missing stay empty.
namespace sandfish::Lizard {

std::string variablesBody(const VariablesQuery &query);
std::string valueBody(const ValueQuery &query);
std::string placeBody(const CodePlace &place);

Result<VariableList> parseVariables(const Json &answer);
Result<ValuePage> parseValue(const Json &answer);
Result<CompletionList> parseCompletions(const Json &answer);
Result<Inspection> parseInspection(const Json &answer);

} // namespace sandfish::Lizard
