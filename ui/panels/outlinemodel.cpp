#include "ui/panels/outlinemodel.h"

#include "core/document/notebookdocument.h"
#include "ui/text/theme.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr std::chrono::milliseconds kMergeDelay{150};
constexpr qsizetype kLongestTextLength = 200;

struct Mark
{
    QString icon;
    ColorToken color = ColorToken::Text3;
};

bool hasLateOutput(const Cell &cell)
{
    return std::any_of(cell.outputs.begin(), cell.outputs.end(), [](const Output &output) { return output.isLate; });
}

Mark markOf(const Cell &cell)
{
    const CellRun &run = cell.run;
    if (run.state == CellRun::State::Finished && hasLateOutput(cell))
        return {u"clock"_s, ColorToken::Text2};
    switch (run.state) {
    case CellRun::State::None:
        return {};
    case CellRun::State::Queued:
        return {u"queued"_s, ColorToken::Text2};
    case CellRun::State::Running:
        return {u"running"_s, ColorToken::Accent};
    case CellRun::State::AwaitingInput:
        return {u"terminal"_s, ColorToken::Accent};
    case CellRun::State::Finished:
        break;
    }
    switch (run.outcome) {
    case Outcome::Ok:
        return {u"ok"_s, ColorToken::Run};
    case Outcome::Interrupted:
        return {u"pause"_s, ColorToken::Sand};
    case Outcome::Aborted:
        return {};
    default:
        return {u"error"_s, ColorToken::Error};
    }
}

QString firstLine(const QString &source)
{
    for (const QStringView line : QStringTokenizer(source, u'\n')) {
        const QStringView trimmed = line.trimmed();
        if (!trimmed.isEmpty())
            return trimmed.left(kLongestTextLength).toString();
    }
    return {};
}

} // namespace

OutlineModel::OutlineModel(QObject *parent)
    : QAbstractListModel(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kMergeDelay);
    connect(&m_timer, &QTimer::timeout, this, &OutlineModel::read);
}

void OutlineModel::setDocument(NotebookDocument *document)
{
    if (m_document)
        m_document->disconnect(this);
    m_document = document;
    if (document) {
        const auto later = [this] { m_timer.start(); };
        connect(document, &NotebookDocument::cellsInserted, this, later);
        connect(document, &NotebookDocument::cellsRemoved, this, later);
        connect(document, &NotebookDocument::cellsMoved, this, later);
        connect(document, &NotebookDocument::cellChanged, this, later);
        connect(document, &NotebookDocument::runChanged, this, &OutlineModel::updateRun);
        connect(document, &NotebookDocument::outputsChanged, this, &OutlineModel::noteLateOutput);
        connect(document, &QObject::destroyed, this, [this] { m_document = nullptr, read(); });
    }
    read();
}

int OutlineModel::rowOf(const CellId &id) const
{
    const auto it = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row &row) { return row.cell == id; });
    return it == m_rows.end() ? -1 : int(it - m_rows.begin());
}

void OutlineModel::read()
{
    m_timer.stop();
    beginResetModel();
    m_rows.clear();
    int level = 0;
    for (qsizetype i = 0; m_document && i < m_document->cellCount(); ++i) {
        const Cell &cell = m_document->peekAt(i);
        if (cell.type == Cell::Type::Markdown)
            addHeadings(cell, level);
        else if (cell.type == Cell::Type::Code && !cell.source.trimmed().isEmpty())
            m_rows.push_back({cell.id, firstLine(cell.source), level, false});
    }
    endResetModel();
}

void OutlineModel::addHeadings(const Cell &cell, int &level)
{
    bool isInFence = false;
    for (const QStringView line : QStringTokenizer(cell.source, u'\n')) {
        if (line.startsWith("```"_L1))
            isInFence = !isInFence;
        qsizetype depth = 0;
        while (depth < line.size() && line[depth] == u'#')
            ++depth;
        if (isInFence || depth == 0 || depth > 6 || depth >= line.size() || line[depth] != u' ')
            continue;
        m_rows.push_back({cell.id, line.sliced(depth).trimmed().left(kLongestTextLength).toString(),
            std::min(int(depth) - 1, 3), true});
        level = 1;
    }
}

void OutlineModel::updateRun(const CellId &id)
{
    const int row = rowOf(id);
    if (row >= 0)
        emit dataChanged(index(row), index(row));
}

void OutlineModel::noteLateOutput(const std::vector<CellId> &ids)
{
    for (const CellId &id : ids) {
        const qsizetype at = m_document->indexOf(id);
        if (at >= 0 && hasLateOutput(m_document->peekAt(at)))
            updateRun(id);
    }
}

int OutlineModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

QVariant OutlineModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Row &row = m_rows[std::size_t(index.row())];
    switch (role) {
    case LevelRole:
        return row.level;
    case IsHeadingRole:
        return row.isHeading;
    case CellIdRole:
        return row.cell.value;
    case Qt::ToolTipRole:
        return row.text;
    default:
        break;
    }
    if (row.isHeading)
        return role == Qt::DisplayRole || role == Qt::AccessibleTextRole ? QVariant(row.text) : QVariant();
    return codeData(row, role);
}

QVariant OutlineModel::codeData(const Row &row, int role) const
{
    const qsizetype at = m_document ? m_document->indexOf(row.cell) : -1;
    if (at < 0)
        return {};
    // Not find(), which would parse the outputs of each cell that is listed.
    const Cell *cell = &m_document->peekAt(at);
    const Mark mark = markOf(*cell);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: {
        const bool isRunning =
            cell->run.state == CellRun::State::Running || cell->run.state == CellRun::State::AwaitingInput;
        const QString count = isRunning ? u"*"_s
            : cell->executionCount > 0  ? QString::number(cell->executionCount)
                                        : u" "_s;
        return u"[%1] %2"_s.arg(count, row.text);
    }
    case StateIconRole:
        return mark.icon;
    case StateColorRole:
        return int(mark.color);
    default:
        return {};
    }
}

} // namespace sandfish
