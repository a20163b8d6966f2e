#pragma once

#include <QColor>
#include <QRectF>

class QFont;
class QPainter;
class QString;

namespace sandfish {

/// The width of a hairline in logical px: max(1, round(ratio)) device pixels (DESIGN.md §4.2).
qreal hairlinePx(qreal devicePixelRatio);
/// \a rect with its edges on the device grid of \a painter.
QRectF onDeviceGrid(const QPainter &painter, const QRectF &rect);
/// A filled box with an edge of one hairline that lies inside \a rect; no edge if \a edge is invalid.
void paintBox(QPainter &painter, const QRectF &rect, const QColor &fill, const QColor &edge, qreal radiusPx);
/// A hairline along the top of \a rect.
void paintTopLine(QPainter &painter, const QRectF &rect, const QColor &color);
/// One line of text, vertically centred, cut with an ellipsis at the end. Returns the width that was painted.
qreal paintLine(
    QPainter &painter, const QRectF &rect, const QString &text, const QFont &font, const QColor &color, int alignment);

} // namespace sandfish
