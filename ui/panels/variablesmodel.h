#pragma once

#include "core/protocol/lookinside.h"
#include "ui/text/theme.h"

#include <QAbstractTableModel>
#include <QStringList>

namespace sandfish {

class ThemeSource;

/// The variables of one reading: name, what is known of the value, size. Thread: GUI.
class VariablesModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column
    {
        NameColumn,
        ValueColumn,
        SizeColumn,
        ColumnCount
    };
    enum Role
    {
        SortRole = Qt::UserRole,
        FilterRole, ///< all that a filter looks at
    };
    /// Whether what is shown may be old.
    enum class Age
    {
        Current,
        Old
    };

    explicit VariablesModel(const ThemeSource *source, QObject *parent = nullptr);

    /// Rows that stay keep their place, so that a selection stays with its variable.
    void setVariables(const std::vector<VariableInfo> &variables, Age age);
    const VariableInfo *variable(int row) const; ///< null: no such row

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant text(const VariableInfo &info, int column) const;
    QVariant sortKey(const VariableInfo &info, int column) const;
    QColor color(int column) const;
    void restyle();

    const ThemeSource *m_source;
    std::vector<VariableInfo> m_variables;
    Age m_age = Age::Current;
};

} // namespace sandfish
