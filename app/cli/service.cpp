#include "app/cli/service.h"

#include "core/providers/providerregistry.h"

#include <QUrl>

#include <algorithm>
#include <functional>

namespace sandfish {

using namespace Qt::StringLiterals;

QList<OptionSpec> serviceOptions()
{
    return {
        {{u"service"_s}, u"NAME"_s,
            u"Where sandboxes are: %1. Without it on the engine of this computer."_s.arg(
                ProviderRegistry::ids().join(u" or "_s))},
        {{u"url"_s}, u"URL"_s, u"A service or an engine at this address; in place of LIZARD_API_URL."_s},
        {{u"api-key"_s}, u"KEY"_s,
            u"Its key. Better set LIZARD_API_KEY, which other users of this computer cannot see."_s},
        {{u"project"_s}, u"ID"_s, u"The project there that new sandboxes belong to; in place of LIZARD_PROJECT_ID."_s},
    };
}

Result<std::unique_ptr<Provider>> makeService(const Arguments &arguments)
{
    const bool isElsewhere = arguments.isSet(u"url"_s) || arguments.isSet(u"api-key"_s);
    const QString id = arguments.isSet(u"service"_s) ? arguments.value(u"service"_s)
        : isElsewhere                                ? u"lizard"_s
                                                     : u"local"_s;
    if (isElsewhere && id != "lizard"_L1)
        return usageError(u"--url and --api-key are for the service lizard, not %1."_s.arg(id), arguments.command);
    if (arguments.isSet(u"url"_s)) {
        const QString text = arguments.value(u"url"_s);
        const QUrl url(text, QUrl::StrictMode);
        if (!url.isValid() || !url.scheme().startsWith("http"_L1) || url.host().isEmpty())
            return usageError(
                u"--url wants a web address such as http://127.0.0.1:41234, not “%1”."_s.arg(text), arguments.command);
        qputenv("LIZARD_API_URL", text.toUtf8());
    }
    if (arguments.isSet(u"api-key"_s))
        qputenv("LIZARD_API_KEY", arguments.value(u"api-key"_s).toUtf8());
    if (arguments.isSet(u"project"_s))
        qputenv("LIZARD_PROJECT_ID", arguments.value(u"project"_s).toUtf8());
    Result<std::unique_ptr<Provider>> provider = ProviderRegistry::make(id);
    if (!provider)
        return usageError(QString::fromStdString(provider.error().message), arguments.command);
    return provider;
}

Result<SandboxInfo> findSandbox(const std::vector<SandboxInfo> &sandboxes, const QString &text)
{
    const std::string wanted = text.toStdString();
    const auto isId = [&](const SandboxInfo &info) { return info.id.value == wanted; };
    const auto isName = [&](const SandboxInfo &info) { return info.name == wanted; };
    const auto isPrefix = [&](const SandboxInfo &info) { return info.id.value.starts_with(wanted); };
    using Matches = std::function<bool(const SandboxInfo &)>;
    for (const Matches &matches : {Matches(isId), Matches(isName), Matches(isPrefix)}) {
        const auto count = wanted.empty() ? 0 : std::count_if(sandboxes.begin(), sandboxes.end(), matches);
        if (count == 1)
            return *std::find_if(sandboxes.begin(), sandboxes.end(), matches);
        if (count > 1)
            return Error{Error::Kind::Conflict,
                u"“%1” fits %2 sandboxes. Name one by its id, which `sandfish-cli sandbox list` shows."_s.arg(text)
                    .arg(count)
                    .toStdString(),
                {}};
    }
    return Error{Error::Kind::NotFound,
        u"There is no sandbox “%1”. `sandfish-cli sandbox list` shows those there are."_s.arg(text).toStdString(), {}};
}

} // namespace sandfish
