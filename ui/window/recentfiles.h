#pragma once

#include <QObject>
#include <QStringList>

class QMenu;

namespace sandfish {

class Settings;

/// The files that were open before, newest first; at most 12. Thread: GUI.
class RecentFiles : public QObject
{
    Q_OBJECT
public:
    /// \a settings outlives the object.
    explicit RecentFiles(Settings *settings, QObject *parent = nullptr);

    QStringList paths() const;
    void add(const QString &path);
    /// Files that are not there any more are shown disabled.
    void fillMenu(QMenu *menu);

signals:
    void chosen(const QString &path);

private:
    Settings *m_settings;
};

} // namespace sandfish
