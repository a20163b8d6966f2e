#include "ui/panels/statussegment.h"

#include "ui/panels/paintkit.h"
#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QPainter>

#include <cmath>

namespace sandfish {
namespace {

constexpr qreal kPaddingPx = 9;
constexpr qreal kIconPx = 14;
constexpr qreal kIconGapPx = 5;

} // namespace

StatusSegment::StatusSegment(const ThemeSource *source, QWidget *parent)
    : QAbstractButton(parent)
    , m_source(source)
{
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
}

void StatusSegment::setContent(const StatusStrip::Content &content)
{
    m_content = content;
    setText(content.text);
    setToolTip(content.tip);
    setAccessibleName(content.text);
    setAccessibleDescription(content.tip);
    updateGeometry();
    update();
}

void StatusSegment::setDividerAtLeft(bool hasDivider)
{
    m_hasDivider = hasDivider;
}

QSize StatusSegment::sizeHint() const
{
    const qreal icon = m_content.icon.isEmpty() ? 0 : kIconPx + kIconGapPx;
    const qreal width = QFontMetricsF(m_source->theme().smallFont()).horizontalAdvance(text());
    return {int(std::ceil(width + icon + 2 * kPaddingPx)), qRound(m_source->theme().scaled(26))};
}

void StatusSegment::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_source->theme();
    QPainter painter(this);
    if (underMouse())
        painter.fillRect(rect().adjusted(1, 2, 0, -2), theme.color(ColorToken::Hover));
    if (m_hasDivider)
        painter.fillRect(QRectF(0, (height() - 14) / 2.0, 1, 14), theme.color(ColorToken::Border));
    QRectF box = QRectF(rect()).adjusted(kPaddingPx, 0, -kPaddingPx + 1, 0);
    if (!m_content.icon.isEmpty()) {
        paintIcon(painter, QRectF(box.left(), 0, kIconPx, height()), m_content.icon,
            theme.color(m_content.iconColor.value_or(m_content.color)), kIconPx);
        box.setLeft(box.left() + kIconPx + kIconGapPx);
    }
    const QFont font = theme.smallFont();
    painter.setFont(font);
    painter.setPen(theme.color(m_content.color));
    painter.drawText(
        box, Qt::AlignVCenter | Qt::AlignLeft, QFontMetricsF(font).elidedText(text(), Qt::ElideRight, box.width() + 1));
    if (hasFocus())
        paintFocusRing(painter, rect(), theme);
}

} // namespace sandfish
