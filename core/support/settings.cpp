#include "core/support/settings.h"

#include <QByteArray>
#include <QStringList>

#include <array>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;

struct Row
{
    Settings::Key key;
    QString name;
    QVariant fallback;
};

const Row &rowOf(Settings::Key key)
{
    using Key = Settings::Key;
    static const std::array rows{
        Row{Key::Theme, u"appearance/theme"_s, u"system"_s},
        Row{Key::CodeFontFamily, u"appearance/codeFontFamily"_s, QString()},
        Row{Key::RecentFiles, u"files/recent"_s, QStringList()},
        Row{Key::WindowGeometry, u"window/geometry"_s, QByteArray()},
        Row{Key::WindowState, u"window/state"_s, QByteArray()},
        Row{Key::MaxShownLines, u"outputs/maxShownLines"_s, 1000},
        Row{Key::TourShown, u"help/tourShown"_s, false},
        Row{Key::ReducedMotion, u"appearance/reducedMotion"_s, false},
        Row{Key::AutosaveSeconds, u"files/autosaveSeconds"_s, 30},
        Row{Key::OpenFiles, u"files/open"_s, QStringList()},
        Row{Key::DocksTouched, u"window/docksTouched"_s, false},
        Row{Key::FolderAccess, u"sandbox/folderAccess"_s, u"read-write"_s},
        Row{Key::QuitLeavesRunning, u"sandbox/quitLeavesRunning"_s, false},
        Row{Key::OutputLimitMegabytes, u"outputs/limitMegabytes"_s, 128},
        Row{Key::NotebookSandboxes, u"sandboxes/ofNotebooks"_s, QStringList()},
    };
    static_assert(rows.size() == static_cast<std::size_t>(Key::NotebookSandboxes) + 1);
    const Row &row = rows[static_cast<std::size_t>(key)];
    Q_ASSERT(row.key == key);
    return row;
}

QVariant converted(const QVariant &value, const QVariant &fallback)
{
    QVariant result = value;
    return result.isValid() && result.convert(fallback.metaType()) ? result : QVariant();
}

} // namespace

Settings::Settings(QObject *parent)
    : QObject(parent)
    , m_store(QSettings::IniFormat, QSettings::UserScope, u"sandfish"_s, u"sandfish"_s)
{
}

Settings::Settings(const QString &filePath, QObject *parent)
    : QObject(parent)
    , m_store(filePath, QSettings::IniFormat)
{
}

QVariant Settings::defaultValue(Key key)
{
    return rowOf(key).fallback;
}

QVariant Settings::value(Key key) const
{
    const Row &row = rowOf(key);
    const QVariant stored = converted(m_store.value(row.name), row.fallback);
    return stored.isValid() ? stored : row.fallback;
}

void Settings::set(Key key, const QVariant &value)
{
    const Row &row = rowOf(key);
    const QVariant wanted = converted(value, row.fallback);
    if (!wanted.isValid() || wanted == this->value(key))
        return;
    m_store.setValue(row.name, wanted);
    emit changed(key);
}

void Settings::reset(Key key)
{
    const QVariant before = value(key);
    m_store.remove(rowOf(key).name);
    if (before != value(key))
        emit changed(key);
}

Result<> Settings::sync()
{
    m_store.sync();
    if (m_store.status() == QSettings::NoError)
        return {};
    const std::string path = filePath().toStdString();
    return Error{Error::Kind::Io,
        "The settings could not be written to " + path + ". Check that this file and its folder are yours to write.",
        {}};
}

} // namespace sandfish
