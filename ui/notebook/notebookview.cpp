#include "ui/notebook/notebookview_p.h"

#include "core/document/notebookdocument.h"
#include "ui/notebook/inputprompt.h"
#include "ui/notebook/notebookaccessible.h"
#include "ui/text/codeeditor.h"
#include "ui/text/languagename.h"

#include <QAccessible>
#include <QScrollBar>
#include <QUndoStack>

#include <algorithm>
#include <cmath>

namespace sandfish {

NotebookView::Private::Private(NotebookView *owner, NotebookDocument *notebook, const OutputRendererRegistry *renderers)
    : q(owner)
    , document(notebook)
    , style(Theme::forApplication(Theme::Mode::Light))
    , selection(*notebook)
    , page(*notebook, style, [this](const Cell &cell, CellItem &item) { prepare(cell, item); })
    , live(*notebook, style, owner->viewport())
    , actions(*notebook)
    , completion(*notebook, owner)
{
    style.renderers = renderers;
    style.isTrusted = notebook->isTrusted();
    style.render.requestRelayout = [this] { scheduleRelayout(); };
    style.render.request = [this](const OutputRequest &wanted) { request(wanted); };
    relayoutTimer.setSingleShot(true);
    relayoutTimer.setInterval(0);
    QObject::connect(&relayoutTimer, &QTimer::timeout, q, [this] { relayout(); });
}

void NotebookView::Private::connectDocument()
{
    const auto changed = [this](const CellId &id) {
        live.adoptSource(id);
        page.cellChanged(id);
        scheduleRelayout();
    };
    connect(document, &NotebookDocument::cellChanged, q, changed);
    connect(document, &NotebookDocument::runChanged, q, [this](const CellId &id) { runChanged(id); });
    connect(document, &NotebookDocument::outputsChanged, q,
        [this](const std::vector<CellId> &ids) { outputsChanged(ids); });
    connect(document, &NotebookDocument::cellsInserted, q, [this](qsizetype first, qsizetype count) {
        page.cellsInserted(first, count);
        if (selection.current().isEmpty())
            selection.selectOnly(document->peekAt(first).id);
        scheduleRelayout();
    });
    connect(document, &NotebookDocument::cellsRemoved, q,
        [this](qsizetype first, qsizetype count) { cellsRemoved(first, count); });
    connect(document, &NotebookDocument::cellsMoved, q, [this](qsizetype first, qsizetype count, qsizetype to) {
        page.cellsMoved(first, count, to);
        scheduleRelayout();
    });
    connect(document, &NotebookDocument::languageChanged, q, [this] { applyTheme(); });
    connect(document, &NotebookDocument::trustChanged, q, [this](bool isTrusted) {
        style.isTrusted = isTrusted;
        applyTheme();
    });
    connect(&live, &LiveCells::roomChanged, q, [this] {
        relayout();
        showCaret();
    });
    connect(&live, &LiveCells::editorMade, q, [this](CodeEditor *editor) {
        editor->installEventFilter(q);
        completion.setTheme(style.theme);
        completion.attach(editor);
        connect(editor, &QPlainTextEdit::cursorPositionChanged, q, [this] { showCaret(); });
    });
    connect(&live, &LiveCells::inputSubmitted, q, &NotebookView::inputSubmitted);
    connect(&live, &LiveCells::inputEnded, q, &NotebookView::inputEnded);
    connect(&live, &LiveCells::interruptRequested, q, &NotebookView::interruptRequested);
    connect(&live, &LiveCells::promptLeft, q, [this] { q->enterCommandMode(); });
}

void NotebookView::Private::prepare(const Cell &cell, CellItem &item)
{
    CellFlags flags;
    flags.isSelected = selection.contains(cell.id);
    flags.isCurrent = selection.current() == cell.id;
    flags.isEditing = live.edited() == cell.id;
    flags.isHovered = hovered.id == cell.id;
    flags.isPaused = isPaused;
    flags.languageName = cell.type == Cell::Type::Markdown ? tr("Markdown")
        : cell.type == Cell::Type::Raw                     ? tr("Raw")
                                                           : languageName(document->effectiveLanguage(cell.id));
    if (cell.run.state == CellRun::State::Running || cell.run.state == CellRun::State::AwaitingInput)
        flags.now = QDateTime::currentDateTime();
    item.setFlags(flags);
    live.prepare(cell, item);
}

void NotebookView::Private::scheduleRelayout()
{
    if (!relayoutTimer.isActive())
        relayoutTimer.start();
}

void NotebookView::Private::flushLayout()
{
    if (relayoutTimer.isActive())
        relayout();
}

void NotebookView::Private::relayout()
{
    if (isRelayouting)
        return;
    isRelayouting = true;
    relayoutTimer.stop();
    page.layOutVisible();
    syncScrollBar();
    placeWidgets();
    isRelayouting = false;
    syncTimers();
    q->viewport()->update();
}

void NotebookView::Private::syncScrollBar()
{
    isSyncingScrollBar = true;
    QScrollBar *bar = q->verticalScrollBar();
    const int height = q->viewport()->height();
    bar->setRange(0, static_cast<int>(std::ceil(page.maxScrollY())));
    bar->setPageStep(std::max(1, height - 2 * static_cast<int>(style.metrics.linePitch)));
    bar->setSingleStep(static_cast<int>(style.metrics.linePitch) * 3);
    bar->setValue(static_cast<int>(std::lround(page.scrollY())));
    isSyncingScrollBar = false;
}

void NotebookView::Private::placeWidgets()
{
    if (live.isEditing())
        live.placeOutOfSight(live.edited());
    for (auto it = live.prompts().cbegin(); it != live.prompts().cend(); ++it)
        live.placeOutOfSight(it.key());
    for (const NotebookPage::Place &place : page.places())
        live.place(document->peekAt(place.index).id, *place.item, place.y);
}

void NotebookView::Private::outputsChanged(const std::vector<CellId> &ids)
{
    const bool wasAtEnd = page.isAtEnd();
    bool isSeen = false;
    bool isNearEnd = false;
    for (const CellId &id : ids) {
        page.cellChanged(id);
        const qsizetype index = document->indexOf(id);
        isNearEnd = isNearEnd || index >= document->cellCount() - 2;
        isSeen = isSeen
            || std::any_of(page.places().begin(), page.places().end(),
                [index](const NotebookPage::Place &place) { return place.index == index; });
    }
    if (!isSeen)
        return syncScrollBar();
    page.followEnd(wasAtEnd && isNearEnd);
    relayout();
}

void NotebookView::Private::runChanged(const CellId &id)
{
    const Cell *cell = document->find(id);
    if (!cell)
        return;
    const InputPrompt *old = live.prompt(id);
    const bool hadFocus = old && old->hasFocusInside();
    live.syncPrompt(*cell);
    InputPrompt *prompt = live.prompt(id);
    if (hadFocus && !prompt)
        q->setFocus();
    const bool isHere = q->hasFocus() || (live.editor() && live.editor()->hasFocus());
    page.cellChanged(id);
    scheduleRelayout();
    if (prompt && !old && isHere && (selection.current() == id || !isWriting())) {
        q->enterCommandMode();
        showPrompt(id);
        prompt->takeFocus();
    }
}

void NotebookView::Private::cellsRemoved(qsizetype first, qsizetype count)
{
    const CellId before = selection.current();
    page.cellsRemoved(first, count);
    selection.cellsRemoved(first);
    hovered = {};
    const bool wasEditing = live.isEditing();
    live.dropMissing();
    if (wasEditing && !live.isEditing()) {
        q->setFocus();
        live.hideEditor();
        setMode(Mode::Command);
    }
    scheduleRelayout();
    selectionMoved(before != selection.current());
}

void NotebookView::Private::setMode(Mode wanted)
{
    if (mode == wanted)
        return;
    mode = wanted;
    emit q->modeChanged(mode);
}

void NotebookView::Private::selectionMoved(bool hasCurrentChanged)
{
    scheduleRelayout();
    if (hasCurrentChanged) {
        emit q->currentCellChanged(selection.current());
        notifyCurrentCell(q);
    }
    emit q->selectionChanged();
}

void NotebookView::Private::setCurrent(const CellId &id, bool extends)
{
    if (document->indexOf(id) < 0)
        return;
    const bool isOther = selection.current() != id;
    if (isOther && live.isEditing())
        q->enterCommandMode();
    if (extends)
        selection.extendTo(id);
    else
        selection.selectOnly(id);
    selectionMoved(isOther);
}

void NotebookView::Private::showCell(const CellId &id)
{
    const qsizetype index = document->indexOf(id);
    if (index < 0 || page.isShown(index))
        return;
    const QRectF frame = page.item(index).geometry().frame;
    page.show(index, index == 0 ? -CellMetrics::kPageTop : frame.top() - CellMetrics::kCellGap,
        frame.height() + 2 * CellMetrics::kCellGap);
    relayout();
}

void NotebookView::Private::showCaret()
{
    if (!live.isEditing() || !live.editor() || isRelayouting)
        return;
    const qsizetype index = document->indexOf(live.edited());
    if (index < 0)
        return;
    const QRectF caret = live.editor()->cursorRect();
    const qreal top = page.item(index).geometry().source.top() + caret.top();
    page.show(index, top - style.metrics.linePitch / 2, caret.height() + style.metrics.linePitch);
    relayout();
}

void NotebookView::Private::edit(const CellId &id)
{
    if (document->indexOf(id) < 0)
        return;
    if (selection.current() != id || selection.count() > 1) {
        const bool isOther = selection.current() != id;
        selection.selectOnly(id);
        selectionMoved(isOther);
    }
    clearTextSelection();
    live.edit(id);
    setMode(Mode::Edit);
    page.cellChanged(id);
    relayout();
    live.editor()->setFocus();
}

void NotebookView::Private::setBodyWidth()
{
    // From 1920 px on code is held to a width that can be read (DESIGN.md §4.1).
    constexpr int kWideWindow = 1920;
    const bool isCapped = q->window()->width() >= kWideWindow;
    const qreal bar = q->verticalScrollBar()->isVisibleTo(q) ? q->verticalScrollBar()->width() : 0;
    style.bodyWidth = std::floor(style.metrics.bodyWidth(q->viewport()->width() + bar, isCapped));
}

void NotebookView::Private::applyTheme()
{
    style.render.devicePixelRatio = q->devicePixelRatioF();
    page.rebuildItems();
    setBodyWidth();
    completion.setTheme(style.theme);
    live.restyle();
    relayout();
}

NotebookView::NotebookView(NotebookDocument *document, const OutputRendererRegistry *renderers, QWidget *parent)
    : QAbstractScrollArea(parent)
    , d(std::make_unique<Private>(this, document, renderers))
{
    installNotebookAccessibility();
    setFrameStyle(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    d->connectDocument();
    connect(&d->frameTimer, &QTimer::timeout, this, [this] { d->animate(); });
    connect(&d->secondTimer, &QTimer::timeout, this, [this] { d->secondPassed(); });
    d->page.reset();
    for (qsizetype i = 0; i < document->cellCount(); ++i)
        d->live.syncPrompt(document->peekAt(i));
}

NotebookView::~NotebookView() = default;

NotebookDocument *NotebookView::document() const
{
    return d->document;
}

void NotebookView::setTheme(const Theme &theme)
{
    d->style.setTheme(theme);
    setPalette(theme.palette());
    d->applyTheme();
}

void NotebookView::setMaxShownLines(int lines)
{
    if (d->style.render.maxShownLines == lines)
        return;
    d->style.render.maxShownLines = lines;
    d->applyTheme();
}

CellId NotebookView::currentCell() const
{
    return d->selection.current();
}

std::vector<CellId> NotebookView::selectedCells() const
{
    return d->selection.inOrder();
}

NotebookView::Mode NotebookView::mode() const
{
    return d->mode;
}

void NotebookView::setCurrentCell(const CellId &id)
{
    d->setCurrent(id);
    d->showCell(id);
}

void NotebookView::editCurrentCell()
{
    d->edit(d->selection.current());
    d->showCaret();
}

void NotebookView::enterCommandMode()
{
    if (!d->live.isEditing()) {
        setFocus();
        return;
    }
    const CellId id = d->live.edited();
    const bool hadFocus = d->live.editor()->hasFocus();
    d->live.leave();
    if (hadFocus)
        setFocus();
    d->live.hideEditor();
    d->setMode(Mode::Command);
    d->page.cellChanged(id);
    d->relayout();
}

void NotebookView::setYieldsEscape(bool yields)
{
    d->yieldsEscape = yields;
}

void NotebookView::scrollToCell(const CellId &id)
{
    d->showCell(id);
}

bool NotebookView::hasPainted() const
{
    return d->hasPainted;
}

} // namespace sandfish
