#include "app/gui/desktop.h"

#include "app/gui/options.h"
#include "core/providers/provider.h"
#include "core/providers/providerregistry.h"
#include "core/support/logging.h"
#include "core/support/settings.h"
#include "core/support/statefolder.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/text/themesource.h"
#include "ui/window/sandfishstyle.h"

#include <QApplication>
#include <QFontDatabase>
#include <QStyleHints>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

std::unique_ptr<Settings> makeSettings(bool isForPicture, const QString &scratch)
{
    return isForPicture ? std::make_unique<Settings>(scratch + u"/sandfish.ini"_s) : std::make_unique<Settings>();
}

} // namespace

Desktop::Desktop(const Options &options)
    : m_stateFolder(options.screenshotPath.isEmpty() ? userStateFolder() + u"/window"_s : m_scratch.path())
    , m_isForPicture(!options.screenshotPath.isEmpty())
    , m_isSystemDarkAtStart(QApplication::palette().color(QPalette::Window).lightness() < 128)
    , m_settings(makeSettings(m_isForPicture, m_scratch.path()))
    , m_themes(std::make_unique<ThemeSource>(Theme::forApplication(Theme::Mode::Light)))
    , m_renderers(OutputRendererRegistry::withDefaults())
{
    if (!options.theme.isEmpty())
        m_settings->set(Settings::Key::Theme, options.theme);
    for (const QString &id : ProviderRegistry::configuredIds()) {
        auto provider = ProviderRegistry::make(id);
        if (provider)
            m_providers.push_back(provider.take());
        else
            qCWarning(lcProvider, "%s: %s", qPrintable(id), provider.error().message.c_str());
    }
    connect(m_settings.get(), &Settings::changed, this, [this](Settings::Key key) {
        if (key == Settings::Key::Theme || key == Settings::Key::CodeFontFamily)
            applyTheme();
    });
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, &Desktop::applyTheme);
#endif
    applyTheme();
    QApplication::setStyle(new SandfishStyle(m_themes.get()));
}

Desktop::~Desktop() = default;

AppContext Desktop::context() const
{
    AppContext context;
    for (const auto &provider : m_providers)
        context.providers.push_back(provider.get());
    context.renderers = m_renderers.get();
    context.themes = m_themes.get();
    context.settings = m_settings.get();
    context.stateFolder = m_stateFolder;
    context.startsAhead = !m_isForPicture;
    context.asksAtQuit = !m_isForPicture;
    return context;
}

bool Desktop::isSystemDark() const
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    return QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark;
#else
    // Before Qt 6.5 the desktop's choice shows in the palette alone, and only until the program sets its own.
    return m_isSystemDarkAtStart;
#endif
}

void Desktop::applyTheme()
{
    const QString choice = m_settings->get<QString>(Settings::Key::Theme);
    const bool isDark = choice == "dark"_L1 || (choice != "light"_L1 && isSystemDark());
    const QString family = m_settings->get<QString>(Settings::Key::CodeFontFamily);
    const QFont code = family.isEmpty() ? QFontDatabase::systemFont(QFontDatabase::FixedFont) : QFont(family);
    const Theme theme = Theme::make(isDark ? Theme::Mode::Dark : Theme::Mode::Light, QApplication::font(), code);
    QApplication::setPalette(theme.palette());
    m_themes->setTheme(theme);
}

} // namespace sandfish
