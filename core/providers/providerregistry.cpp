#include "core/providers/providerregistry.h"

#include "core/providers/daytona/daytonaprovider.h"
#include "core/providers/lizard/lizardprovider.h"
#include "core/providers/local/localprovider.h"

#include <QCoreApplication>
#include <QUrl>

#include <algorithm>

namespace sandfish::ProviderRegistry {
namespace {

using namespace Qt::StringLiterals;
using Made = Result<std::unique_ptr<Provider>>;

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(sandfish::ProviderRegistry)
};

Error badConfiguration(const QString &text)
{
    return Error{Error::Kind::BadRequest, text.toStdString(), {}};
}

bool isUsableKey(const QByteArray &key)
{
    const bool isPrintable = std::all_of(key.begin(), key.end(), [](char c) { return c > 0x20 && c < 0x7f; });
    return !key.isEmpty() && isPrintable;
}

bool isWebAddress(const QUrl &url)
{
    return url.isValid() && (url.scheme() == "https"_L1 || url.scheme() == "http"_L1) && !url.host().isEmpty();
}

Made makeLocal()
{
    return std::unique_ptr<Provider>(std::make_unique<LocalProvider>());
}

Made makeLizard()
{
    const QByteArray key = qgetenv("LIZARD_API_KEY").trimmed();
    const QUrl url(qEnvironmentVariable("LIZARD_API_URL", u"https://lizard.build"_s), QUrl::StrictMode);
    if (!isUsableKey(key))
        return badConfiguration(Text::tr("There is no usable key for Lizard. Set LIZARD_API_KEY."));
    if (!isWebAddress(url))
        return badConfiguration(Text::tr("LIZARD_API_URL is not a web address. Set it to one such as "
                                         "https://lizard.build."));
    const LizardProvider::Config config{u"lizard"_s, u"Lizard"_s};
    return std::unique_ptr<Provider>(
        std::make_unique<LizardProvider>(config, url, key, qEnvironmentVariable("LIZARD_PROJECT_ID")));
}

Made makeDaytona()
{
    DaytonaConfig config;
    config.key = qgetenv("DAYTONA_API_KEY").trimmed();
    if (config.key.isEmpty()) {
        config.key = qgetenv("DAYTONA_JWT_TOKEN").trimmed();
        config.organization = qgetenv("DAYTONA_ORGANIZATION_ID").trimmed();
        if (!config.key.isEmpty() && !isUsableKey(config.organization))
            return badConfiguration(Text::tr("DAYTONA_JWT_TOKEN needs an organization. Set DAYTONA_ORGANIZATION_ID."));
    }
    if (!isUsableKey(config.key))
        return badConfiguration(Text::tr("There is no usable key for Daytona. Set DAYTONA_API_KEY."));
    const QString address = qEnvironmentVariable("DAYTONA_API_URL");
    config.apiUrl = QUrl(address.isEmpty() ? u"https://app.daytona.io/api"_s : address, QUrl::StrictMode);
    if (!isWebAddress(config.apiUrl))
        return badConfiguration(Text::tr("DAYTONA_API_URL is not a web address. Set it to one such as "
                                         "https://app.daytona.io/api."));
    config.target = qEnvironmentVariable("DAYTONA_TARGET");
    return std::unique_ptr<Provider>(std::make_unique<DaytonaProvider>(std::move(config)));
}

struct Row
{
    QString id;
    Made (*make)();
};

const QList<Row> &rows()
{
    static const QList<Row> all{{u"local"_s, makeLocal}, {u"lizard"_s, makeLizard}, {u"daytona"_s, makeDaytona}};
    return all;
}

} // namespace

QStringList ids()
{
    QStringList all;
    for (const Row &row : rows())
        all += row.id;
    return all;
}

QStringList configuredIds()
{
    QStringList all;
    for (const Row &row : rows()) {
        if (row.make())
            all += row.id;
    }
    return all;
}

Made make(const QString &id)
{
    for (const Row &row : rows()) {
        if (row.id == id)
            return row.make();
    }
    return badConfiguration(Text::tr("There is no service named \"%1\". Use one of: %2.").arg(id, ids().join(", "_L1)));
}

} // namespace sandfish::ProviderRegistry
