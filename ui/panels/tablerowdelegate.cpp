#include "ui/panels/tablerowdelegate.h"

#include "ui/panels/plainheader.h"
#include "ui/text/themesource.h"

#include <QPainter>
#include <QWidget>

namespace sandfish {

TableRowDelegate::TableRowDelegate(const ThemeSource *source, int firstPaddingPx, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_source(source)
    , m_firstPaddingPx(firstPaddingPx)
{
}

QSize TableRowDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QSize text = QStyledItemDelegate::sizeHint(option, index);
    return {text.width() + 2 * PlainHeader::kPaddingPx, text.height()};
}

void TableRowDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const Theme &theme = m_source->theme();
    const bool isSelected = cell.state.testFlag(QStyle::State_Selected);
    if (isSelected) {
        const bool isActive = cell.state.testFlag(QStyle::State_Active) && cell.widget && cell.widget->hasFocus();
        painter->fillRect(cell.rect, theme.color(isActive ? ColorToken::Selected : ColorToken::SelectedIdle));
    }
    QColor color = index.data(Qt::ForegroundRole).value<QColor>();
    if (isSelected && color == theme.color(ColorToken::Text3))
        color = theme.color(ColorToken::Text2);
    const int left = index.column() == 0 ? m_firstPaddingPx : PlainHeader::kPaddingPx;
    const QRect words = cell.rect.adjusted(left, 0, -PlainHeader::kPaddingPx, 0);
    painter->setFont(cell.font);
    painter->setPen(color);
    painter->drawText(words, int(cell.displayAlignment) | Qt::TextSingleLine,
        cell.fontMetrics.elidedText(cell.text, Qt::ElideRight, words.width()));
}

} // namespace sandfish
