#include "ui/window/documenttabbar.h"

#include "ui/panels/paintkit.h"
#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QMouseEvent>
#include <QPainter>

#include <cmath>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qreal kTabHeightPx = 34;
constexpr int kLeftPx = 12;
constexpr int kRightPx = 10;
constexpr int kTabIconPx = 14;
constexpr int kGapPx = 7;
constexpr int kClosePx = 20;
constexpr int kWidestTextPx = 220;

} // namespace

DocumentTabBar::DocumentTabBar(const ThemeSource *source, QWidget *parent)
    : QTabBar(parent)
    , m_source(source)
{
    setObjectName(u"documentTabs"_s);
    setDrawBase(false);
    setExpanding(false);
    setMovable(true);
    setUsesScrollButtons(true);
    setElideMode(Qt::ElideMiddle);
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Documents"));
    connect(source, &ThemeSource::changed, this, qOverload<>(&QWidget::update));
}

void DocumentTabBar::setMark(int index, const Mark &mark)
{
    if (tabData(index).value<Mark>() == mark)
        return;
    setTabData(index, QVariant::fromValue(mark));
    update(tabRect(index));
}

QRect DocumentTabBar::closeRect(int index) const
{
    const QRect tab = tabRect(index);
    return {tab.right() - kRightPx - kClosePx + 6, tab.center().y() - kClosePx / 2, kClosePx, kClosePx};
}

QSize DocumentTabBar::tabSizeHint(int index) const
{
    const QFontMetricsF metrics(m_source->theme().uiFont());
    const int text = std::min(int(std::ceil(metrics.horizontalAdvance(tabText(index)))), kWidestTextPx);
    return {kLeftPx + kTabIconPx + kGapPx + text + kGapPx + kClosePx - 6 + kRightPx,
        qRound(m_source->theme().scaled(kTabHeightPx))};
}

QSize DocumentTabBar::minimumTabSizeHint(int index) const
{
    return {std::min(tabSizeHint(index).width(), 110), tabSizeHint(index).height()};
}

QSize DocumentTabBar::minimumSizeHint() const
{
    // QTabBar reserves room for its scroll buttons even when a single short tab needs none.
    const QSize hint = sizeHint();
    return {std::min(hint.width(), QTabBar::minimumSizeHint().width()), hint.height()};
}

void DocumentTabBar::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_source->theme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(ColorToken::Window));
    painter.fillRect(0, height() - 1, width(), 1, theme.color(ColorToken::Border));
    for (int index = 0; index < count(); ++index)
        paintTab(painter, index);
}

void DocumentTabBar::paintTab(QPainter &painter, int index) const
{
    const Theme &theme = m_source->theme();
    const QRect tab = tabRect(index);
    const bool isCurrent = index == currentIndex();
    if (isCurrent) {
        painter.fillRect(tab, theme.color(ColorToken::Canvas));
        painter.fillRect(tab.left(), tab.top(), tab.width(), 2, theme.color(ColorToken::Accent));
    } else if (index == m_hovered) {
        painter.fillRect(tab.adjusted(0, 0, 0, -1), theme.color(ColorToken::Hover));
    }
    painter.fillRect(tab.right(), tab.top(), 1, tab.height(), theme.color(ColorToken::Border));
    const auto mark = tabData(index).value<Mark>();
    int x = tab.left() + kLeftPx;
    const StateLook look{mark.icon, {}, ColorToken(mark.colorToken)};
    paintStateMark(painter, QRectF(x, tab.top(), kTabIconPx, tab.height()), look, theme, kTabIconPx);
    x += kTabIconPx + kGapPx;
    const QRectF text(x, tab.top(), closeRect(index).left() - x - 2, tab.height());
    painter.setFont(theme.uiFont());
    painter.setPen(theme.color(isCurrent ? ColorToken::Text : ColorToken::Text2));
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
        QFontMetricsF(theme.uiFont()).elidedText(tabText(index), Qt::ElideMiddle, text.width() + 1));
    paintEnd(painter, index);
    if (isCurrent && hasFocus())
        paintFocusRing(painter, tab.adjusted(1, 2, -2, -1), theme);
}

void DocumentTabBar::paintEnd(QPainter &painter, int index) const
{
    const Theme &theme = m_source->theme();
    const QRect close = closeRect(index);
    const bool isPointedAt = close.contains(mapFromGlobal(QCursor::pos())) && index == m_hovered;
    if (isPointedAt) {
        const QColor fill = theme.color(ColorToken::SelectedIdle);
        paintBox(painter, close, fill, fill, 4);
    }
    if (tabData(index).value<Mark>().isModified && !isPointedAt) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(ColorToken::Text));
        painter.drawEllipse(QRectF(close).center(), 3.5, 3.5);
        return;
    }
    paintIcon(painter, close, u"close"_s, theme.color(ColorToken::Text2), 12);
}

void DocumentTabBar::mousePressEvent(QMouseEvent *event)
{
    const int index = tabAt(event->position().toPoint());
    m_pressedClose = -1;
    if (index >= 0 && event->button() == Qt::MiddleButton) {
        emit closeRequested(index);
        return;
    }
    if (index >= 0 && event->button() == Qt::LeftButton && closeRect(index).contains(event->position().toPoint())) {
        m_pressedClose = index;
        return;
    }
    QTabBar::mousePressEvent(event);
}

void DocumentTabBar::mouseReleaseEvent(QMouseEvent *event)
{
    const int index = std::exchange(m_pressedClose, -1);
    if (index >= 0 && index < count() && closeRect(index).contains(event->position().toPoint())) {
        emit closeRequested(index);
        return;
    }
    QTabBar::mouseReleaseEvent(event);
}

void DocumentTabBar::mouseMoveEvent(QMouseEvent *event)
{
    m_hovered = tabAt(event->position().toPoint());
    update();
    QTabBar::mouseMoveEvent(event);
}

void DocumentTabBar::leaveEvent(QEvent *event)
{
    m_hovered = -1;
    update();
    QTabBar::leaveEvent(event);
}

} // namespace sandfish
