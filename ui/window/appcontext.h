#pragma once

#include <QString>

#include <vector>

namespace sandfish {

class OutputRendererRegistry;
class Provider;
class Settings;
class ThemeSource;

/// What the application gives to its windows. Everything outlives them.
struct AppContext
{
    std::vector<Provider *> providers; ///< the first one serves new notebooks; never empty
    const OutputRendererRegistry *renderers = nullptr;
    ThemeSource *themes = nullptr;
    Settings *settings = nullptr;
    QString stateFolder;     ///< for recovery copies and trust; created when first needed
    bool startsAhead = true; ///< a local sandbox is made ready before the first run
    bool asksAtQuit = true;  ///< off for runs without a user
};

} // namespace sandfish
