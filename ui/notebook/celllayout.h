#pragma once

#include <QRectF>

namespace sandfish {

class Theme;

/// The measures of DESIGN.md §3.1 in logical px. Those that hold text follow the font size.
struct CellMetrics
{
    explicit CellMetrics(const Theme &theme);

    qreal linePitch;     ///< from one code line to the next
    qreal gutterWidth;   ///< between stripe and body
    qreal metaLine;      ///< the line of its own that meta gets when the code would touch it
    qreal button;        ///< side of the gutter button
    qreal proseMaxWidth; ///< of rendered Markdown
    qreal codeMaxWidth;  ///< of code and outputs in wide windows

    static constexpr qreal kStripeX = 8;
    static constexpr qreal kStripeWidth = 3;
    static constexpr qreal kRightMargin = 22;
    static constexpr qreal kEdge = 1;
    static constexpr qreal kCodePadTop = 6;
    static constexpr qreal kCodePadLeft = 11;
    static constexpr qreal kCodePadRight = 10;
    static constexpr qreal kCellPad = 4; ///< above and below a cell, part of its stripe and gutter
    static constexpr qreal kCellGap = 3; ///< between two cells; with the pads 11 px between code boxes
    static constexpr qreal kOutputTop = 5;
    static constexpr qreal kOutputIndent = 12;
    static constexpr qreal kOutputGap = 5; ///< between two outputs that are not both streams
    static constexpr qreal kProsePad = 2;
    static constexpr qreal kProseBottom = 3; ///< more below than above: lines carry their leading at the top
    static constexpr qreal kMetaRight = 9;
    static constexpr qreal kMetaGap = 16; ///< least room between code and meta
    static constexpr qreal kPageTop = 3;
    static constexpr qreal kPageBottom = 120; ///< so that the last cell need not sit on the window's edge

    qreal bodyX() const { return kStripeX + kStripeWidth + gutterWidth; }
    /// Where code, prose and output text begin.
    qreal textX() const { return bodyX() + kEdge + kCodePadLeft; }
    qreal bodyWidth(qreal viewWidth, bool isCapped) const;
    /// Room for code and for rendered Markdown.
    qreal codeWidth(qreal bodyWidth) const { return bodyWidth - 2 * kEdge - kCodePadLeft - kCodePadRight; }
    qreal proseWidth(qreal bodyWidth) const;
    qreal outputWidth(qreal bodyWidth) const { return bodyWidth - kOutputIndent; }
};

/// What a cell asks room for.
struct CellParts
{
    bool isBoxed = true;      ///< source in a code box; false: rendered Markdown
    qreal sourceHeight = 0;   ///< code rows or rendered Markdown
    qreal firstLineWidth = 0; ///< of the first code row
    qreal metaWidth = 0;      ///< the widest meta the cell may show without running; 0: none
    qreal outputsHeight = 0;  ///< outputs, folded box and notes; 0: none
    qreal promptHeight = 0;   ///< of the input() box; 0: none
};

/// The rectangles of one cell in its own coordinates, (0,0) being the left top of its place in the page.
struct CellGeometry
{
    qreal height = 0; ///< of the place, with the gap below
    QRectF frame;     ///< the height that stripe and gutter take, full width
    QRectF stripe;
    QRectF gutterTint;
    QRectF button;
    QRectF count; ///< right-aligned text; below the button if \ref button is shown with a count
    QRectF box;   ///< code box, or the edge around rendered Markdown
    QRectF source;
    QRectF meta; ///< right-aligned, vertically centred
    QRectF outputs;
    QRectF prompt;
};

/// \a bodyWidth as given by CellMetrics::bodyWidth(). Cost: constant.
CellGeometry layOutCell(const CellParts &parts, qreal bodyWidth, const CellMetrics &metrics);

} // namespace sandfish
