#pragma once

#include "core/document/cell.h"
#include "ui/outputs/outputrenderer.h"

#include <QAbstractScrollArea>

#include <memory>
#include <optional>

namespace sandfish {

class NotebookDocument;
class ThemeSource;

/// The whole of one output as a tab: every line is shown, only those in sight are shaped. Follows the output while it
/// grows; once the output is gone it keeps what it has. Thread: GUI.
class OutputViewer : public QAbstractScrollArea
{
    Q_OBJECT
public:
    /// \a renderers and \a source outlive the viewer; \a document may die before it.
    OutputViewer(const ThemeSource *source, const OutputRendererRegistry *renderers, NotebookDocument *document,
        const CellId &cell, const Output &output);
    ~OutputViewer() override;

    std::uint64_t serial() const { return m_output.serial; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;

private:
    void rebuild();
    void layOut();
    std::optional<TextPoint> textPointAt(QPointF point) const;
    void select(const TextRange &range);
    void copy() const;
    void takeChange(const std::vector<CellId> &cells);

    const ThemeSource *m_source;
    const OutputRendererRegistry *m_renderers;
    NotebookDocument *m_document;
    CellId m_cell;
    Output m_output;
    RenderStyle m_style;
    std::unique_ptr<OutputItem> m_item;
    std::optional<TextPoint> m_anchor; ///< where the selection of text began
};

} // namespace sandfish
