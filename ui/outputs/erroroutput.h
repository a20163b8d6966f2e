#pragma once

#include "ui/outputs/outputrenderer.h"
#include "ui/outputs/textblock.h"
#include "ui/outputs/textpieces.h"
#include "ui/outputs/traceback.h"

#include <memory>

namespace sandfish {

/// The box of an exception (DESIGN.md §3.1): a head with type and message, a row for each frame of the user's own
/// code, library frames folded. A traceback in an unknown form is shown as text.
class ErrorItem : public OutputItem
{
public:
    ErrorItem(const Output &output, const RenderStyle &style);
    ~ErrorItem() override;

    qreal heightForWidth(qreal widthPx) override;
    void paint(QPainter &painter, const QRectF &clip) override;
    bool update(const Output &output) override;
    std::vector<OutputAction> actions() override;
    Selectable selectable() override;
    QString plainText() const override;

private:
    struct Row
    {
        QString label;
        TraceFrame frame; ///< without line: \ref label is all
    };
    QString title() const;
    void buildRows();
    void toggleLibraryFrames();
    void addFrameRow(const TraceFrame &frame);
    void setDetails(std::string text);
    qreal headPx() const;
    qreal rowsPx() const;
    QRectF rowRect(std::size_t row) const;
    qreal labelPx() const;
    QRectF titleRect() const;
    QRectF codeRect(std::size_t row) const;
    QRectF copyRect() const;
    void collectPieces();
    QRectF foldRect() const; ///< empty without library frames
    QString foldText() const;
    void paintHeadGround(QPainter &painter) const;
    void paintHead(QPainter &painter) const;
    void paintRow(QPainter &painter, std::size_t row) const;

    const RenderStyle &m_style;
    ErrorOutput m_error;
    std::uint64_t m_serial = 0;
    QString m_traceText; ///< plain
    Traceback m_trace;
    int m_libraryFrames = 0;
    bool m_isUnfolded = false;
    std::vector<Row> m_rows;
    TextPieces m_pieces;
    std::unique_ptr<TextBlock> m_details; ///< the rest of a long message, or a traceback in an unknown form
    qreal m_detailsPx = 0;
    qreal m_widthPx = 0;
};

} // namespace sandfish
