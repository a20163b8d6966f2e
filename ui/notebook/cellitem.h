#pragma once

#include "core/document/cell.h"
#include "ui/notebook/celllook.h"
#include "ui/notebook/celloutputs.h"
#include "ui/notebook/pagestyle.h"
#include "ui/text/codetext.h"

#include <memory>

class QPainter;

namespace sandfish {

/// What the page keeps of a cell that is or was lately on screen: its source and outputs, laid out and ready to paint.
/// Thread: GUI.
class CellItem
{
public:
    explicit CellItem(PageStyle &style);
    ~CellItem();

    /// Takes over what differs. \a language is the effective one.
    void sync(const Cell &cell, const QString &language);
    /// After a change of theme or trust everything is made anew by the next sync().
    void rebuild();

    /// The live editor stands in for the source: room for \a heightPx instead; negative: no editor.
    void setEditorHeight(qreal heightPx) { m_editorHeight = heightPx; }
    bool isEdited() const { return m_editorHeight >= 0; }
    void setPromptHeight(qreal heightPx) { m_promptHeight = heightPx; }
    void setFlags(const CellFlags &flags) { m_flags = flags; }
    const CellFlags &flags() const { return m_flags; }
    void noteStale(bool isStale) { m_isStale = isStale; }
    bool isStale() const { return m_isStale; }

    /// Lays out for the width of the style. O(1) if nothing changed.
    const CellGeometry &layOut(const Cell &cell);
    const CellGeometry &geometry() const { return m_geometry; }
    const CellLook &look() const { return m_look; }
    /// Markdown that is not being edited.
    bool isProse() const { return m_type == Cell::Type::Markdown && !isEdited(); }

    CodeText &code() { return m_code; }
    CellOutputs &outputs() { return m_outputs; }
    OutputItem *prose() const { return m_prose.get(); }
    /// What a search marks in the source.
    TextFind sourceFind() const;
    qreal noteHeight() const;

private:
    void syncProse(const Cell &cell);

    PageStyle &m_style;
    CellId m_id;
    Cell::Type m_type = Cell::Type::Code;
    CodeText m_code;
    std::unique_ptr<OutputItem> m_prose;
    QString m_proseSource;
    CellOutputs m_outputs;
    CellFlags m_flags;
    CellLook m_look;
    CellGeometry m_geometry;
    bool m_isStale = false;
    qreal m_editorHeight = -1;
    qreal m_promptHeight = 0;
};

/// Stands for the rendered Markdown of a cell where outputs have their serial; stays the same while the program runs.
std::uint64_t proseSerial(const CellId &id);

/// The width that meta takes, icon included.
qreal metaWidth(const CellLook &look, const Theme &theme);

} // namespace sandfish
