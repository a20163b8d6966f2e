#pragma once

#include "core/document/cell.h"

#include <memory>
#include <vector>

class QMimeData;

namespace sandfish {

class NotebookDocument;

/// Acts on several cells, each one step of undo. \a ids are in document order. Thread: GUI.
class CellActions
{
public:
    explicit CellActions(NotebookDocument &document);

    void remove(const std::vector<CellId> &ids);
    /// By one place; cells that are apart are gathered at the first one. False at the edge of the notebook.
    bool moveUp(const std::vector<CellId> &ids);
    bool moveDown(const std::vector<CellId> &ids);
    void setType(const std::vector<CellId> &ids, Cell::Type type);
    /// Markdown with a heading of \a level in place of the one it has.
    void makeHeading(const std::vector<CellId> &ids, int level);
    /// Joins the sources with an empty line between Markdown and a line end between code; gives the joined cell.
    CellId merge(const std::vector<CellId> &ids);
    /// Cuts a cell in two at \a position; gives the lower one.
    CellId split(const CellId &id, qsizetype position);
    std::vector<CellId> paste(qsizetype index, const QMimeData *data);
    std::unique_ptr<QMimeData> copied(const std::vector<CellId> &ids) const;

private:
    void gather(const std::vector<CellId> &ids);

    NotebookDocument &m_document;
};

} // namespace sandfish
