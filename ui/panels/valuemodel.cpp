#include "ui/panels/valuemodel.h"

#include "core/session/valuereader.h"
#include "ui/text/themesource.h"

#include <QLocale>
#include <QTimer>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

using Kind = ValuePage::Kind;

std::vector<ValuePage::Column> columnsOf(const ValuePage &page)
{
    const auto named = [](const QString &first, const QString &type, const QString &value) {
        return std::vector<ValuePage::Column>{
            {first.toStdString(), {}}, {type.toStdString(), {}}, {value.toStdString(), {}}};
    };
    switch (page.kind) {
    case Kind::Table:
        return page.columns;
    case Kind::List:
        return named(ValueModel::tr("Index"), ValueModel::tr("Type"), ValueModel::tr("Value"));
    case Kind::Dict:
        return named(ValueModel::tr("Key"), ValueModel::tr("Type"), ValueModel::tr("Value"));
    case Kind::Object:
        return named(ValueModel::tr("Attribute"), ValueModel::tr("Type"), ValueModel::tr("Value"));
    case Kind::Array:
    case Kind::Text:
        break;
    }
    std::size_t widest = 1;
    for (const auto &row : page.rows)
        widest = std::max(widest, row.size());
    std::vector<ValuePage::Column> columns(1); // the number of the row
    for (std::size_t i = 0; i < widest; ++i)
        columns.push_back({std::to_string(i), {}});
    return columns;
}

} // namespace

ValueModel::ValueModel(const ThemeSource *source, ValueReader *reader, const ValuePage &first, QObject *parent)
    : QAbstractTableModel(parent)
    , m_source(source)
    , m_reader(reader)
    , m_kind(first.kind)
{
    setHead(first);
    connect(reader, &ValueReader::pageRead, this, &ValueModel::take);
    connect(reader, &ValueReader::dropped, this, [this](std::int64_t offset) { m_wanted.erase(offset / kPageRows); });
    connect(reader, &ValueReader::failed, this, [this](std::int64_t offset) {
        m_wanted.erase(offset / kPageRows);
        m_failed.insert(offset / kPageRows);
    });
    take(first);
}

void ValueModel::setHead(const ValuePage &page)
{
    m_kind = page.kind;
    m_columns = columnsOf(page);
    m_total = page.total;
}

void ValueModel::take(const ValuePage &page)
{
    if (page.kind == Kind::Text)
        return;
    const std::int64_t number = page.offset / kPageRows;
    m_wanted.erase(number);
    const bool isOther =
        page.kind != m_kind || page.total != m_total || (page.offset == 0 && columnsOf(page) != m_columns);
    if (isOther) {
        beginResetModel();
        m_pages.clear();
        m_wanted.clear();
        if (page.offset == 0)
            setHead(page);
        m_total = page.total;
        endResetModel();
    }
    std::erase_if(m_pages, [number](const Page &each) { return each.number == number; });
    m_pages.push_front({number, page.rows});
    if (m_pages.size() > kMaxPages)
        m_pages.pop_back();
    const int first = int(number) * kPageRows;
    const int last = std::min(first + int(page.rows.size()), rowCount()) - 1;
    if (first <= last)
        emit dataChanged(index(first, 0), index(last, columnCount() - 1));
}

void ValueModel::refresh()
{
    m_pages.clear();
    m_wanted.clear();
    m_failed.clear();
    m_reader->cancel();
    want(0); // tells whether the value has another shape now
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int ValueModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(std::min(m_total, kMaxRows));
}

int ValueModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

// Asked for in the next turn: a view asks for each cell of a page while it paints.
void ValueModel::want(std::int64_t page) const
{
    if (m_failed.contains(page) || !m_wanted.insert(page).second)
        return;
    QTimer::singleShot(0, m_reader, [reader = m_reader, page] { reader->ask(page * kPageRows, kPageRows); });
}

const std::vector<std::string> *ValueModel::row(int index) const
{
    const std::int64_t number = index / kPageRows;
    const auto found =
        std::find_if(m_pages.begin(), m_pages.end(), [number](const Page &each) { return each.number == number; });
    if (found == m_pages.end()) {
        want(number);
        return nullptr;
    }
    m_pages.splice(m_pages.begin(), m_pages, found);
    const auto at = std::size_t(index % kPageRows);
    return at < m_pages.front().rows.size() ? &m_pages.front().rows[at] : nullptr;
}

bool ValueModel::isNumber(int column) const
{
    if (m_kind == Kind::Array)
        return true;
    if (m_kind != Kind::Table || column == 0)
        return false;
    const std::string &type = m_columns[std::size_t(column)].type;
    return type.find("int") != std::string::npos || type.find("float") != std::string::npos;
}

QString ValueModel::textAt(int line, int column) const
{
    const std::vector<std::string> *cells = row(line);
    if (m_kind == Kind::Array && column == 0)
        return QLocale().toString(line);
    const int at = m_kind == Kind::Array ? column - 1 : column;
    return cells && std::size_t(at) < cells->size() ? QString::fromStdString((*cells)[std::size_t(at)]) : QString();
}

QVariant ValueModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Theme &theme = m_source->theme();
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: {
        const QString text = textAt(index.row(), index.column());
        return role == Qt::DisplayRole ? text : text.toHtmlEscaped();
    }
    case Qt::FontRole:
        return theme.codeSmallFont();
    case Qt::ForegroundRole: {
        const bool hasTypes = m_kind == Kind::List || m_kind == Kind::Dict || m_kind == Kind::Object;
        const bool isQuiet = (hasTypes && index.column() == 1) || (m_kind == Kind::Array && index.column() == 0);
        return theme.color(isQuiet ? ColorToken::Text3 : ColorToken::Text);
    }
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    default:
        return {};
    }
}

QString ValueModel::columnName(int column) const
{
    return QString::fromStdString(m_columns[std::size_t(column)].name);
}

QVariant ValueModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(QLocale().toString(section)) : QVariant();
    if (section < 0 || section >= columnCount())
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return columnName(section);
    case Qt::ToolTipRole:
        return QString::fromStdString(m_columns[std::size_t(section)].type).toHtmlEscaped();
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    default:
        return {};
    }
}

QString ValueModel::asTsv(const QModelIndexList &cells) const
{
    std::set<int> rows;
    std::set<int> columns;
    for (const QModelIndex &cell : cells) {
        rows.insert(cell.row());
        columns.insert(cell.column());
    }
    const auto clean = [](QString text) { return text.replace(u'\t', u' ').replace(u'\n', u' '); };
    QStringList lines;
    QStringList parts;
    for (const int column : columns)
        parts.append(clean(columnName(column)));
    lines.append(parts.join(u'\t'));
    for (const int line : rows) {
        parts.clear();
        for (const int column : columns)
            parts.append(clean(data(index(line, column), Qt::DisplayRole).toString()));
        lines.append(parts.join(u'\t'));
    }
    return lines.join(u'\n');
}

} // namespace sandfish
