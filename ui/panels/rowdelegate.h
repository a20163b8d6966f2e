#pragma once

#include <QStyledItemDelegate>

namespace sandfish {

class ThemeSource;

/// Paints the rows of the sandbox tree: icon and name at the left, state at the right, a quiet second line.
class SandboxRowDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit SandboxRowDelegate(const ThemeSource *source, QObject *parent = nullptr);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    qreal paintState(QPainter &painter, const QRectF &line, const QModelIndex &index, bool isSelected) const;
    void paintDetail(QPainter &painter, const QRectF &line, const QModelIndex &index, bool isSelected) const;

    const ThemeSource *m_source;
};

/// Rows of the outline: a title, indented cells, and the mark of the last run at the right.
class OutlineRowDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit OutlineRowDelegate(const ThemeSource *source, QObject *parent = nullptr);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    const ThemeSource *m_source;
};

} // namespace sandfish
