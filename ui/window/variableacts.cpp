#include "ui/window/variableacts.h"

#include "core/document/notebookdocument.h"
#include "core/session/notebooksession.h"
#include "core/session/variablewatch.h"
#include "ui/notebook/notebookview.h"
#include "ui/panels/valueview.h"
#include "ui/panels/variablespanel.h"
#include "ui/text/theme.h"
#include "ui/window/docks.h"
#include "ui/window/documentarea.h"
#include "ui/window/notebooktab.h"

using namespace Qt::StringLiterals;

namespace sandfish {

VariableActs::VariableActs(const ThemeSource *themes, DocumentArea *area, Docks *docks, QObject *parent)
    : QObject(parent)
    , m_themes(themes)
    , m_area(area)
    , m_docks(docks)
{
    connect(docks->variables(), &VariablesPanel::openRequested, this, &VariableActs::open);
}

void VariableActs::showFront(NotebookTab *tab)
{
    // A value that is in front belongs to the notebook that was there before.
    if (!tab && qobject_cast<ValueView *>(m_area->currentPage()))
        return;
    m_docks->variableWatch()->setSession(tab ? tab->session() : nullptr);
    if (tab)
        followCell(tab);
}

void VariableActs::followCell(NotebookTab *tab)
{
    const Cell *cell = tab->document()->find(tab->view()->currentCell());
    const bool isCode = cell && cell->type == Cell::Type::Code;
    m_docks->variableWatch()->setLanguage(
        isCode ? tab->document()->effectiveLanguage(cell->id) : tab->document()->language());
}

void VariableActs::open(const VariableInfo &variable)
{
    NotebookSession *session = m_docks->variableWatch()->session();
    const std::shared_ptr<Context> context = m_docks->variableWatch()->context();
    if (!session || !context)
        return;
    for (int i = 0; i < m_area->pageCount(); ++i) {
        auto *open = qobject_cast<ValueView *>(m_area->pageAt(i));
        if (!open || !open->isOf(context) || open->variable() != variable.name)
            continue;
        m_area->setCurrentIndex(i);
        open->refresh();
        open->setFocus(Qt::OtherFocusReason);
        return;
    }
    auto *view = new ValueView(m_themes, session, context, variable);
    const QString name = QString::fromStdString(variable.name);
    m_area->addPage(view, name);
    m_area->setTitle(view, name, tr("Value of %1").arg(name));
    m_area->setMark(view, {u"table"_s, int(ColorToken::Text2)});
    view->setFocus(Qt::OtherFocusReason);
}

} // namespace sandfish
