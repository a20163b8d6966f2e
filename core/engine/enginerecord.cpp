#include "core/engine/enginerecord.h"

#include "core/engine/kernellanguage.h"
#include "core/engine/statefiles.h"

#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace sandfish {
namespace {

constexpr char kRecordName[] = "/engine.json";
constexpr char kAuthorityName[] = "/ca.pem";
constexpr char kBundleName[] = "/ca-bundle.pem";

// Debian and Arch, Fedora, the BSD way.
constexpr const char *kSystemBundles[] = {
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"};

std::string systemAuthorities()
{
    for (const char *path : kSystemBundles) {
        if (Result<std::string> text = readSmallFile(path))
            return text.take();
    }
    return {};
}

bool isAlive(std::int64_t pid)
{
    return pid > 0 && (::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM);
}

std::string exportLine(const char *name, const std::string &value)
{
    return std::string("export ") + name + '=' + shellQuoted(value) + '\n';
}

} // namespace

Json readyLine(const EngineRecord &record)
{
    return {{"url", record.url}, {"apiKey", record.apiKey}, {"version", record.version},
        {"isolation", record.isolation}, {"caFile", record.caFile}};
}

Result<> writeAuthority(const std::string &stateDirectory, const std::string &authorityPem, EngineRecord &record)
{
    record.caFile = stateDirectory + kAuthorityName;
    if (Result<> written = writeFileAtomically(record.caFile, authorityPem); !written)
        return written;
    return writeFileAtomically(stateDirectory + kBundleName, authorityPem + systemAuthorities());
}

Result<> writeEngineRecord(const std::string &stateDirectory, const EngineRecord &record)
{
    Json json = readyLine(record);
    json["pid"] = ::getpid();
    return writeFileAtomically(stateDirectory + kRecordName, dumpJson(json) + "\n");
}

void removeEngineRecord(const std::string &stateDirectory)
{
    for (const char *name : {kRecordName, kAuthorityName, kBundleName})
        ::unlink((stateDirectory + name).c_str());
}

Result<std::string> shellExports(const std::string &stateDirectory)
{
    const Result<std::string> text = readSmallFile(stateDirectory + kRecordName);
    const Result<Json> record = text ? parseJsonObject(*text) : Result<Json>(text.error());
    if (!record || !isAlive(integerOr(*record, "pid", 0)))
        return Error{Error::Kind::NotFound,
            "No sandfishd serves the folder " + stateDirectory + ". Start one with sandfishd, and ask again."};
    const std::string caFile = stringOr(*record, "caFile", "");
    const std::string url = stringOr(*record, "url", "");
    const std::string apiKey = stringOr(*record, "apiKey", "");
    // Node adds its file to the authorities it knows; Python's replaces them.
    return exportLine("LIZARD_API_URL", url) + exportLine("LIZARD_API_KEY", apiKey)
        + exportLine("DAYTONA_API_URL", url + "/daytona/api") + exportLine("DAYTONA_API_KEY", apiKey)
        + exportLine("DAYTONA_TARGET", "local")
        + exportLine("SSL_CERT_FILE", caFile.substr(0, caFile.rfind('/')) + kBundleName)
        + exportLine("NODE_EXTRA_CA_CERTS", caFile);
}

} // namespace sandfish
