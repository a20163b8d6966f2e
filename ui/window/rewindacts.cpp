#include "ui/window/rewindacts.h"

#include "core/document/notebookdocument.h"
#include "core/session/rewinder.h"
#include "ui/notebook/rewindwords.h"
#include "ui/panels/toast.h"
#include "ui/text/languagename.h"
#include "ui/window/notebooktab.h"
#include "ui/window/question.h"
#include "ui/window/sessionbanners.h"

#include <QPointer>

using namespace Qt::StringLiterals;

namespace sandfish {

RewindActs::RewindActs(NotebookTab *tab)
    : QObject(tab)
    , m_tab(tab)
{
    NotebookView *view = tab->view();
    view->setRewindCheck([this](const CellId &id) { return whyNot(id); });
    connect(view, &NotebookView::rewindRequested, this, &RewindActs::rewind);
    connect(view, &NotebookView::branchRequested, this, &RewindActs::branch);
    connect(view, &NotebookView::restartAboveRequested, this, &RewindActs::restartAndRunAbove);
    connect(rewinder(), &Rewinder::rewound, this, &RewindActs::tell);
    connect(rewinder(), &Rewinder::branched, this, &RewindActs::branchMade);
    connect(rewinder(), &Rewinder::failed, this,
        [this](const Error &error) { m_tab->sessionBanners()->showError(error, u"rewind"_s); });
}

Rewinder *RewindActs::rewinder() const
{
    return m_tab->session()->rewinder();
}

QString RewindActs::whyNot(const CellId &id) const
{
    return rewinder()->whyNot(id);
}

bool RewindActs::canUndo() const
{
    return rewinder()->canUndo();
}

QString RewindActs::lossText(const CellId &id) const
{
    const Cell *cell = m_tab->document()->find(id);
    QStringList lines;
    lines << tr("Variables, imports and the working folder become what they were before the cell ran. Files, databases "
                "and the world outside are not rewound: they stay as they are.");
    const auto count = int(rewinder()->undoneBy(id).size());
    if (count > 1)
        lines << tr("The outputs of %n cells that ran since stay on the page, marked as stale.", nullptr, count);
    if (cell->run.before && !cell->run.before->inexact.empty())
        lines << tr("Not exact: %1 will not be as before.").arg(inexactText(cell->run.before->inexact));
    if (rewinder()->isBusy(id))
        lines << tr("The cell that runs is stopped at once, and what it has computed is lost.");
    return lines.join("\n\n"_L1);
}

void RewindActs::rewind(const CellId &id)
{
    if (!whyNot(id).isEmpty())
        return;
    const bool isBusy = rewinder()->isBusy(id);
    ask(m_tab->window(),
        {u"rewindQuestion"_s, tr("Rewind to before cell [%1]?").arg(m_tab->document()->find(id)->executionCount),
            lossText(id),
            {{tr("Keep"), Choice::Kind::Safe, {}},
                {isBusy ? tr("Stop and rewind") : tr("Rewind"), isBusy ? Choice::Kind::Danger : Choice::Kind::Primary,
                    [tab = QPointer(m_tab), id] {
                        if (tab)
                            tab->rewindActs()->rewindNow(id);
                    }}}});
}

void RewindActs::rewindNow(const CellId &id)
{
    rewinder()->rewind(id, Context::WhileBusy::Stop);
}

void RewindActs::branch(const CellId &id)
{
    if (whyNot(id).isEmpty())
        rewinder()->branch(id);
}

void RewindActs::undo()
{
    rewinder()->undo();
}

void RewindActs::restartAndRunAbove(const CellId &id)
{
    if (!m_tab->document()->find(id))
        return;
    const QString language = languageName(m_tab->document()->effectiveLanguage(id));
    const QString reason = whyNot(id);
    const QString loss = tr("Variables will be lost, then the cells above run again. Files stay as they are, and what "
                            "the cells do to them happens a second time.");
    ask(m_tab->window(),
        {u"restartAboveQuestion"_s, tr("Restart %1 and run all above?").arg(language),
            reason.isEmpty() ? loss : reason + "\n\n"_L1 + loss,
            {{tr("Keep"), Choice::Kind::Safe, {}},
                {tr("Restart and run all above"), Choice::Kind::Danger, [tab = QPointer(m_tab), id] {
                     if (!tab)
                         return;
                     tab->session()->restart();
                     tab->runAbove(id);
                 }}}});
}

void RewindActs::tell(const RewindReport &report)
{
    const QString text = report.isUndo
        ? tr("The variables are as before the rewind.")
        : tr("Rewound to before cell [%1]. Files stay as they are.").arg(report.executionCount);
    if (report.canUndo)
        m_tab->toast()->showText(text, tr("Undo"), [this] { undo(); });
    else
        m_tab->toast()->showText(text);
}

} // namespace sandfish
