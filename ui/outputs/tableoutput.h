#pragma once

#include "ui/outputs/noticebar.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/outputs/tabledata.h"
#include "ui/outputs/textpieces.h"

namespace sandfish {

/// A table painted in place (DESIGN.md §3.6): 20 rows at first, up to 1000 on demand; columns that do not fit are left
/// out and counted.
class TableOutput : public OutputItem
{
public:
    TableOutput(TableData table, std::uint64_t serial, const RenderStyle &style);

    qreal heightForWidth(qreal widthPx) override;
    void paint(QPainter &painter, const QRectF &clip) override;
    bool update(const Output &output) override;
    std::vector<OutputAction> actions() override;
    Selectable selectable() override;
    QString plainText() const override; ///< tabs between cells

private:
    void measure();
    void collectPieces();
    void addPieces(std::vector<TextPiece> &pieces, const TableData::Row &row, qreal top, qreal heightPx, bool isHeader);
    qreal headerRowPx() const;
    qreal rowPx() const;
    qreal gridPx() const;
    std::size_t shownRows() const;
    QString noteText() const;
    NoticeBar bar();
    QRectF barRect() const;
    void toggleRows();
    void paintHeader(QPainter &painter) const;
    void paintRow(QPainter &painter, std::size_t row) const;
    void paintCell(QPainter &painter, const QRectF &rect, std::size_t column, const TableData::Cell &cell) const;
    qreal spanPx(const TableData::Row &row, std::size_t column) const;

    const RenderStyle &m_style;
    std::uint64_t m_serial;
    TableData m_table;
    TextPieces m_pieces;
    std::vector<qreal> m_columnsPx; ///< of the shown columns
    std::vector<bool> m_isRightAligned;
    bool m_showsMore = false;
    bool m_isMeasured = false;
    qreal m_widthPx = 0;
    std::vector<qreal> m_allColumnsPx;
};

} // namespace sandfish
