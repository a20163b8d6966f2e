#include "ui/notebook/devicepixels.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace sandfish {

QRectF snappedToDevice(const QPainter &painter, const QRectF &rect)
{
    const qreal ratio = painter.device()->devicePixelRatioF();
    const QTransform &transform = painter.worldTransform();
    const auto snapX = [&](qreal x) { return std::round((x + transform.dx()) * ratio) / ratio - transform.dx(); };
    const auto snapY = [&](qreal y) { return std::round((y + transform.dy()) * ratio) / ratio - transform.dy(); };
    return {QPointF(snapX(rect.left()), snapY(rect.top())), QPointF(snapX(rect.right()), snapY(rect.bottom()))};
}

qreal deviceLine(const QPainter &painter, qreal px)
{
    const qreal ratio = painter.device()->devicePixelRatioF();
    return std::max<qreal>(1, std::round(px * ratio)) / ratio;
}

void paintBox(QPainter &painter, const QRectF &rect, qreal radius, const QColor &fill, const QColor &edge, qreal edgePx)
{
    const QRectF outer = snappedToDevice(painter, rect);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    if (!edge.isValid()) {
        painter.setBrush(fill);
        painter.drawRoundedRect(outer, radius, radius);
        painter.restore();
        return;
    }
    const qreal line = deviceLine(painter, edgePx);
    const qreal half = line / 2;
    painter.setPen(QPen(edge, line));
    painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(outer.adjusted(half, half, -half, -half), radius - half, radius - half);
    painter.restore();
}

void paintDashedBox(QPainter &painter, const QRectF &rect, qreal radius, const QColor &edge)
{
    const qreal line = deviceLine(painter, 1);
    const qreal half = line / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(edge, line);
    pen.setDashPattern({3, 3});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(
        snappedToDevice(painter, rect).adjusted(half, half, -half, -half), radius - half, radius - half);
    painter.restore();
}

} // namespace sandfish
