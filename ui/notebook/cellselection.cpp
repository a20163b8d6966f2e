#include "ui/notebook/cellselection.h"

#include "core/document/notebookdocument.h"

#include <algorithm>

namespace sandfish {

CellSelection::CellSelection(const NotebookDocument &document)
    : m_document(document)
{
    if (document.cellCount() > 0)
        selectOnly(document.peekAt(0).id);
}

std::vector<CellId> CellSelection::inOrder() const
{
    std::vector<CellId> ids(m_selected.begin(), m_selected.end());
    std::sort(ids.begin(), ids.end(),
        [this](const CellId &a, const CellId &b) { return m_document.indexOf(a) < m_document.indexOf(b); });
    return ids;
}

void CellSelection::selectOnly(const CellId &id)
{
    m_current = id;
    m_origin = id;
    m_selected.clear();
    if (!id.isEmpty())
        m_selected.insert(id);
}

void CellSelection::extendTo(const CellId &id)
{
    const qsizetype from = m_document.indexOf(m_origin);
    const qsizetype to = m_document.indexOf(id);
    if (from < 0 || to < 0)
        return selectOnly(id);
    m_selected.clear();
    for (qsizetype i = std::min(from, to); i <= std::max(from, to); ++i)
        m_selected.insert(m_document.peekAt(i).id);
    m_current = id;
}

void CellSelection::toggle(const CellId &id)
{
    if (!m_selected.contains(id)) {
        m_selected.insert(id);
        m_current = id;
    } else if (m_selected.size() > 1) {
        m_selected.remove(id);
        if (m_current == id)
            m_current = inOrder().front();
    }
    m_origin = m_current;
}

void CellSelection::selectAll()
{
    m_selected.clear();
    for (qsizetype i = 0; i < m_document.cellCount(); ++i)
        m_selected.insert(m_document.peekAt(i).id);
}

void CellSelection::select(const std::vector<CellId> &ids)
{
    if (ids.empty())
        return;
    selectOnly(ids.back());
    m_origin = ids.front();
    m_selected = QSet<CellId>(ids.begin(), ids.end());
}

void CellSelection::cellsRemoved(qsizetype first)
{
    for (auto it = m_selected.begin(); it != m_selected.end();)
        it = m_document.indexOf(*it) < 0 ? m_selected.erase(it) : std::next(it);
    if (m_document.indexOf(m_current) >= 0) {
        if (m_document.indexOf(m_origin) < 0)
            m_origin = m_current;
        return;
    }
    const qsizetype count = m_document.cellCount();
    selectOnly(count > 0 ? m_document.peekAt(std::clamp<qsizetype>(first, 0, count - 1)).id : CellId());
}

} // namespace sandfish
