#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <string>

namespace sandfish {

/// What a daemon tells about itself, in its ready line and in engine.json of its state directory.
struct EngineRecord
{
    std::string url;
    std::string apiKey;
    std::string version;
    std::string isolation;
    std::string caFile; ///< the authority of the data plane, PEM; clients of https trust it
};

/// The JSON object of the ready line.
Json readyLine(const EngineRecord &record);

/// Writes ca.pem and ca-bundle.pem, which holds the certificates that this computer trusts besides, and sets
/// \a record's caFile.
Result<> writeAuthority(const std::string &stateDirectory, const std::string &authorityPem, EngineRecord &record);

/// Writes engine.json: the ready line and the pid of this process. Mode 0600.
Result<> writeEngineRecord(const std::string &stateDirectory, const EngineRecord &record);

/// Removes what the two above have written.
void removeEngineRecord(const std::string &stateDirectory);

/// Lines for a POSIX shell that point the vendor's SDKs at the daemon of this state directory: `export NAME='value'`.
/// Kind::NotFound when none runs.
Result<std::string> shellExports(const std::string &stateDirectory);

} // namespace sandfish
