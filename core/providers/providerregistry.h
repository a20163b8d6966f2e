#pragma once

#include "core/base/result.h"
#include "core/providers/provider.h"

#include <QStringList>

#include <memory>

namespace sandfish {

/// The only place that names the adapters. Ids: "local", and "lizard" with its address and key from LIZARD_API_URL,
/// LIZARD_API_KEY and LIZARD_PROJECT_ID.
namespace ProviderRegistry {

/// All ids, the default one first.
QStringList ids();
/// Those that can be made as things are configured.
QStringList configuredIds();
/// Asks nothing of the network. The error says what is missing in the configuration.
Result<std::unique_ptr<Provider>> make(const QString &id);

} // namespace ProviderRegistry
} // namespace sandfish
