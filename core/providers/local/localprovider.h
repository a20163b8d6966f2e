#pragma once

#include "core/providers/lizard/lizardprovider.h"
#include "core/providers/local/enginelauncher.h"

namespace sandfish {

/// The engine of this computer: the lizard adapter over a daemon that is found or started at the first call, and again
/// at the next call after it was killed.
class LocalProvider : public LizardProvider
{
    Q_OBJECT
public:
    explicit LocalProvider(EngineLauncher::Options options = {}, QObject *parent = nullptr);

    /// Before the first answer: what this version's engine can do.
    Capabilities capabilities() const override;
};

} // namespace sandfish
