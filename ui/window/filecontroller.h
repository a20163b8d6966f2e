#pragma once

#include "core/document/notebookfile.h"
#include "core/document/truststore.h"
#include "ui/window/recentfiles.h"
#include "ui/window/recoverykeeper.h"

#include <QHash>
#include <QObject>

#include <functional>
#include <memory>
#include <vector>

namespace sandfish {

class DocumentArea;
class FileWatch;
class NotebookDocument;
class NotebookTab;
struct AppContext;
struct BranchPoint;
struct Error;

/// Opens, saves and closes notebooks. Reading and writing happen in the pool; nothing here blocks. Failures become
/// banners with what to do next, and the notebook stays as it was. Thread: GUI.
class FileController : public QObject
{
    Q_OBJECT
public:
    /// Everything outlives the controller; \a window is the parent of its dialogs.
    FileController(const AppContext &context, DocumentArea *area, QWidget *window);
    ~FileController() override;

    NotebookTab *newNotebook();
    /// The built-in tour as an untitled notebook.
    NotebookTab *openTour();
    /// A copy of the notebook of \a origin in a new tab, which goes on from \a point. The copy is read in the pool.
    void openBranch(NotebookTab *origin, const BranchPoint &point);
    /// A file that is open already comes to the front.
    void open(const QString &path);
    void openWithDialog();
    void save(NotebookTab *tab, std::function<void(bool isSaved)> done = {});
    void saveAs(NotebookTab *tab, std::function<void(bool isSaved)> done = {});
    void saveTo(NotebookTab *tab, const QString &path, std::function<void(bool isSaved)> done);
    /// Asks before unsaved work is lost. \a done: whether the tab was closed.
    void close(NotebookTab *tab, std::function<void(bool isClosed)> done = {});
    void reopenClosed();
    /// Brings back what a crashed window left. Returns how many there are; their tabs come soon after.
    int restoreLeftovers();

    std::vector<NotebookTab *> tabs() const;
    std::vector<NotebookTab *> unsavedTabs() const;
    /// Those whose own sandbox was made ahead of a run that never came, and that share it with no other tab.
    std::vector<NotebookTab *> unusedTabs() const;
    QStringList openPaths() const;
    RecentFiles *recentFiles() { return &m_recent; }
    RecoveryKeeper *recovery() { return &m_recovery; }
    bool isLoading() const { return m_loadingCount > 0; }

signals:
    void tabAdded(sandfish::NotebookTab *tab);
    void opened(sandfish::NotebookTab *tab); ///< from a file
    void openFailed(const QString &path);

private:
    NotebookTab *addTab(std::unique_ptr<NotebookDocument> document);
    void finishOpen(const QString &path, const Result<NotebookFile> &file);
    void finishSave(NotebookTab *tab, const QString &path, quint64 serial, const Result<FileStamp> &saved);
    void takeLeftover(const RecoveredNotebook &left, const Result<NotebookFile> &file);
    void showError(const Error &error, const QString &id);
    void removeTab(NotebookTab *tab);
    void endIfUnused(const NotebookTab *tab);
    void endIfBranch(const NotebookTab *tab);
    void reload(NotebookTab *tab);
    void askBeforeReload(NotebookTab *tab);
    void warnOfChange(NotebookTab *tab);
    NotebookTab *tabOf(const QString &path) const;
    QString startFolder() const;

    const AppContext &m_context;
    DocumentArea *m_area;
    QWidget *m_window;
    RecentFiles m_recent;
    RecoveryKeeper m_recovery;
    TrustStore m_trust;
    FileWatch *m_watch;
    QHash<NotebookTab *, QByteArray> m_digests; ///< of the file as last read or written
    QStringList m_closedPaths;
    int m_untitledCount = 0;
    int m_loadingCount = 0;
    int m_leftoverCount = 0; ///< being read
};

} // namespace sandfish
