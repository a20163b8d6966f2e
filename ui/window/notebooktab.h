#pragma once

#include "core/session/notebooksession.h"
#include "ui/notebook/notebookview.h"
#include "ui/panels/sessionstatus.h"
#include "ui/window/documenttabbar.h"

#include <QWidget>

#include <memory>

namespace sandfish {

class BannerStack;
class FindStrip;
class NotebookSearch;
class RewindActs;
class SessionBanners;
class StartCard;
class Toast;
struct AppContext;
struct BranchPoint;

/// One notebook in the window: its document, its session, the page, the banners above and the search strip below it.
/// Thread: GUI.
class NotebookTab : public QWidget
{
    Q_OBJECT
public:
    /// \a context outlives the tab.
    NotebookTab(const AppContext &context, std::unique_ptr<NotebookDocument> document, QWidget *parent = nullptr);
    ~NotebookTab() override;

    NotebookDocument *document() const { return m_document.get(); }
    NotebookSession *session() const { return m_session.get(); }
    NotebookView *view() const { return m_view.get(); }
    BannerStack *banners() const { return m_banners; }
    SessionBanners *sessionBanners() const { return m_sessionBanners; }
    Toast *toast() const { return m_toast; }
    RewindActs *rewindActs() const { return m_rewindActs; }

    /// Empty: it was never saved. The folder of the file becomes the working directory of the sandbox.
    QString filePath() const { return m_filePath; }
    void setFilePath(const QString &path);
    void setUntitledName(const QString &name);
    QString title() const;
    /// Where the file is, or what an unsaved one was branched from.
    QString tip() const;
    /// The notebook is a fresh copy of that of \a origin: from now on it works on the branch of its context.
    void becomeBranch(const NotebookTab &origin, const BranchPoint &point);
    bool isBranch() const; ///< as long as it has that context
    /// Unknown to the disk: modified, or never saved and not empty.
    bool hasUnsavedWork() const;
    bool isPristine() const; ///< untitled and untouched: opening a file may take its place
    /// The content comes from a recovery copy: it is not what is on disk, and a banner says so.
    void markRecovered();
    void noteSaved(); ///< the content is on disk
    /// Grows with every change of what would be saved.
    quint64 changeSerial() const { return m_changeSerial; }

    DocumentTabBar::Mark mark() const;
    SessionStatus status() const;

    void setFolderAccess(NotebookSession::FolderAccess access);
    NotebookSession::FolderAccess folderAccess() const { return m_folderAccess; }
    void setTrusted();

    enum class Range
    {
        All,
        Above, ///< the current cell
        FromCurrent
    };
    void run(Range range);
    void runAbove(const CellId &id);
    void showStartCard();
    StartCard *startCard() const { return m_startCard; }
    void openFind();
    void findNext();
    void findPrevious();

signals:
    /// Title, mark, status or mode became another one; emitted merged, at most once per frame.
    void changed();
    void contentChanged();
    void trusted();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void connectDocument();
    void connectView();
    void letEscapeCancelResume();
    void applyLimits();
    void measureSandbox();
    void noteChange();
    void offerUndo(int undoIndex);
    void applyFolder();
    void startAhead();
    void noteSandbox();
    void warnIfUntrusted();
    void showProblems();
    void placeStartCard();
    void closeStartCard();
    void copyRuns(const NotebookDocument &from, const std::vector<CellId> &undone);
    std::vector<CellId> codeCells(qsizetype first, qsizetype end) const;

    const AppContext &m_context;
    // Destroyed from the bottom up: the view and the session refer to the document.
    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<NotebookSession> m_session;
    std::unique_ptr<NotebookView> m_view;
    BannerStack *m_banners;
    SessionBanners *m_sessionBanners;
    FindStrip *m_find;
    NotebookSearch *m_search;
    Toast *m_toast;
    RewindActs *m_rewindActs;
    StartCard *m_startCard = nullptr;
    QString m_filePath;
    QString m_untitledName;
    QString m_origin; ///< of a branch
    NotebookSession::FolderAccess m_folderAccess = NotebookSession::FolderAccess::ReadWrite;
    quint64 m_changeSerial = 0;
    int m_removedCells = 0; ///< by the act that is going on
    int m_undoIndex = 0;
    bool m_isChangePending = false;
    bool m_isRecovered = false; ///< until the next save
};

} // namespace sandfish
