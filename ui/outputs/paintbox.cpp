#include "ui/outputs/paintbox.h"

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace sandfish {
namespace {

qreal ratioOf(const QPainter &painter)
{
    return painter.device() ? painter.device()->devicePixelRatio() : 1;
}

} // namespace

qreal hairlinePx(qreal devicePixelRatio)
{
    return std::max(1.0, std::round(devicePixelRatio)) / devicePixelRatio;
}

QRectF onDeviceGrid(const QPainter &painter, const QRectF &rect)
{
    const QTransform &transform = painter.deviceTransform();
    const QRectF device = transform.mapRect(rect);
    const QPointF topLeft(std::round(device.left()), std::round(device.top()));
    const QPointF bottomRight(std::round(device.right()), std::round(device.bottom()));
    return transform.inverted().mapRect(QRectF(topLeft, bottomRight));
}

void paintBox(QPainter &painter, const QRectF &rect, const QColor &fill, const QColor &edge, qreal radiusPx)
{
    const QRectF box = onDeviceGrid(painter, rect);
    const qreal half = edge.isValid() ? hairlinePx(ratioOf(painter)) / 2 : 0;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(edge.isValid() ? QPen(edge, 2 * half) : QPen(Qt::NoPen));
    painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(box.adjusted(half, half, -half, -half), radiusPx - half, radiusPx - half);
    painter.restore();
}

void paintTopLine(QPainter &painter, const QRectF &rect, const QColor &color)
{
    const QRectF box = onDeviceGrid(painter, rect);
    painter.fillRect(QRectF(box.left(), box.top(), box.width(), hairlinePx(ratioOf(painter))), color);
}

qreal paintLine(
    QPainter &painter, const QRectF &rect, const QString &text, const QFont &font, const QColor &color, int alignment)
{
    const QFontMetricsF metrics(font);
    const QString shown = metrics.elidedText(text, Qt::ElideRight, rect.width());
    const qreal widthPx = metrics.horizontalAdvance(shown);
    const qreal left = alignment & Qt::AlignRight ? rect.right() - widthPx : rect.left();
    const qreal baseline = std::round(rect.center().y() + (metrics.ascent() - metrics.descent()) / 2);
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(QPointF(left, baseline), shown);
    return widthPx;
}

} // namespace sandfish
