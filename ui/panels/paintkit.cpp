#include "ui/panels/paintkit.h"

#include "ui/text/icons.h"

#include <QPainter>

#include <cmath>

using namespace Qt::StringLiterals;

namespace sandfish {

void paintFocusRing(QPainter &painter, const QRectF &rect, const Theme &theme, bool isOnAccent)
{
    const qreal inset = isOnAccent ? 3 : 1;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(isOnAccent ? ColorToken::OnAccent : ColorToken::Accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), kButtonRadiusPx - 1, kButtonRadiusPx - 1);
    painter.restore();
}

void paintStateMark(
    QPainter &painter, const QRectF &rect, const StateLook &look, const Theme &theme, qreal sizePx, int turnDegrees)
{
    const QColor color = theme.color(look.color);
    if (look.icon != "dot"_L1) {
        paintIcon(painter, rect, look.icon, color, sizePx, turnDegrees);
        return;
    }
    const qreal radius = sizePx * 2 / 7;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(rect.center(), radius, radius);
    painter.restore();
}

} // namespace sandfish
