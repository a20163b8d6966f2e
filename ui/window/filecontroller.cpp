#include "ui/window/filecontroller.h"

#include "core/document/ipynbreader.h"
#include "core/document/ipynbwriter.h"
#include "core/document/notebookdocument.h"
#include "core/providers/provider.h"
#include "core/session/unusedsandbox.h"
#include "core/support/settings.h"
#include "ui/panels/bannerstack.h"
#include "ui/window/appcontext.h"
#include "ui/window/documentarea.h"
#include "ui/window/filewatch.h"
#include "ui/window/helpresources.h"
#include "ui/window/notebooktab.h"
#include "ui/window/question.h"
#include "ui/window/sandboxmemory.h"
#include "ui/window/sessionbanners.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

const QString kChangedId = u"changed-on-disk"_s;

NotebookSession::FolderAccess accessFromName(const QString &name)
{
    if (name == "none"_L1)
        return NotebookSession::FolderAccess::None;
    return name == "read-only"_L1 ? NotebookSession::FolderAccess::ReadOnly : NotebookSession::FolderAccess::ReadWrite;
}

} // namespace

FileController::FileController(const AppContext &context, DocumentArea *area, QWidget *window)
    : QObject(window)
    , m_context(context)
    , m_area(area)
    , m_window(window)
    , m_recent(context.settings)
    , m_recovery(context.stateFolder + u"/recovery"_s)
    , m_trust(context.stateFolder + u"/trusted"_s)
    , m_watch(new FileWatch(this))
{
    connect(&m_recent, &RecentFiles::chosen, this, &FileController::open);
    connect(m_watch, &FileWatch::changed, this, [this](const QString &path) {
        if (NotebookTab *tab = tabOf(path))
            warnOfChange(tab);
    });
}

FileController::~FileController() = default;

NotebookTab *FileController::addTab(std::unique_ptr<NotebookDocument> document)
{
    auto *tab = new NotebookTab(m_context, std::move(document));
    tab->setFolderAccess(accessFromName(m_context.settings->get<QString>(Settings::Key::FolderAccess)));
    connect(tab, &NotebookTab::trusted, this, [this, tab] { m_trust.add(m_digests.value(tab)); });
    connect(tab, &QObject::destroyed, this, [this, tab] { m_digests.remove(tab); });
    m_recovery.watch(tab);
    emit tabAdded(tab);
    m_area->addPage(tab, tab->title());
    return tab;
}

NotebookTab *FileController::newNotebook()
{
    NotebookTab *tab = addTab(std::make_unique<NotebookDocument>());
    tab->setUntitledName(tr("Untitled %1").arg(++m_untitledCount));
    tab->view()->editCurrentCell();
    return tab;
}

NotebookTab *FileController::openTour()
{
    auto document = NotebookDocument::fromJson(tourNotebook());
    if (!document) {
        showError(document.error(), u"open"_s);
        return nullptr;
    }
    (*document)->setTrusted(true);
    NotebookTab *tab = addTab(document.take());
    tab->setUntitledName(tr("Tour"));
    return tab;
}

void FileController::open(const QString &path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    if (NotebookTab *tab = tabOf(absolute)) {
        m_area->setCurrentPage(tab);
        return;
    }
    ++m_loadingCount;
    openNotebookFile(absolute, this, [this, absolute](const Result<NotebookFile> &file) {
        --m_loadingCount;
        finishOpen(absolute, file);
    });
}

void FileController::finishOpen(const QString &path, const Result<NotebookFile> &file)
{
    if (!file) {
        showError(file.error(), u"open "_s + path);
        emit openFailed(path);
        return;
    }
    // The tour is the program's own: it opens as a copy that works in the sandbox's own home.
    if (QFileInfo(path).fileName() == "tour.ipynb"_L1 && file->notebook->bytes == tourNotebook()) {
        emit opened(openTour());
        return;
    }
    auto *pristine = qobject_cast<NotebookTab *>(m_area->currentPage());
    std::unique_ptr<NotebookDocument> document = NotebookDocument::fromParsed(file->notebook);
    document->setTrusted(m_trust.contains(file->stamp.hash.toHex()));
    NotebookTab *tab = addTab(std::move(document));
    m_digests.insert(tab, file->stamp.hash.toHex());
    tab->setFilePath(path);
    m_watch->watch(path, file->stamp);
    m_recent.add(path);
    if (pristine && pristine->isPristine())
        removeTab(pristine);
    emit opened(tab);
}

void FileController::openWithDialog()
{
    auto *dialog = new QFileDialog(m_window, tr("Open"), startFolder(), tr("Notebooks (*.ipynb);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList &paths) {
        for (const QString &path : paths)
            open(path);
    });
    dialog->open();
}

QString FileController::startFolder() const
{
    const auto *tab = qobject_cast<NotebookTab *>(m_area->currentPage());
    if (tab && !tab->filePath().isEmpty())
        return QFileInfo(tab->filePath()).absolutePath();
    const QStringList recent = m_recent.paths();
    return recent.isEmpty() ? QDir::homePath() : QFileInfo(recent.front()).absolutePath();
}

void FileController::save(NotebookTab *tab, std::function<void(bool)> done)
{
    if (tab->filePath().isEmpty())
        saveAs(tab, std::move(done));
    else
        saveTo(tab, tab->filePath(), std::move(done));
}

void FileController::saveAs(NotebookTab *tab, std::function<void(bool)> done)
{
    const QString name = tab->filePath().isEmpty() ? tab->title() + u".ipynb"_s : QFileInfo(tab->filePath()).fileName();
    const QDir folder = tab->filePath().isEmpty() ? QDir::current() : QFileInfo(tab->filePath()).absoluteDir();
    auto *dialog = new QFileDialog(m_window, tr("Save as"), folder.filePath(name), tr("Notebooks (*.ipynb)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"ipynb"_s);
    connect(dialog, &QFileDialog::finished, tab, [this, tab, dialog, done = std::move(done)](int result) {
        const QStringList chosen = dialog->selectedFiles();
        if (result == QDialog::Accepted && !chosen.isEmpty())
            saveTo(tab, chosen.front(), done);
        else if (done)
            done(false);
    });
    dialog->open();
}

void FileController::saveTo(NotebookTab *tab, const QString &path, std::function<void(bool)> done)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    const quint64 serial = tab->changeSerial();
    saveNotebookFile(absolute, tab->document()->image(), tab,
        [this, tab, absolute, serial, done = std::move(done)](const Result<FileStamp> &saved) {
            finishSave(tab, absolute, serial, saved);
            if (done)
                done(saved.isOk());
        });
}

void FileController::finishSave(NotebookTab *tab, const QString &path, quint64 serial, const Result<FileStamp> &saved)
{
    if (!saved) {
        showError(saved.error(), u"save"_s);
        return;
    }
    if (tab->filePath() != path && !tab->filePath().isEmpty())
        m_watch->forget(tab->filePath());
    m_watch->watch(path, *saved);
    m_digests.insert(tab, saved->hash.toHex());
    if (tab->document()->isTrusted())
        m_trust.add(saved->hash.toHex());
    // What was typed while the file was written is not on disk yet.
    if (tab->changeSerial() == serial) {
        tab->noteSaved();
        m_recovery.forget(tab);
    }
    if (tab->filePath() != path)
        tab->setFilePath(path);
    m_recent.add(path);
    tab->banners()->remove(u"save"_s);
    tab->banners()->remove(kChangedId);
}

void FileController::close(NotebookTab *tab, std::function<void(bool)> done)
{
    const auto finish = [this, tab, done] {
        removeTab(tab);
        if (done)
            done(true);
    };
    if (!tab->hasUnsavedWork()) {
        finish();
        return;
    }
    m_area->setCurrentPage(tab);
    const auto keep = [done] {
        if (done)
            done(false);
    };
    const auto saveFirst = [this, tab, finish, keep] {
        save(tab, [finish, keep](bool isSaved) { isSaved ? finish() : keep(); });
    };
    ask(m_window,
        {u"closeQuestion"_s, tr("Save %1 before closing?").arg(tab->title()),
            tr("What was changed since the last save is not on disk."),
            {{tr("Close without saving"), Choice::Kind::Danger, finish}, {tr("Keep open"), Choice::Kind::Safe, keep},
                {tr("Save"), Choice::Kind::Primary, saveFirst}}});
}

void FileController::removeTab(NotebookTab *tab)
{
    m_recovery.forget(tab);
    if (!tab->filePath().isEmpty()) {
        m_watch->forget(tab->filePath());
        m_closedPaths.append(tab->filePath());
    }
    endIfUnused(tab);
    endIfBranch(tab);
    m_area->removePage(tab);
}

void FileController::endIfUnused(const NotebookTab *tab)
{
    const auto unused = unusedTabs();
    if (std::find(unused.begin(), unused.end(), tab) == unused.end())
        return;
    // A notebook that is opened again meanwhile must not come back to a sandbox that ends.
    SandboxMemory(m_context.settings).forget(tab->filePath());
    Provider *provider = tab->session()->provider();
    endUnusedSandbox(*provider, tab->session()->sandbox().id, provider, {});
}

void FileController::reopenClosed()
{
    if (!m_closedPaths.isEmpty())
        open(m_closedPaths.takeLast());
}

int FileController::restoreLeftovers()
{
    const std::vector<RecoveredNotebook> leftovers = m_recovery.store().leftovers();
    m_leftoverCount = int(leftovers.size());
    if (leftovers.empty())
        m_recovery.store().discardLeftovers();
    for (const RecoveredNotebook &left : leftovers) {
        openNotebookFile(
            left.copyPath, this, [this, left](const Result<NotebookFile> &file) { takeLeftover(left, file); });
    }
    return m_leftoverCount;
}

void FileController::takeLeftover(const RecoveredNotebook &left, const Result<NotebookFile> &file)
{
    if (file) {
        NotebookTab *tab = addTab(NotebookDocument::fromParsed(file->notebook));
        tab->setUntitledName(left.title);
        if (!left.filePath.isEmpty())
            tab->setFilePath(left.filePath);
        tab->markRecovered();
    }
    // The old copies go only once the new ones are on disk: another crash must lose nothing.
    if (--m_leftoverCount == 0)
        m_recovery.writeNow([this] { m_recovery.store().discardLeftovers(); });
}

void FileController::warnOfChange(NotebookTab *tab)
{
    BannerContent content;
    content.id = kChangedId;
    content.severity = BannerContent::Severity::Warning;
    content.title = tr("%1 was changed by another program.").arg(tab->title());
    content.text = tr("What you see is what you had; saving replaces the new content of the file.");
    content.actions = {{tr("Reload"), [this, tab] { askBeforeReload(tab); }},
        {tr("Keep mine"), [tab] { tab->banners()->remove(kChangedId); }}};
    tab->banners()->put(content);
}

void FileController::askBeforeReload(NotebookTab *tab)
{
    if (!tab->hasUnsavedWork()) {
        reload(tab);
        return;
    }
    ask(m_window,
        {u"reloadQuestion"_s, tr("Reload %1?").arg(tab->title()), tr("Your changes since the last save will be lost."),
            {{tr("Keep mine"), Choice::Kind::Safe, {}},
                {tr("Reload"), Choice::Kind::Danger, [this, tab] { reload(tab); }}}});
}

void FileController::reload(NotebookTab *tab)
{
    const QString path = tab->filePath();
    removeTab(tab);
    m_closedPaths.removeAll(path);
    open(path);
}

void FileController::showError(const Error &error, const QString &id)
{
    auto *tab = qobject_cast<NotebookTab *>(m_area->currentPage());
    if (!tab)
        tab = newNotebook();
    tab->sessionBanners()->showError(error, id);
}

std::vector<NotebookTab *> FileController::tabs() const
{
    std::vector<NotebookTab *> result;
    for (int i = 0; i < m_area->pageCount(); ++i) {
        if (auto *tab = qobject_cast<NotebookTab *>(m_area->pageAt(i)))
            result.push_back(tab);
    }
    return result;
}

std::vector<NotebookTab *> FileController::unsavedTabs() const
{
    std::vector<NotebookTab *> result = tabs();
    std::erase_if(result, [](const NotebookTab *tab) { return !tab->hasUnsavedWork(); });
    return result;
}

std::vector<NotebookTab *> FileController::unusedTabs() const
{
    const std::vector<NotebookTab *> all = tabs();
    std::vector<NotebookTab *> result = all;
    std::erase_if(result, [&all](const NotebookTab *tab) {
        const bool isShared = std::any_of(all.begin(), all.end(), [tab](const NotebookTab *other) {
            return other != tab && other->session()->sandbox().id == tab->session()->sandbox().id;
        });
        return isShared || !tab->session()->isSandboxUnused();
    });
    return result;
}

QStringList FileController::openPaths() const
{
    QStringList paths;
    for (const NotebookTab *tab : tabs()) {
        if (!tab->filePath().isEmpty())
            paths.append(tab->filePath());
    }
    return paths;
}

NotebookTab *FileController::tabOf(const QString &path) const
{
    for (NotebookTab *tab : tabs()) {
        if (tab->filePath() == path)
            return tab;
    }
    return nullptr;
}

} // namespace sandfish
