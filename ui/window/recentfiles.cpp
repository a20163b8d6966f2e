#include "ui/window/recentfiles.h"

#include "core/support/settings.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMenu>

namespace sandfish {
namespace {

constexpr qsizetype kMostFiles = 12;

} // namespace

RecentFiles::RecentFiles(Settings *settings, QObject *parent)
    : QObject(parent)
    , m_settings(settings)
{
}

QStringList RecentFiles::paths() const
{
    return m_settings->get<QStringList>(Settings::Key::RecentFiles);
}

void RecentFiles::add(const QString &path)
{
    QStringList list = paths();
    list.removeAll(path);
    list.prepend(path);
    m_settings->set(Settings::Key::RecentFiles, list.first(std::min(list.size(), kMostFiles)));
}

void RecentFiles::fillMenu(QMenu *menu)
{
    menu->clear();
    menu->setToolTipsVisible(true);
    const QStringList list = paths();
    if (list.isEmpty())
        menu->addAction(tr("Nothing yet. Files you open appear here"))->setEnabled(false);
    for (const QString &path : list) {
        QString name = QFileInfo(path).fileName();
        QAction *action = menu->addAction(name.replace(QLatin1Char('&'), QLatin1String("&&")));
        action->setToolTip(QDir::toNativeSeparators(path));
        action->setStatusTip(action->toolTip());
        action->setEnabled(QFileInfo::exists(path));
        connect(action, &QAction::triggered, this, [this, path] { emit chosen(path); });
    }
}

} // namespace sandfish
