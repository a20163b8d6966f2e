#include "ui/window/sandfishstyle.h"

#include "ui/panels/paintkit.h"
#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QAbstractItemView>
#include <QLineEdit>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyleOption>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kScrollBarPx = 10;
constexpr int kButtonHeightPx = 28;
constexpr int kSmallestHandlePx = 28;
constexpr qreal kMenuItemRadiusPx = 4;
constexpr int kToolPaddingPx = 8;
constexpr int kToolLabelGapPx = 6;

bool isSet(const QWidget *widget, const char *property)
{
    return widget && widget->property(property).toBool();
}

bool hasState(const QStyleOption *option, QStyle::StateFlag flag)
{
    return option->state.testFlag(flag);
}

/// A tool button that shows a word beside its sign; null for any other.
const QStyleOptionToolButton *withLabel(const QStyleOption *option)
{
    const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option);
    return button && button->toolButtonStyle == Qt::ToolButtonTextBesideIcon ? button : nullptr;
}

/// The ring belongs to the keyboard: not after a mouse click on a button (DESIGN.md §5).
bool wantsRing(const QStyleOption *option)
{
    return hasState(option, QStyle::State_HasFocus) && hasState(option, QStyle::State_KeyboardFocusChange);
}

} // namespace

SandfishStyle::SandfishStyle(const ThemeSource *source)
    : QProxyStyle(u"Fusion"_s)
    , m_source(source)
{
}

const Theme &SandfishStyle::theme() const
{
    return m_source->theme();
}

void SandfishStyle::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton *>(widget) || qobject_cast<QScrollBar *>(widget)
        || qobject_cast<QMenuBar *>(widget))
        widget->setAttribute(Qt::WA_Hover);
}

int SandfishStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_ScrollBarExtent:
        return kScrollBarPx;
    case PM_ScrollBarSliderMin:
        return kSmallestHandlePx;
    case PM_MenuBarPanelWidth:
    case PM_MenuBarItemSpacing:
    case PM_ToolBarFrameWidth:
    case PM_ScrollView_ScrollBarSpacing:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_MenuBarHMargin:
        return 6;
    case PM_MenuBarVMargin:
        return 1;
    case PM_ToolBarItemMargin:
    case PM_ToolBarItemSpacing:
        return 4;
    case PM_DockWidgetSeparatorExtent:
        return 3;
    case PM_SmallIconSize:
    case PM_ToolBarIconSize:
    case PM_ButtonIconSize:
        return 16;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int SandfishStyle::styleHint(
    StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *returnData) const
{
    switch (hint) {
    case SH_ItemView_ShowDecorationSelected:
    case SH_ScrollBar_LeftClickAbsolutePosition:
        return 1;
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_EtchDisabledText:
    case SH_UnderlineShortcut:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

QSize SandfishStyle::sizeFromContents(
    ContentsType type, const QStyleOption *option, const QSize &size, const QWidget *widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    const auto scaled = [this](int px) { return qRound(theme().scaled(px)); };
    switch (type) {
    case CT_PushButton:
        return {std::max(size.width() + scaled(26), scaled(56)), std::max(size.height() + 6, scaled(kButtonHeightPx))};
    case CT_LineEdit:
        return {result.width(), std::max(result.height(), scaled(kButtonHeightPx))};
    case CT_ToolButton:
        if (const auto *button = withLabel(option))
            result.setWidth(16 + button->fontMetrics.horizontalAdvance(button->text) + scaled(kToolLabelGapPx)
                + 2 * scaled(kToolPaddingPx));
        return result;
    case CT_MenuBarItem:
        return {size.width() + scaled(18), scaled(25)};
    case CT_MenuItem:
        result.setHeight(std::max(result.height(), scaled(24)));
        return result;
    default:
        return result;
    }
}

void SandfishStyle::drawPrimitive(
    PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    switch (element) {
    case PE_PanelButtonCommand:
        drawButton(option, painter, widget);
        return;
    case PE_PanelButtonTool:
        drawToolButtonPanel(option, painter);
        return;
    case PE_PanelLineEdit:
        drawField(option, painter);
        return;
    case PE_PanelItemViewItem:
    case PE_PanelItemViewRow:
        drawRow(option, painter);
        return;
    case PE_IndicatorBranch:
        drawBranch(option, painter);
        return;
    case PE_FrameFocusRect:
        // Items show their focus by the selection, buttons by the ring of their panel.
        return;
    default:
        if (!drawPanel(element, option, painter, widget))
            QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

bool SandfishStyle::drawPanel(
    PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *) const
{
    const QRect rect = option->rect;
    switch (element) {
    case PE_FrameStatusBarItem:
    case PE_FrameTabBarBase:
    case PE_PanelMenuBar:
        return true;
    case PE_PanelStatusBar:
        painter->fillRect(rect, theme().color(ColorToken::Window));
        painter->fillRect(rect.left(), rect.top(), rect.width(), 1, theme().color(ColorToken::Border));
        return true;
    case PE_PanelMenu:
    case PE_FrameMenu:
    case PE_PanelTipLabel:
        painter->fillRect(rect, theme().color(ColorToken::Control));
        painter->fillRect(rect.adjusted(1, 1, -1, -1), theme().color(ColorToken::Raised));
        return true;
    case PE_IndicatorDockWidgetResizeHandle: {
        painter->fillRect(rect, theme().color(ColorToken::Panel));
        const bool isColumn = rect.height() > rect.width();
        painter->fillRect(isColumn ? QRect(rect.center().x(), rect.top(), 1, rect.height())
                                   : QRect(rect.left(), rect.center().y(), rect.width(), 1),
            theme().color(ColorToken::Border));
        return true;
    }
    default:
        return false;
    }
}

void SandfishStyle::drawButton(const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    const bool isEnabled = hasState(option, State_Enabled);
    const bool isPrimary = isSet(widget, "sandfishPrimary") && isEnabled;
    const bool isHot = isEnabled && hasState(option, State_MouseOver);
    const bool isDown = hasState(option, State_Sunken);
    const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
    const bool isFlat = button && button->features.testFlag(QStyleOptionButton::Flat);
    ColorToken fill = isDown ? ColorToken::SelectedIdle : isHot ? ColorToken::Hover : ColorToken::Raised;
    ColorToken edge = isEnabled ? ColorToken::Control : ColorToken::Border;
    if (isPrimary)
        fill = edge = isHot ? ColorToken::AccentHover : ColorToken::Accent;
    else if (isSet(widget, "sandfishDanger") && isEnabled)
        edge = ColorToken::Error;
    if (!isFlat)
        paintBox(*painter, option->rect, theme().color(fill), theme().color(edge), kButtonRadiusPx);
    else if ((isHot || isDown) && !isSet(widget, "sandfishInverted"))
        paintBox(*painter, option->rect, theme().color(fill), theme().color(fill), kButtonRadiusPx);
    if (wantsRing(option))
        paintFocusRing(*painter, option->rect, theme(), isPrimary);
}

void SandfishStyle::drawButtonLabel(const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    QStyleOptionButton label = *qstyleoption_cast<const QStyleOptionButton *>(option);
    if (hasState(option, State_Enabled)) {
        if (isSet(widget, "sandfishPrimary"))
            label.palette.setColor(QPalette::ButtonText, theme().color(ColorToken::OnAccent));
        else if (isSet(widget, "sandfishDanger"))
            label.palette.setColor(QPalette::ButtonText, theme().color(ColorToken::Error));
        else if (label.features.testFlag(QStyleOptionButton::Flat) && !isSet(widget, "sandfishInverted"))
            label.palette.setColor(QPalette::ButtonText, theme().color(ColorToken::Accent));
    }
    // Fusion marks the default button by a tint of its own; here the fill alone says it.
    label.features.setFlag(QStyleOptionButton::DefaultButton, false);
    painter->save();
    if (isSet(widget, "sandfishPrimary"))
        painter->setFont(theme().strongFont());
    QProxyStyle::drawControl(CE_PushButtonLabel, &label, painter, widget);
    painter->restore();
}

void SandfishStyle::drawToolButtonPanel(const QStyleOption *option, QPainter *painter) const
{
    const bool isDown = hasState(option, State_Sunken) || hasState(option, State_On);
    const bool isHot = hasState(option, State_Enabled) && hasState(option, State_MouseOver);
    if (isDown || isHot) {
        const QColor fill = theme().color(isDown ? ColorToken::SelectedIdle : ColorToken::Hover);
        paintBox(*painter, option->rect, fill, fill, kButtonRadiusPx);
    }
    if (wantsRing(option))
        paintFocusRing(*painter, option->rect, theme());
}

// The base style leaves two pixels between a sign and its word.
void SandfishStyle::drawToolButtonLabel(const QStyleOptionToolButton &option, QPainter *painter) const
{
    const bool isOn = option.state.testFlag(State_Enabled);
    const int padding = qRound(theme().scaled(kToolPaddingPx));
    const int left = option.rect.left() + padding;
    const QRect icon(QPoint(left, option.rect.center().y() + 1 - option.iconSize.height() / 2), option.iconSize);
    option.icon.paint(painter, icon, Qt::AlignCenter, isOn ? QIcon::Normal : QIcon::Disabled);
    const int textLeft = icon.right() + 1 + qRound(theme().scaled(kToolLabelGapPx));
    const QRect text(textLeft, option.rect.top(), option.rect.right() + 1 - textLeft, option.rect.height());
    painter->setPen(theme().color(isOn ? ColorToken::Text : ColorToken::Text3));
    painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextHideMnemonic, option.text);
}

void SandfishStyle::drawField(const QStyleOption *option, QPainter *painter) const
{
    const bool isEnabled = hasState(option, State_Enabled);
    paintBox(*painter, option->rect, theme().color(isEnabled ? ColorToken::Raised : ColorToken::Panel),
        theme().color(isEnabled ? ColorToken::Control : ColorToken::Border), kButtonRadiusPx);
    if (hasState(option, State_HasFocus))
        paintFocusRing(*painter, option->rect, theme());
}

void SandfishStyle::drawRow(const QStyleOption *option, QPainter *painter) const
{
    if (hasState(option, State_Selected)) {
        const bool isActive = hasState(option, State_Active) && hasState(option, State_HasFocus);
        painter->fillRect(option->rect, theme().color(isActive ? ColorToken::Selected : ColorToken::SelectedIdle));
    } else if (hasState(option, State_MouseOver) && hasState(option, State_Enabled)) {
        painter->fillRect(option->rect, theme().color(ColorToken::Hover));
    }
}

void SandfishStyle::drawBranch(const QStyleOption *option, QPainter *painter) const
{
    if (!hasState(option, State_Children))
        return;
    const QString icon = hasState(option, State_Open) ? u"chevron-down"_s : u"chevron-right"_s;
    paintIcon(*painter, option->rect, icon, theme().color(ColorToken::Text2), 12);
}

void SandfishStyle::drawControl(
    ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    switch (element) {
    case CE_PushButtonLabel:
        drawButtonLabel(option, painter, widget);
        return;
    case CE_ToolButtonLabel:
        if (const auto *button = withLabel(option))
            return drawToolButtonLabel(*button, painter);
        break;
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, theme().color(ColorToken::Window));
        return;
    case CE_MenuBarItem:
        drawMenuBarItem(option, painter, widget);
        return;
    case CE_ToolBar:
        painter->fillRect(option->rect, theme().color(ColorToken::Window));
        painter->fillRect(
            option->rect.left(), option->rect.bottom(), option->rect.width(), 1, theme().color(ColorToken::Border));
        return;
    case CE_ShapedFrame:
        if (const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
            frame && frame->frameShape == QFrame::NoFrame)
            return;
        break;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void SandfishStyle::drawMenuBarItem(const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
    painter->fillRect(option->rect, theme().color(ColorToken::Window));
    if (hasState(option, State_Selected)) {
        const bool isOpen = hasState(option, State_Sunken);
        const QColor fill = theme().color(isOpen ? ColorToken::SelectedIdle : ColorToken::Hover);
        paintBox(*painter, option->rect, fill, fill, kMenuItemRadiusPx);
    }
    const int flags = Qt::AlignCenter | Qt::TextSingleLine
        | (styleHint(SH_UnderlineShortcut, option, widget, nullptr) ? Qt::TextShowMnemonic : Qt::TextHideMnemonic);
    painter->setPen(theme().color(ColorToken::Text));
    painter->drawText(option->rect, flags, item->text);
}

void SandfishStyle::drawComplexControl(
    ComplexControl control, const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const
{
    if (control == CC_ScrollBar)
        drawScrollBar(option, painter, widget);
    else
        QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void SandfishStyle::drawScrollBar(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const
{
    const bool isPanel = widget && widget->parentWidget() && widget->parentWidget()->parentWidget()
        && isSet(widget->parentWidget()->parentWidget(), "sandfishPanel");
    painter->fillRect(option->rect, theme().color(isPanel ? ColorToken::Panel : ColorToken::Canvas));
    const auto *slider = qstyleoption_cast<const QStyleOptionSlider *>(option);
    if (slider->maximum <= slider->minimum)
        return;
    const QRect handle = subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget);
    QColor color = theme().color(ColorToken::Control);
    const bool isHot = hasState(option, State_MouseOver) || hasState(option, State_Sunken);
    color.setAlphaF(isHot ? 0.9F : 0.5F);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(color);
    painter->drawRoundedRect(QRectF(handle).adjusted(1, 1, -1, -1), 4, 4);
    painter->restore();
}

} // namespace sandfish
