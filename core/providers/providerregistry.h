#pragma once

#include "core/base/result.h"
#include "core/providers/provider.h"

#include <QStringList>

#include <memory>

namespace sandfish {

/// The only place that names the adapters. Ids: "local"; "lizard" with its address and key from LIZARD_API_URL,
/// LIZARD_API_KEY and LIZARD_PROJECT_ID; "daytona" with those of DAYTONA_API_URL, DAYTONA_API_KEY and DAYTONA_TARGET,
/// or DAYTONA_JWT_TOKEN with DAYTONA_ORGANIZATION_ID in place of the key, as Daytona's own SDKs read them.
namespace ProviderRegistry {

/// All ids, the default one first.
QStringList ids();
/// Those that can be made as things are configured.
QStringList configuredIds();
/// Asks nothing of the network. The error says what is missing in the configuration.
Result<std::unique_ptr<Provider>> make(const QString &id);

} // namespace ProviderRegistry
} // namespace sandfish
