#include "core/providers/local/localprovider.h"

#include "core/providers/lizard/lizardlink.h"

namespace sandfish {

using namespace Qt::StringLiterals;

LocalProvider::LocalProvider(EngineLauncher::Options options, QObject *parent)
    : LizardProvider(
        Config{u"local"_s, tr("Local engine")}, std::make_unique<EngineLauncher>(std::move(options)), parent)
{
}

Provider::Capabilities LocalProvider::capabilities() const
{
    if (link().engine())
        return LizardProvider::capabilities();
    return LizardProvider::capabilities() | Capability::Interrupt | Capability::Stdin | Capability::FolderBinds;
}

} // namespace sandfish
