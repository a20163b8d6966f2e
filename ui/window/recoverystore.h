#pragma once

#include <QByteArray>
#include <QLockFile>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace sandfish {

class NotebookImage;

/// A copy of unsaved work that a window which crashed has left behind.
struct RecoveredNotebook
{
    QString title;
    QString filePath; ///< of the notebook itself; empty: it was never saved
    QString copyPath; ///< of the copy
};

/// Copies of unsaved work in the state folder: one folder for each running program, locked while it runs, so that
/// another one never takes what is still in use. Thread: GUI, but for write(), which is a pure function.
class RecoveryStore
{
public:
    explicit RecoveryStore(QString folder);
    ~RecoveryStore();

    /// Where the copy with \a key goes; empty if the folder cannot be made.
    QString copyPath(const QString &key);
    /// Any thread. A failure is no error to the user: the next copy tries again.
    static void write(
        const NotebookImage &image, const QString &copyPath, const QString &title, const QString &filePath);
    void remove(const QString &key);

    /// What crashed programs left. Cost: one look into the folder.
    std::vector<RecoveredNotebook> leftovers();
    /// After the copies were taken over.
    void discardLeftovers();

private:
    QString m_folder;
    QString m_runFolder;
    std::unique_ptr<QLockFile> m_lock;
    std::vector<std::unique_ptr<QLockFile>> m_taken;
    QStringList m_takenFolders;
};

} // namespace sandfish
