#include "ui/notebook/celllayout.h"

#include "ui/text/theme.h"

#include <algorithm>
#include <cmath>

namespace sandfish {

namespace {

void placeGutter(CellGeometry &geometry, const CellMetrics &metrics)
{
    const qreal left = CellMetrics::kStripeX + CellMetrics::kStripeWidth;
    geometry.stripe =
        QRectF(CellMetrics::kStripeX, geometry.frame.top(), CellMetrics::kStripeWidth, geometry.frame.height());
    geometry.gutterTint = QRectF(left + 3, geometry.frame.top(), metrics.gutterWidth - 7, geometry.frame.height());
    const qreal right = left + metrics.gutterWidth - 8;
    const qreal top = geometry.box.top() + CellMetrics::kCodePadTop;
    geometry.button = QRectF(right - metrics.button, top, metrics.button, metrics.button);
    geometry.count = QRectF(left, top, right - left, metrics.linePitch);
}

void placeBoxedSource(CellGeometry &geometry, const CellParts &parts, qreal bodyWidth, const CellMetrics &metrics)
{
    const bool metaTouches = parts.metaWidth > 0
        && parts.firstLineWidth + CellMetrics::kMetaGap + parts.metaWidth + CellMetrics::kMetaRight
            > bodyWidth - CellMetrics::kEdge - CellMetrics::kCodePadLeft;
    const qreal foot = metaTouches ? metrics.metaLine : 0;
    const qreal inset = CellMetrics::kEdge + CellMetrics::kCodePadTop;
    geometry.box = QRectF(metrics.bodyX(), CellMetrics::kCellPad, bodyWidth, 2 * inset + parts.sourceHeight + foot);
    geometry.source =
        QRectF(metrics.textX(), geometry.box.top() + inset, metrics.codeWidth(bodyWidth), parts.sourceHeight);
    const qreal metaTop = metaTouches ? geometry.source.bottom() : geometry.source.top();
    const qreal metaHeight = metaTouches ? metrics.metaLine : metrics.linePitch;
    const qreal metaRight = geometry.box.right() - CellMetrics::kEdge - CellMetrics::kMetaRight;
    const qreal metaLeft = metaTouches ? geometry.source.left() : metaRight - parts.metaWidth;
    geometry.meta = QRectF(metaLeft, metaTop, metaRight - metaLeft, metaHeight);
}

void placeProse(CellGeometry &geometry, const CellParts &parts, qreal bodyWidth, const CellMetrics &metrics)
{
    geometry.box = QRectF(metrics.bodyX(), CellMetrics::kCellPad, bodyWidth,
        2 * CellMetrics::kProsePad + CellMetrics::kProseBottom + std::max(parts.sourceHeight, metrics.linePitch));
    geometry.source = QRectF(metrics.textX(), geometry.box.top() + CellMetrics::kProsePad,
        metrics.proseWidth(bodyWidth), parts.sourceHeight);
}

} // namespace

CellMetrics::CellMetrics(const Theme &theme)
    : linePitch(std::round(theme.scaled(19)))
    , gutterWidth(std::round(theme.scaled(54)))
    , metaLine(std::round(theme.scaled(16)))
    , button(std::max<qreal>(24, std::round(theme.scaled(24))))
    , proseMaxWidth(std::round(theme.scaled(760)))
    , codeMaxWidth(std::round(theme.scaled(1100)))
{
}

qreal CellMetrics::bodyWidth(qreal viewWidth, bool isCapped) const
{
    const qreal room = std::max<qreal>(viewWidth - bodyX() - kRightMargin, 120);
    return isCapped ? std::min(room, codeMaxWidth) : room;
}

qreal CellMetrics::proseWidth(qreal bodyWidth) const
{
    return std::min(bodyWidth - 2 * kOutputIndent, proseMaxWidth);
}

CellGeometry layOutCell(const CellParts &parts, qreal bodyWidth, const CellMetrics &metrics)
{
    CellGeometry geometry;
    if (parts.isBoxed)
        placeBoxedSource(geometry, parts, bodyWidth, metrics);
    else
        placeProse(geometry, parts, bodyWidth, metrics);

    qreal bottom = geometry.box.bottom();
    const qreal outputX = metrics.bodyX() + CellMetrics::kOutputIndent;
    if (parts.outputsHeight > 0) {
        geometry.outputs =
            QRectF(outputX, bottom + CellMetrics::kOutputTop, metrics.outputWidth(bodyWidth), parts.outputsHeight);
        bottom = geometry.outputs.bottom();
    }
    if (parts.promptHeight > 0) {
        const qreal width = std::min(metrics.outputWidth(bodyWidth), metrics.proseMaxWidth);
        geometry.prompt = QRectF(outputX, bottom + CellMetrics::kOutputTop, width, parts.promptHeight);
        bottom = geometry.prompt.bottom();
    }
    bottom += CellMetrics::kCellPad;
    geometry.frame = QRectF(0, CellMetrics::kCellPad, metrics.bodyX() + bodyWidth, bottom - 2 * CellMetrics::kCellPad);
    geometry.height = bottom + CellMetrics::kCellGap;
    placeGutter(geometry, metrics);
    return geometry;
}

} // namespace sandfish
