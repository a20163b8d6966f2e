#include "core/document/notebookdocument.h"
#include "core/session/rewinder.h"
#include "ui/window/notebooktab.h"

#include <QFileInfo>

#include <algorithm>

// A notebook that is the copy of another one, on a branch of its context.

namespace sandfish {

void NotebookTab::becomeBranch(const NotebookTab &origin, const BranchPoint &point)
{
    const QString name = origin.filePath().isEmpty() ? origin.title() : QFileInfo(origin.filePath()).completeBaseName();
    setUntitledName(tr("%1 (branch)").arg(name));
    m_origin = tr("branch of %1, before [%2]").arg(origin.title()).arg(point.executionCount);
    ++m_changeSerial;
    copyRuns(*origin.document(), point.undoneCells);
    NotebookSession *from = origin.session();
    m_session->setNetworkEnabled(from->isNetworkEnabled());
    m_session->setProvider(from->provider());
    m_session->attachBranch(point.sandbox, point.context, from->effectiveFolderAccess());
    const qsizetype index = origin.document()->indexOf(point.cell);
    if (index >= 0 && index < m_document->cellCount())
        m_view->setCurrentCell(m_document->peekAt(index).id);
    noteChange();
}

// Cells of an old file have got other ids, so it goes by their place. The kept states are the other context's.
void NotebookTab::copyRuns(const NotebookDocument &from, const std::vector<CellId> &undone)
{
    const qsizetype count = std::min(from.cellCount(), m_document->cellCount());
    for (qsizetype i = 0; i < count; ++i) {
        const Cell &cell = from.peekAt(i);
        if (cell.run.state != CellRun::State::Finished)
            continue;
        CellRun run = cell.run;
        run.before.reset();
        run.isUndone = run.isUndone || std::find(undone.begin(), undone.end(), cell.id) != undone.end();
        m_document->setRun(m_document->peekAt(i).id, run);
    }
}

bool NotebookTab::isBranch() const
{
    return m_session->branchContext().has_value();
}

QString NotebookTab::tip() const
{
    return isBranch() && m_filePath.isEmpty() ? m_origin : m_filePath;
}

} // namespace sandfish
