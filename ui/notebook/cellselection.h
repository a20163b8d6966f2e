#pragma once

#include "core/document/cell.h"

#include <QSet>

#include <vector>

namespace sandfish {

class NotebookDocument;

/// Which cells are selected, and which of them has the cursor. Never empty unless the document is. Thread: GUI.
class CellSelection
{
public:
    explicit CellSelection(const NotebookDocument &document);

    const CellId &current() const { return m_current; }
    bool contains(const CellId &id) const { return m_selected.contains(id); }
    qsizetype count() const { return m_selected.size(); }
    std::vector<CellId> inOrder() const;

    void selectOnly(const CellId &id);
    /// From where the selection began to \a id.
    void extendTo(const CellId &id);
    /// Adds \a id, or takes it out unless it is the last one.
    void toggle(const CellId &id);
    void selectAll();
    void select(const std::vector<CellId> &ids); ///< the last one gets the cursor

    /// The cell to go to when the cells [first, first + count) are removed; call before the ids are gone from here.
    void cellsRemoved(qsizetype first);

private:
    const NotebookDocument &m_document;
    CellId m_current;
    CellId m_origin; ///< where an extended selection began
    QSet<CellId> m_selected;
};

} // namespace sandfish
