#include "ui/text/popupbox.h"

#include "ui/text/theme.h"

#include <QPainter>

#include <algorithm>

namespace sandfish {
namespace {

constexpr qreal kPopupRadiusPx = 7;
constexpr int kPopupGapPx = 2;

} // namespace

PopupBox::PopupBox(QWidget *window)
    : QWidget(window)
{
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void PopupBox::setBoxTheme(const Theme *theme)
{
    m_theme = theme;
    update();
}

QRect PopupBox::placed(QSize size, const QRect &line, const QRect &bounds)
{
    const int below = bounds.bottom() - line.bottom() - kPopupGapPx;
    const int above = line.top() - bounds.top() - kPopupGapPx;
    const bool isBelow = below >= size.height() || below >= above;
    size.setHeight(std::min(size.height(), std::max(0, isBelow ? below : above)));
    size.setWidth(std::min(size.width(), bounds.width()));
    const int left = std::clamp(line.left(), bounds.left(), std::max(bounds.left(), bounds.right() + 1 - size.width()));
    const int top = isBelow ? line.bottom() + 1 + kPopupGapPx : line.top() - kPopupGapPx - size.height();
    return {QPoint(left, top), size};
}

void PopupBox::paintEvent(QPaintEvent *)
{
    if (!m_theme)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme->color(ColorToken::Control), 1));
    painter.setBrush(m_theme->color(ColorToken::Raised));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kPopupRadiusPx, kPopupRadiusPx);
}

} // namespace sandfish
