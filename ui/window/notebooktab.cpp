#include "ui/window/notebooktab.h"

#include "core/document/notebookdocument.h"
#include "core/session/codehelp.h"
#include "core/session/executionqueue.h"
#include "core/session/rewinder.h"
#include "core/support/settings.h"
#include "ui/panels/bannerstack.h"
#include "ui/panels/findstrip.h"
#include "ui/panels/startcard.h"
#include "ui/panels/toast.h"
#include "ui/text/themesource.h"
#include "ui/window/appcontext.h"
#include "ui/window/notebooksearch.h"
#include "ui/window/rewindacts.h"
#include "ui/window/rewindbanners.h"
#include "ui/window/sessionbanners.h"

#include <QFileInfo>
#include <QShortcut>
#include <QTimer>
#include <QUndoStack>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sandfish {

NotebookTab::NotebookTab(const AppContext &context, std::unique_ptr<NotebookDocument> document, QWidget *parent)
    : QWidget(parent)
    , m_context(context)
    , m_document(std::move(document))
    , m_session(std::make_unique<NotebookSession>(m_document.get(), context.providers.front()))
    , m_view(std::make_unique<NotebookView>(m_document.get(), context.renderers, this))
    , m_banners(new BannerStack(context.themes, this))
    , m_sessionBanners(new SessionBanners(m_session.get(), m_banners, this))
    , m_find(new FindStrip(context.themes, this))
    , m_search(new NotebookSearch(m_document.get(), this))
    , m_toast(new Toast(context.themes, this))
    , m_rewindActs(new RewindActs(this))
{
    new RewindBanners(this);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_banners);
    column->addWidget(m_view.get(), 1);
    column->addWidget(m_find);
    setFocusProxy(m_view.get());
    m_view->setCodeHelp(new CodeHelp(m_session.get(), this));
    m_view->setTheme(context.themes->theme());
    connect(
        context.themes, &ThemeSource::changed, m_view.get(), [this] { m_view->setTheme(m_context.themes->theme()); });
    connectDocument();
    connectView();
    letEscapeCancelResume();
    applyLimits();
    connect(context.settings, &Settings::changed, this, &NotebookTab::applyLimits);
    warnIfUntrusted();
    showProblems();
}

NotebookTab::~NotebookTab() = default;

void NotebookTab::connectDocument()
{
    NotebookDocument *document = m_document.get();
    const auto content = [this] {
        ++m_changeSerial;
        closeStartCard();
        emit contentChanged();
        noteChange();
    };
    connect(document, &NotebookDocument::cellsInserted, this, content);
    connect(document, &NotebookDocument::cellsRemoved, this, content);
    connect(document, &NotebookDocument::cellsMoved, this, content);
    connect(document, &NotebookDocument::cellChanged, this, content);
    connect(document, &NotebookDocument::outputsChanged, this, content);
    connect(document, &NotebookDocument::languageChanged, this, content);
    connect(document, &NotebookDocument::cellsRemoved, this,
        [this](qsizetype, qsizetype count) { m_removedCells += int(count); });
    connect(document->undoStack(), &QUndoStack::indexChanged, this, &NotebookTab::offerUndo);
    connect(document, &NotebookDocument::runChanged, this, &NotebookTab::noteChange);
    connect(document, &NotebookDocument::modifiedChanged, this, &NotebookTab::noteChange);
    connect(document, &NotebookDocument::trustChanged, this, &NotebookTab::applyFolder);
    connect(m_session.get(), &NotebookSession::stateChanged, this, [this] {
        m_view->setPaused(m_session->state() == NotebookSession::State::Paused);
        noteChange();
    });
    connect(m_session.get(), &NotebookSession::sandboxChanged, this, &NotebookTab::noteSandbox);
    connect(m_session->queue(), &ExecutionQueue::queueChanged, this, &NotebookTab::noteChange);
    connect(m_session->rewinder(), &Rewinder::stateChanged, this, &NotebookTab::noteChange);
    connect(m_session->queue(), &ExecutionQueue::idle, this, &NotebookTab::measureSandbox);
}

void NotebookTab::applyLimits()
{
    constexpr std::size_t kMebibyte = 1u << 20;
    const auto megabytes = std::max(1, m_context.settings->get<int>(Settings::Key::OutputLimitMegabytes));
    m_document->setOutputLimit(static_cast<std::size_t>(megabytes) * kMebibyte);
    m_view->setMaxShownLines(std::max(1, m_context.settings->get<int>(Settings::Key::MaxShownLines)));
}

void NotebookTab::connectView()
{
    NotebookView *view = m_view.get();
    NotebookSession *session = m_session.get();
    connect(
        view, &NotebookView::runRequested, this, [session](const std::vector<CellId> &ids) { session->runCells(ids); });
    connect(view, &NotebookView::interruptRequested, session, &NotebookSession::interrupt);
    connect(view, &NotebookView::inputSubmitted, this,
        [session](const CellId &, const QString &line) { session->queue()->sendInput(line.toStdString()); });
    connect(view, &NotebookView::inputEnded, this, [session] { session->queue()->endInput(); });
    connect(view, &NotebookView::modeChanged, this, &NotebookTab::noteChange);
    connect(view, &NotebookView::currentCellChanged, this, &NotebookTab::noteChange);
    connect(m_find, &FindStrip::queryChanged, m_search, &NotebookSearch::setQuery);
    connect(m_find, &FindStrip::nextRequested, m_search, &NotebookSearch::next);
    connect(m_find, &FindStrip::previousRequested, m_search, &NotebookSearch::previous);
    connect(m_find, &FindStrip::closed, view, [this] {
        m_search->setQuery({});
        m_view->setFind({});
        m_view->setFocus(Qt::ShortcutFocusReason);
    });
    connect(m_search, &NotebookSearch::resultChanged, this, [this] {
        m_find->setResult(m_search->current(), m_search->count(), m_search->countInOutputs());
        m_view->setFind(m_search->marks());
    });
    connect(m_search, &NotebookSearch::hitActivated, view, &NotebookView::showHit);
}

// Not below the whole tab: in the find strip Escape closes the strip.
void NotebookTab::letEscapeCancelResume()
{
    for (QWidget *place : {static_cast<QWidget *>(m_view.get()), static_cast<QWidget *>(m_banners)}) {
        auto *escape = new QShortcut(Qt::Key_Escape, place);
        escape->setContext(Qt::WidgetWithChildrenShortcut);
        escape->setEnabled(false);
        connect(escape, &QShortcut::activated, m_sessionBanners, &SessionBanners::cancelResume);
        connect(m_sessionBanners, &SessionBanners::askingChanged, escape, &QShortcut::setEnabled);
    }
    connect(m_sessionBanners, &SessionBanners::askingChanged, m_view.get(), &NotebookView::setYieldsEscape);
}

void NotebookTab::noteChange()
{
    if (std::exchange(m_isChangePending, true))
        return;
    QTimer::singleShot(0, this, [this] {
        m_isChangePending = false;
        emit changed();
    });
}

void NotebookTab::offerUndo(int undoIndex)
{
    const int removed = std::exchange(m_removedCells, 0);
    const bool isUndo = undoIndex < std::exchange(m_undoIndex, undoIndex);
    if (removed > 0 && !isUndo)
        m_toast->showText(removed == 1 ? tr("1 cell removed") : tr("%n cells removed", nullptr, removed), tr("Undo"),
            [this] { m_view->undo(); });
    else
        m_toast->hide(); // its Undo would take back another act
}

void NotebookTab::setFilePath(const QString &path)
{
    m_filePath = path.isEmpty() ? QString() : QFileInfo(path).absoluteFilePath();
    applyFolder();
    noteSandbox();
}

void NotebookTab::setUntitledName(const QString &name)
{
    m_untitledName = name;
    applyFolder();
}

QString NotebookTab::title() const
{
    return m_filePath.isEmpty() ? m_untitledName : QFileInfo(m_filePath).fileName();
}

bool NotebookTab::isPristine() const
{
    return m_filePath.isEmpty() && m_changeSerial == 0 && m_session->state() != NotebookSession::State::Busy;
}

bool NotebookTab::hasUnsavedWork() const
{
    return m_document->isModified() || m_isRecovered || (m_filePath.isEmpty() && m_changeSerial > 0);
}

void NotebookTab::markRecovered()
{
    m_isRecovered = true;
    ++m_changeSerial;
    BannerContent content;
    content.id = u"recovered"_s;
    content.icon = u"clock"_s;
    content.title = tr("Unsaved work was brought back.");
    content.text = tr("Sandfish ended before this notebook was saved. Save it to keep what you see.");
    m_banners->put(content);
    noteChange();
}

void NotebookTab::noteSaved()
{
    m_isRecovered = false;
    m_document->markSaved();
    m_banners->remove(u"recovered"_s);
    noteChange();
}

void NotebookTab::setTrusted()
{
    m_document->setTrusted(true);
    m_banners->remove(u"trust"_s);
    emit trusted();
}

void NotebookTab::warnIfUntrusted()
{
    if (m_document->isTrusted())
        return;
    BannerContent content;
    content.id = u"trust"_s;
    content.icon = u"lock"_s;
    content.title = tr("This notebook was not saved here before.");
    content.text = tr("HTML, SVG and scripts in its outputs stay hidden, and its folder is read-only for its code.");
    content.actions = {{tr("Trust this notebook"), [this] { setTrusted(); }}};
    m_banners->put(content);
}

void NotebookTab::showProblems()
{
    const std::vector<QString> &problems = m_document->problems();
    if (problems.empty())
        return;
    BannerContent content;
    content.id = u"problems"_s;
    content.severity = BannerContent::Severity::Warning;
    content.title = problems.front();
    content.text = problems.size() > 1
        ? tr("And %n more. Saving writes the repaired form.", nullptr, int(problems.size()) - 1)
        : tr("Saving writes the repaired form.");
    m_banners->put(content);
}

std::vector<CellId> NotebookTab::codeCells(qsizetype first, qsizetype end) const
{
    std::vector<CellId> ids;
    for (qsizetype i = first; i < end; ++i) {
        const Cell &cell = m_document->peekAt(i);
        if (cell.type == Cell::Type::Code && !cell.source.trimmed().isEmpty())
            ids.push_back(cell.id);
    }
    return ids;
}

void NotebookTab::run(Range range)
{
    const qsizetype current = std::max<qsizetype>(0, m_document->indexOf(m_view->currentCell()));
    const qsizetype first = range == Range::FromCurrent ? current : 0;
    const qsizetype end = range == Range::Above ? current : m_document->cellCount();
    m_session->runCells(codeCells(first, end));
}

void NotebookTab::runAbove(const CellId &id)
{
    m_session->runCells(codeCells(0, std::max<qsizetype>(0, m_document->indexOf(id))));
}

void NotebookTab::openFind()
{
    m_find->open();
}

void NotebookTab::findNext()
{
    m_find->isVisible() ? m_search->next() : m_find->open();
}

void NotebookTab::findPrevious()
{
    m_find->isVisible() ? m_search->previous() : m_find->open();
}

void NotebookTab::showStartCard()
{
    if (!m_startCard) {
        m_startCard = new StartCard(m_context.themes, this);
        connect(m_startCard, &StartCard::closed, this, &NotebookTab::closeStartCard);
    }
    m_startCard->show();
    m_startCard->raise();
    placeStartCard();
}

void NotebookTab::placeStartCard()
{
    if (!m_startCard)
        return;
    constexpr int kBelowFirstCellPx = 96;
    const int top = m_view->y() + kBelowFirstCellPx;
    m_startCard->move(std::min(77, std::max(8, width() - m_startCard->width() - 8)), top);
}

void NotebookTab::closeStartCard()
{
    if (m_startCard)
        m_startCard->hide();
}

void NotebookTab::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    placeStartCard();
}

void NotebookTab::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    placeStartCard();
    // In the next turn, when the file path is known: the engine starts while the first frame is painted.
    QTimer::singleShot(0, this, &NotebookTab::startAhead);
}

} // namespace sandfish
