#include "ui/panels/variablesmodel.h"

#include "ui/panels/variablewords.h"
#include "ui/text/themesource.h"

#include <QSize>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qreal kRowPx = 24;
constexpr int kMaxTipChars = 2000;

QString tipText(const VariableInfo &info)
{
    QStringList lines{QString::fromStdString(info.name) + u": "_s + QString::fromStdString(info.type)};
    if (const QString shape = shapeText(info); !shape.isEmpty())
        lines.append(shape);
    lines.append(valueText(info).left(kMaxTipChars));
    return lines.join(u'\n').toHtmlEscaped().replace(u'\n', u"<br>"_s);
}

} // namespace

VariablesModel::VariablesModel(const ThemeSource *source, QObject *parent)
    : QAbstractTableModel(parent)
    , m_source(source)
{
    connect(source, &ThemeSource::changed, this, &VariablesModel::restyle);
}

void VariablesModel::setVariables(const std::vector<VariableInfo> &variables, Age age)
{
    if (variables == m_variables && age == m_age)
        return;
    const bool hasSameNames = std::equal(variables.begin(), variables.end(), m_variables.begin(), m_variables.end(),
        [](const VariableInfo &a, const VariableInfo &b) { return a.name == b.name; });
    if (hasSameNames) {
        m_variables = variables;
        m_age = age;
        restyle();
        return;
    }
    // Selections are kept by the name: persistent indexes move with their variable.
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    for (const QModelIndex &index : before) {
        const std::string &name = m_variables[std::size_t(index.row())].name;
        const auto found = std::find_if(
            variables.begin(), variables.end(), [&name](const VariableInfo &info) { return info.name == name; });
        after.append(
            found == variables.end() ? QModelIndex() : createIndex(int(found - variables.begin()), index.column()));
    }
    m_variables = variables;
    m_age = age;
    changePersistentIndexList(before, after);
    emit layoutChanged();
}

void VariablesModel::restyle()
{
    if (!m_variables.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const VariableInfo *VariablesModel::variable(int row) const
{
    return row >= 0 && row < rowCount() ? &m_variables[std::size_t(row)] : nullptr;
}

int VariablesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_variables.size());
}

int VariablesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
}

QVariant VariablesModel::text(const VariableInfo &info, int column) const
{
    switch (column) {
    case NameColumn:
        return QString::fromStdString(info.name);
    case ValueColumn:
        return summaryText(info);
    default:
        return info.sizeBytes ? objectSizeText(*info.sizeBytes) : QString();
    }
}

QVariant VariablesModel::sortKey(const VariableInfo &info, int column) const
{
    if (column == SizeColumn)
        return QVariant::fromValue<qlonglong>(info.sizeBytes.value_or(-1));
    return text(info, column);
}

QColor VariablesModel::color(int column) const
{
    const Theme &theme = m_source->theme();
    if (m_age == Age::Old)
        return theme.color(ColorToken::Text3);
    return theme.color(column == NameColumn ? ColorToken::Text : ColorToken::Text2);
}

QVariant VariablesModel::data(const QModelIndex &index, int role) const
{
    const VariableInfo *info = index.isValid() ? variable(index.row()) : nullptr;
    if (!info)
        return {};
    const Theme &theme = m_source->theme();
    switch (role) {
    case Qt::DisplayRole:
        return text(*info, index.column());
    case Qt::ToolTipRole:
        return tipText(*info);
    case Qt::AccessibleTextRole:
        return index.column() == NameColumn
            ? tr("%1, %2").arg(text(*info, NameColumn).toString(), text(*info, ValueColumn).toString())
            : text(*info, index.column());
    case Qt::FontRole:
        return index.column() == NameColumn ? theme.codeSmallFont() : theme.smallFont();
    case Qt::ForegroundRole:
        return color(index.column());
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (index.column() == SizeColumn ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::SizeHintRole:
        return QSize(-1, qRound(theme.scaled(kRowPx)));
    case SortRole:
        return sortKey(*info, index.column());
    case FilterRole:
        return QString(text(*info, NameColumn).toString() + u'\n' + QString::fromStdString(info->type) + u'\n'
            + text(*info, ValueColumn).toString());
    default:
        return {};
    }
}

QVariant VariablesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section == SizeColumn ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? tr("Name") : section == ValueColumn ? tr("Value") : tr("Size");
}

} // namespace sandfish
