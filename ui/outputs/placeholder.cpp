#include "ui/outputs/placeholder.h"

#include "ui/outputs/paintbox.h"
#include "ui/text/icons.h"
#include "ui/text/theme.h"

#include <QPainter>

#include <cmath>

namespace sandfish {
namespace {

constexpr qreal kHeightPx = 28;
constexpr qreal kPaddingPx = 11;
constexpr qreal kIconPx = 14;
constexpr qreal kRadiusPx = 5;

} // namespace

qreal Placeholder::heightPx(const Theme &theme)
{
    return std::round(theme.scaled(kHeightPx));
}

void Placeholder::paint(
    QPainter &painter, const QRectF &rect, const QString &icon, const QString &text, const Theme &theme)
{
    const QRectF box = onDeviceGrid(painter, rect);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(theme.color(ColorToken::Control), 1);
    pen.setDashPattern({3, 3});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), kRadiusPx, kRadiusPx);
    painter.restore();
    const qreal iconPx = theme.scaled(kIconPx);
    const QRectF line(rect.left() + kPaddingPx, rect.top(), rect.width() - 2 * kPaddingPx, rect.height());
    paintIcon(
        painter, QRectF(line.left(), line.top(), iconPx, line.height()), icon, theme.color(ColorToken::Text3), iconPx);
    paintLine(painter, line.adjusted(iconPx + 8, 0, 0, 0), text, theme.smallFont(), theme.color(ColorToken::Text2),
        Qt::AlignLeft);
}

} // namespace sandfish
