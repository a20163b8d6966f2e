#include "core/document/notebookdocument.h"
#include "ui/notebook/notebookview_p.h"
#include "ui/text/syntaxrepository.h"

#include <QStyle>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sandfish {

using namespace std::chrono_literals;

namespace {

// Twelve steps of the spinner a second; the lighter piece of the stripe travels down in 1.6 s (DESIGN.md §2.5).
constexpr auto kSpinnerStep = 83ms;
constexpr int kSpinnerSteps = 12;
constexpr qint64 kStripeMs = 1600;

bool isRunning(const Cell &cell)
{
    return cell.run.state == CellRun::State::Running || cell.run.state == CellRun::State::AwaitingInput;
}

} // namespace

bool NotebookView::Private::hasVisibleRun() const
{
    if (isPaused || !q->isVisible() || q->window()->isMinimized())
        return false;
    return std::any_of(page.places().begin(), page.places().end(),
        [this](const NotebookPage::Place &place) { return isRunning(document->peekAt(place.index)); });
}

void NotebookView::Private::syncTimers()
{
    const bool runs = hasVisibleRun();
    phase.isMoving = runs && q->style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, q) > 0;
    if (phase.isMoving && !frameTimer.isActive()) {
        if (!animationClock.isValid())
            animationClock.start();
        frameTimer.start(kSpinnerStep);
    } else if (!phase.isMoving) {
        frameTimer.stop();
    }
    const bool counts = runs || (!isPaused && !live.prompts().isEmpty() && q->isVisible());
    if (counts && !secondTimer.isActive())
        secondTimer.start(1s);
    else if (!counts)
        secondTimer.stop();
}

void NotebookView::setPaused(bool isPaused)
{
    if (std::exchange(d->isPaused, isPaused) != isPaused)
        d->relayout();
}

void NotebookView::Private::animate()
{
    const qint64 elapsed = animationClock.elapsed();
    phase.spinnerStep = static_cast<int>(elapsed / kSpinnerStep.count() % kSpinnerSteps);
    phase.stripePart = static_cast<qreal>(elapsed % kStripeMs) / kStripeMs;
    updateMarks();
}

void NotebookView::Private::secondPassed()
{
    live.updatePrompts();
    for (const NotebookPage::Place &place : page.places())
        if (isRunning(document->peekAt(place.index)))
            page.item(place.index);
    updateMarks();
}

// Stripes and meta of running cells alone: the rest of the page stays as it is painted.
void NotebookView::Private::updateMarks()
{
    if (!hasVisibleRun())
        return syncTimers();
    for (const NotebookPage::Place &place : page.places()) {
        if (!isRunning(document->peekAt(place.index)))
            continue;
        const CellGeometry &geometry = place.item->geometry();
        q->viewport()->update(geometry.stripe.translated(0, place.y).toAlignedRect());
        q->viewport()->update(geometry.meta.translated(0, place.y).toAlignedRect());
    }
}

// The first frame is plain: loading the language definitions would hold it back.
void NotebookView::Private::warmUpAfterFirstPaint()
{
    SyntaxRepository &syntax = SyntaxRepository::instance();
    connect(&syntax, &SyntaxRepository::ready, q, [this] { q->viewport()->update(); });
    syntax.warmUp();
}

} // namespace sandfish
