#pragma once

#include <QAbstractListModel>
#include <QString>
#include <QStyledItemDelegate>

#include <vector>

namespace sandfish {

class Theme;

struct CompletionEntry
{
    QString text;
    QString kind; ///< the kernel's word, such as "function"
    bool operator==(const CompletionEntry &) const = default;
};

/// The entries that begin with what was typed: those in the same letter case first. Thread: GUI.
class CompletionModel : public QAbstractListModel
{
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    void setEntries(std::vector<CompletionEntry> entries, const QString &prefix);
    void setPrefix(const QString &prefix);
    const QString &prefix() const { return m_prefix; }
    const CompletionEntry &entry(int row) const { return m_entries[std::size_t(m_shown[std::size_t(row)])]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    void filter();

    std::vector<CompletionEntry> m_entries;
    std::vector<int> m_shown;
    QString m_prefix;
};

/// What people call the kind of an entry: "function", "variable", "parameter".
QString completionKindText(const QString &kind);

/// Rows of 26 px: a sign, the name with the typed part bold, the kind at the right (DESIGN.md §3.10).
class CompletionDelegate : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setTheme(const Theme *theme) { m_theme = theme; }
    int rowPx() const;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    const Theme *m_theme = nullptr;
};

} // namespace sandfish
