#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QRectF>
#include <QString>

class QPainter;

namespace sandfish {

/// An icon of resources/icons in one colour, at device size (DESIGN.md §4.2, §8). Rendered at the first call for a
/// (name, colour, size, ratio, turn), about 0.1 ms, and cached afterwards. Unknown names give an empty square.
/// Thread: GUI.
QPixmap iconPixmap(const QString &name, const QColor &color, qreal sizePx, qreal devicePixelRatio, int turnDegrees = 0);

/// Paints iconPixmap() centred in \a rect; \a sizePx logical, the ratio is the painter's.
void paintIcon(
    QPainter &painter, const QRectF &rect, const QString &name, const QColor &color, qreal sizePx, int turnDegrees = 0);

/// The icon for actions and buttons: nothing is rendered before it is painted.
QIcon tintedIcon(const QString &name, const QColor &color, const QColor &disabledColor);

/// The application's icon: the full mark from 48 px up, the plain body below.
QIcon logoIcon();

} // namespace sandfish
