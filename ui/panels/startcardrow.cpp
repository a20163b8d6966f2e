#include "ui/panels/startcardrow.h"

#include "ui/panels/paintkit.h"
#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QPainter>

namespace sandfish {
namespace {

constexpr qreal kHeightPx = 56;
constexpr qreal kIconPx = 20;

} // namespace

StartCardRow::StartCardRow(const ThemeSource *source, const QString &icon, const QString &title, const QString &text,
    const QString &shortcut, QWidget *parent)
    : QAbstractButton(parent)
    , m_source(source)
    , m_icon(icon)
    , m_detail(text)
    , m_shortcut(shortcut)
{
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(text);
    setToolTip(text);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
}

QSize StartCardRow::sizeHint() const
{
    return {300, qRound(m_source->theme().scaled(kHeightPx))};
}

void StartCardRow::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_source->theme();
    QPainter painter(this);
    if (underMouse() || isDown()) {
        const QColor fill = theme.color(ColorToken::Hover);
        paintBox(painter, rect(), fill, fill, kButtonRadiusPx);
    }
    paintIcon(painter, QRectF(14, 0, kIconPx, height()), m_icon, theme.color(ColorToken::Accent), kIconPx);
    const qreal middle = height() / 2.0;
    const QRectF upper(48, middle - 20, width() - 60, 20);
    const QRectF lower(48, middle, width() - 60, 18);
    painter.setFont(theme.strongFont());
    painter.setPen(theme.color(ColorToken::Text));
    painter.drawText(upper, Qt::AlignLeft | Qt::AlignVCenter, text());
    painter.setFont(theme.smallFont());
    painter.setPen(theme.color(ColorToken::Text2));
    painter.drawText(lower, Qt::AlignLeft | Qt::AlignVCenter, m_detail);
    painter.drawText(QRectF(0, 0, width() - 14, height()), Qt::AlignRight | Qt::AlignVCenter, m_shortcut);
    if (hasFocus())
        paintFocusRing(painter, rect(), theme);
}

} // namespace sandfish
