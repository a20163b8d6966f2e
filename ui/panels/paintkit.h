#pragma once

#include "ui/outputs/paintbox.h"
#include "ui/panels/statewords.h"
#include "ui/text/theme.h"

#include <QRectF>

class QPainter;

namespace sandfish {

constexpr qreal kButtonRadiusPx = 5;
constexpr qreal kCardRadiusPx = 6;

/// The 2 px ring of keyboard focus inside \a rect: controls that fill their rectangle have no room outside it.
/// \a isOnAccent: the fill is accent, so the ring is drawn in its own text colour.
void paintFocusRing(QPainter &painter, const QRectF &rect, const Theme &theme, bool isOnAccent = false);

/// The mark of a state: its icon, or the dot, centred in \a rect at \a sizePx.
void paintStateMark(QPainter &painter, const QRectF &rect, const StateLook &look, const Theme &theme, qreal sizePx,
    int turnDegrees = 0);

} // namespace sandfish
