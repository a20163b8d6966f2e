#include "ui/window/rewindbanners.h"

#include "core/document/notebookdocument.h"
#include "core/session/executionqueue.h"
#include "core/session/rewinder.h"
#include "core/session/stuckcellwatch.h"
#include "ui/panels/bannerstack.h"
#include "ui/window/notebooktab.h"
#include "ui/window/rewindacts.h"
#include "ui/window/sessionbanners.h"

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

const QString kCrashId = u"crash"_s;
const QString kStuckId = u"stuck"_s;

// The button names the loss, so that one click is enough.
QString restartText(const NotebookSession &session)
{
    const std::optional<std::int64_t> count = session.variableCount();
    if (!count)
        return RewindBanners::tr("Restart (variables lost)");
    return *count == 1 ? RewindBanners::tr("Restart (1 variable lost)")
                       : RewindBanners::tr("Restart (%n variables lost)", nullptr, int(*count));
}

} // namespace

RewindBanners::RewindBanners(NotebookTab *tab)
    : QObject(tab)
    , m_tab(tab)
{
    NotebookSession *session = tab->session();
    connect(session->rewinder(), &Rewinder::crashed, this, &RewindBanners::showCrash);
    connect(session->rewinder(), &Rewinder::rewound, this, [this] { m_tab->banners()->remove(kCrashId); });
    connect(session->interruptWatch(), &StuckCellWatch::changed, this, &RewindBanners::showStuck);
    connect(session->queue(), &ExecutionQueue::cellFinished, this, &RewindBanners::runsOn);
}

// A run that ends otherwise shows that there is an interpreter again.
void RewindBanners::runsOn(const CellId &, const ExecutionSummary &summary)
{
    if (summary.outcome != Outcome::Crashed)
        m_tab->banners()->remove(kCrashId);
}

void RewindBanners::showCrash(const CrashReport &report)
{
    const auto [fact, advice] = splitSentence(QString::fromStdString(report.summary.reason));
    BannerContent content;
    content.id = kCrashId;
    content.title = fact;
    content.text = advice;
    if (report.isRewound) {
        content.severity = BannerContent::Severity::Warning;
        content.icon = u"rewind"_s;
        content.text = tr("The context was rewound: variables are as they were before this cell.");
    } else {
        content.severity = BannerContent::Severity::Error;
        offerAfterCrash(report, content);
    }
    m_tab->banners()->put(content);
}

void RewindBanners::offerAfterCrash(const CrashReport &report, BannerContent &content)
{
    RewindActs *acts = m_tab->rewindActs();
    if (report.offered) {
        const Cell *cell = m_tab->document()->find(*report.offered);
        const QString text = *report.offered == report.cell || !cell
            ? tr("Rewind to before this cell")
            : tr("Rewind to before cell [%1]").arg(cell->executionCount);
        content.actions.push_back({text, [acts, id = *report.offered] { acts->rewindNow(id); }, true, u"rewind"_s});
    }
    content.actions.push_back({tr("Run all above"), [this, id = report.cell] {
                                   m_tab->banners()->remove(kCrashId);
                                   m_tab->runAbove(id);
                               }});
}

void RewindBanners::showStuck()
{
    const std::optional<CellId> stuck = m_tab->session()->interruptWatch()->stuck();
    if (!stuck) {
        m_tab->banners()->remove(kStuckId);
        return;
    }
    BannerContent content;
    content.id = kStuckId;
    content.severity = BannerContent::Severity::Warning;
    content.icon = u"interrupt"_s;
    content.title = tr("The cell does not react to the interrupt.");
    const QString reason = m_tab->rewindActs()->whyNot(*stuck);
    if (reason.isEmpty()) {
        content.text = tr("A rewind ends it and brings back the variables from before it.");
        content.actions.push_back(
            {tr("Stop and rewind"), [this, id = *stuck] { m_tab->rewindActs()->rewindNow(id); }, true, u"rewind"_s});
    } else {
        content.text = tr("%1 A restart ends it.").arg(reason);
        content.actions.push_back({tr("Interrupt again"), [this] { m_tab->session()->interrupt(); }});
    }
    content.actions.push_back({restartText(*m_tab->session()), [this] { m_tab->session()->restart(); }});
    m_tab->banners()->put(content);
}

} // namespace sandfish
