#include "ui/window/searchbutton.h"

#include "ui/panels/paintkit.h"
#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QPainter>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qreal kFieldWidthPx = 220;
constexpr qreal kFieldHeightPx = 28;
constexpr qreal kFieldIconPx = 16;

} // namespace

SearchButton::SearchButton(const ThemeSource *source, QWidget *parent)
    : QAbstractButton(parent)
    , m_source(source)
{
    setObjectName(u"searchButton"_s);
    setText(tr("Find in notebook"));
    setToolTip(tr("Find text in the notebook in front (Ctrl+F)"));
    setStatusTip(toolTip());
    setAccessibleName(text());
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    connect(source, &ThemeSource::changed, this, qOverload<>(&QWidget::update));
}

void SearchButton::setCompact(bool isCompact)
{
    if (m_isCompact == isCompact)
        return;
    m_isCompact = isCompact;
    updateGeometry();
    update();
}

QSize SearchButton::sizeHint() const
{
    const Theme &theme = m_source->theme();
    return {qRound(theme.scaled(m_isCompact ? 30 : kFieldWidthPx)),
        qRound(theme.scaled(m_isCompact ? 30 : kFieldHeightPx))};
}

void SearchButton::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_source->theme();
    QPainter painter(this);
    const bool isHot = underMouse() && isEnabled();
    if (!m_isCompact)
        paintBox(painter, rect(), theme.color(isHot ? ColorToken::Hover : ColorToken::Raised),
            theme.color(isEnabled() ? ColorToken::Control : ColorToken::Border), kButtonRadiusPx);
    else if (isHot)
        paintBox(painter, rect(), theme.color(ColorToken::Hover), theme.color(ColorToken::Hover), kButtonRadiusPx);
    const QColor ink = theme.color(isEnabled() && m_isCompact ? ColorToken::Text : ColorToken::Text3);
    const QRectF icon = m_isCompact ? QRectF(rect()) : QRectF(8, 0, kFieldIconPx, height());
    paintIcon(painter, icon, u"search"_s, ink, kFieldIconPx);
    if (!m_isCompact) {
        painter.setFont(theme.uiFont());
        painter.setPen(ink);
        painter.drawText(QRectF(30, 0, width() - 38, height()), Qt::AlignVCenter | Qt::AlignLeft, text());
        painter.setFont(theme.smallFont());
        painter.drawText(QRectF(0, 0, width() - 8, height()), Qt::AlignVCenter | Qt::AlignRight, tr("Ctrl+F"));
    }
    if (hasFocus())
        paintFocusRing(painter, rect(), theme);
}

} // namespace sandfish
