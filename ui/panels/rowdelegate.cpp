#include "ui/panels/rowdelegate.h"

#include "ui/panels/outlinemodel.h"
#include "ui/panels/paintkit.h"
#include "ui/panels/sandboxmodel.h"
#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QApplication>
#include <QPainter>

#include <cmath>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qreal kRowPx = 24;
constexpr qreal kTwoLineRowPx = 42;
constexpr qreal kRightMarginPx = 10;
constexpr qreal kIconPx = 16;

bool isSelected(const QStyleOptionViewItem &option)
{
    return option.state.testFlag(QStyle::State_Selected);
}

void paintBackground(QPainter *painter, const QStyleOptionViewItem &option)
{
    option.widget->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
}

} // namespace

SandboxRowDelegate::SandboxRowDelegate(const ThemeSource *source, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_source(source)
{
}

QSize SandboxRowDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    const bool hasDetail = !index.data(SandboxModel::DetailRole).toString().isEmpty();
    return {100, qRound(m_source->theme().scaled(hasDetail ? kTwoLineRowPx : kRowPx))};
}

void SandboxRowDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const Theme &theme = m_source->theme();
    paintBackground(painter, option);
    const bool hasDetail = !index.data(SandboxModel::DetailRole).toString().isEmpty();
    QRectF line = QRectF(option.rect).adjusted(2, 0, -kRightMarginPx, 0);
    if (hasDetail) {
        const qreal lineHeight = theme.scaled(16);
        const QRectF detail(line.left(), line.center().y() + 1, line.width(), lineHeight);
        paintDetail(*painter, detail, index, isSelected(option));
        line = QRectF(line.left(), line.center().y() - lineHeight - 1, line.width(), lineHeight + 2);
    }
    const QString icon = index.data(Qt::DecorationRole).toString();
    if (!icon.isEmpty()) {
        paintIcon(*painter, QRectF(line.left(), line.top(), kIconPx, line.height()), icon,
            theme.color(ColorToken::Text2), kIconPx);
        line.setLeft(line.left() + kIconPx + 5);
    }
    line.setRight(line.right() - paintState(*painter, line, index, isSelected(option)));
    const bool isProvider = index.data(SandboxModel::KindRole).toInt() == int(SandboxModel::Kind::Provider);
    const QFont font = isProvider ? theme.strongFont() : theme.uiFont();
    painter->setFont(font);
    painter->setPen(theme.color(ColorToken::Text));
    const QString name = index.data(Qt::DisplayRole).toString();
    painter->drawText(
        line, Qt::AlignVCenter | Qt::AlignLeft, QFontMetricsF(font).elidedText(name, Qt::ElideMiddle, line.width()));
}

qreal SandboxRowDelegate::paintState(
    QPainter &painter, const QRectF &line, const QModelIndex &index, bool isSelected) const
{
    const QString word = index.data(SandboxModel::StateWordRole).toString();
    if (word.isEmpty())
        return 0;
    const Theme &theme = m_source->theme();
    StateLook look{index.data(SandboxModel::StateIconRole).toString(), word,
        ColorToken(index.data(SandboxModel::StateColorRole).toInt())};
    if (isSelected && look.color == ColorToken::Text3)
        look.color = ColorToken::Text2;
    const QFont font = theme.smallFont();
    const qreal textWidth = std::ceil(QFontMetricsF(font).horizontalAdvance(word));
    painter.setFont(font);
    painter.setPen(theme.color(look.color));
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight, word);
    qreal used = textWidth + 8;
    if (!look.icon.isEmpty()) {
        const QRectF mark(line.right() - textWidth - 4 - 12, line.top(), 12, line.height());
        paintStateMark(painter, mark, look, theme, 14);
        used += 18;
    }
    return used;
}

void SandboxRowDelegate::paintDetail(
    QPainter &painter, const QRectF &line, const QModelIndex &index, bool isSelected) const
{
    const Theme &theme = m_source->theme();
    const QFont font = theme.smallFont();
    const QString text = index.data(SandboxModel::DetailRole).toString();
    painter.setFont(font);
    painter.setPen(theme.color(isSelected ? ColorToken::Text2 : ColorToken::Text3));
    painter.drawText(
        line, Qt::AlignVCenter | Qt::AlignLeft, QFontMetricsF(font).elidedText(text, Qt::ElideRight, line.width()));
}

OutlineRowDelegate::OutlineRowDelegate(const ThemeSource *source, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_source(source)
{
}

QSize OutlineRowDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const
{
    return {100, qRound(m_source->theme().scaled(kRowPx))};
}

void OutlineRowDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const Theme &theme = m_source->theme();
    paintBackground(painter, option);
    const int level = index.data(OutlineModel::LevelRole).toInt();
    const bool isHeading = index.data(OutlineModel::IsHeadingRole).toBool();
    QRectF line = QRectF(option.rect).adjusted(16 + 14 * level, 0, -kRightMarginPx, 0);
    const QString icon = index.data(OutlineModel::StateIconRole).toString();
    if (!icon.isEmpty()) {
        const ColorToken color = ColorToken(index.data(OutlineModel::StateColorRole).toInt());
        paintIcon(*painter, QRectF(line.right() - 14, line.top(), 14, line.height()), icon, theme.color(color), 14);
        line.setRight(line.right() - 20);
    }
    const QFont font = isHeading ? theme.uiFont() : theme.codeSmallFont();
    painter->setFont(font);
    painter->setPen(theme.color(isHeading ? ColorToken::Text : ColorToken::Text2));
    painter->drawText(line, Qt::AlignVCenter | Qt::AlignLeft,
        QFontMetricsF(font).elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, line.width()));
}

} // namespace sandfish
