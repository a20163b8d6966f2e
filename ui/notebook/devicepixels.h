#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace sandfish {

// Lines on the device grid (DESIGN.md §4.2): a box drawn at a fractional scale has edges of equal, whole device pixels.

/// \a rect with its edges on whole device pixels of \a painter.
QRectF snappedToDevice(const QPainter &painter, const QRectF &rect);
/// A line of \a px logical px in logical px of whole device pixels; hairlines are max(1, round(ratio)).
qreal deviceLine(const QPainter &painter, qreal px);

/// Fills \a rect (outer edge) and draws an edge of \a edgePx inside it. An invalid colour leaves that part out.
void paintBox(
    QPainter &painter, const QRectF &rect, qreal radius, const QColor &fill, const QColor &edge, qreal edgePx);
void paintDashedBox(QPainter &painter, const QRectF &rect, qreal radius, const QColor &edge);

} // namespace sandfish
