#pragma once

#include "ui/window/appcontext.h"

#include <QObject>
#include <QTemporaryDir>

#include <memory>
#include <vector>

namespace sandfish {

class OutputRendererRegistry;
class Provider;
class Settings;
class ThemeSource;
struct Options;

/// Everything the windows share: settings, look, providers, renderers. Lives as long as the application object.
/// Cost before the first paint: no request, no process, no syntax files.
class Desktop : public QObject
{
    Q_OBJECT
public:
    /// A run for a picture neither reads nor changes what belongs to the user.
    explicit Desktop(const Options &options);
    ~Desktop() override;

    AppContext context() const;
    Settings *settings() const { return m_settings.get(); }

private:
    void applyTheme();
    bool isSystemDark() const;

    QTemporaryDir m_scratch;
    QString m_stateFolder;
    bool m_isForPicture;
    bool m_isSystemDarkAtStart;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<ThemeSource> m_themes;
    std::unique_ptr<OutputRendererRegistry> m_renderers;
    std::vector<std::unique_ptr<Provider>> m_providers;
};

} // namespace sandfish
