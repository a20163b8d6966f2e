#pragma once

#include <QStyledItemDelegate>

namespace sandfish {

class ThemeSource;

/// Cells of the tables of variables: text with the padding of PlainHeader, one fill over the selected ones. Texts are
/// cut with an ellipsis. Fonts, colours and alignment are the model's.
class TableRowDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    /// \a firstPaddingPx: at the left of the first column.
    TableRowDelegate(const ThemeSource *source, int firstPaddingPx, QObject *parent = nullptr);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    const ThemeSource *m_source;
    int m_firstPaddingPx;
};

} // namespace sandfish
