#include "ui/notebook/cellactions.h"

#include "core/document/notebookdocument.h"

#include <QCoreApplication>
#include <QMimeData>
#include <QRegularExpression>
#include <QStringList>
#include <QUndoStack>

#include <algorithm>

namespace sandfish {

using namespace Qt::StringLiterals;

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(CellActions)
};

/// Cells on the clipboard: whole within this program, as their text elsewhere.
class CellMimeData : public QMimeData
{
    Q_OBJECT
public:
    explicit CellMimeData(std::vector<Cell> copiedCells)
        : cells(std::move(copiedCells))
    {
        QStringList texts;
        for (const Cell &cell : cells)
            texts << cell.source;
        setText(texts.join(u"\n\n"_s));
    }
    std::vector<Cell> cells;
};

class Macro
{
public:
    Macro(NotebookDocument &document, const QString &text)
        : m_stack(document.undoStack())
    {
        m_stack->beginMacro(text);
    }
    ~Macro() { m_stack->endMacro(); }
    Q_DISABLE_COPY_MOVE(Macro)

private:
    QUndoStack *m_stack;
};

} // namespace

CellActions::CellActions(NotebookDocument &document)
    : m_document(document)
{
}

void CellActions::remove(const std::vector<CellId> &ids)
{
    if (ids.empty())
        return;
    const Macro macro(m_document, ids.size() == 1 ? Tr::tr("Delete cell") : Tr::tr("Delete cells"));
    const bool isAll = static_cast<qsizetype>(ids.size()) == m_document.cellCount();
    for (std::size_t end = ids.size(); end > 0;) {
        const qsizetype last = m_document.indexOf(ids[end - 1]);
        std::size_t begin = end - 1;
        while (begin > 0 && m_document.indexOf(ids[begin - 1]) == last - static_cast<qsizetype>(end - begin))
            --begin;
        const auto count = static_cast<qsizetype>(end - begin);
        m_document.removeCells(last - count + 1, count);
        end = begin;
    }
    if (isAll)
        m_document.insertCell(0, Cell::Type::Code);
}

void CellActions::gather(const std::vector<CellId> &ids)
{
    const qsizetype first = m_document.indexOf(ids.front());
    for (std::size_t i = 1; i < ids.size(); ++i) {
        const qsizetype wanted = first + static_cast<qsizetype>(i);
        if (m_document.indexOf(ids[i]) != wanted)
            m_document.moveCells(m_document.indexOf(ids[i]), 1, wanted);
    }
}

bool CellActions::moveUp(const std::vector<CellId> &ids)
{
    const qsizetype first = ids.empty() ? -1 : m_document.indexOf(ids.front());
    if (first <= 0)
        return false;
    const Macro macro(m_document, Tr::tr("Move up"));
    gather(ids);
    m_document.moveCells(first, static_cast<qsizetype>(ids.size()), first - 1);
    return true;
}

bool CellActions::moveDown(const std::vector<CellId> &ids)
{
    const qsizetype last = ids.empty() ? -1 : m_document.indexOf(ids.back());
    if (last < 0 || last >= m_document.cellCount() - 1)
        return false;
    const Macro macro(m_document, Tr::tr("Move down"));
    gather(ids);
    const qsizetype first = m_document.indexOf(ids.front());
    m_document.moveCells(first, static_cast<qsizetype>(ids.size()), first + 1);
    return true;
}

void CellActions::setType(const std::vector<CellId> &ids, Cell::Type type)
{
    const Macro macro(m_document, Tr::tr("Change cell type"));
    for (const CellId &id : ids)
        m_document.setType(id, type);
}

void CellActions::makeHeading(const std::vector<CellId> &ids, int level)
{
    static const QRegularExpression leading(u"^\\s*#{0,6}\\s*"_s);
    const Macro macro(m_document, Tr::tr("Make heading"));
    for (const CellId &id : ids) {
        m_document.setType(id, Cell::Type::Markdown);
        QString source = m_document.find(id)->source;
        source.replace(leading, QString(level, u'#') + u' ');
        m_document.setSource(id, source);
    }
}

CellId CellActions::merge(const std::vector<CellId> &ids)
{
    if (ids.size() < 2)
        return ids.empty() ? CellId() : ids.front();
    const bool isCode = m_document.find(ids.front())->type == Cell::Type::Code;
    QStringList sources;
    for (const CellId &id : ids)
        sources << m_document.find(id)->source;
    const Macro macro(m_document, Tr::tr("Merge cells"));
    m_document.setSource(ids.front(), sources.join(isCode ? u"\n"_s : u"\n\n"_s));
    remove(std::vector<CellId>(ids.begin() + 1, ids.end()));
    return ids.front();
}

CellId CellActions::split(const CellId &id, qsizetype position)
{
    const Cell *cell = m_document.find(id);
    const QString source = cell->source;
    const Cell::Type type = cell->type;
    const QString language = cell->language;
    const Macro macro(m_document, Tr::tr("Split cell"));
    QString upper = source.first(position);
    QString lower = source.sliced(position);
    // The line end at the cut belongs to neither.
    if (upper.endsWith(u'\n'))
        upper.chop(1);
    else if (lower.startsWith(u'\n'))
        lower.remove(0, 1);
    m_document.setSource(id, upper);
    const CellId below = m_document.insertCell(m_document.indexOf(id) + 1, type, lower);
    if (!language.isEmpty())
        m_document.setCellLanguage(below, language);
    return below;
}

std::unique_ptr<QMimeData> CellActions::copied(const std::vector<CellId> &ids) const
{
    std::vector<Cell> cells;
    for (const CellId &id : ids)
        if (const Cell *cell = m_document.find(id))
            cells.push_back(*cell);
    return std::make_unique<CellMimeData>(std::move(cells));
}

std::vector<CellId> CellActions::paste(qsizetype index, const QMimeData *data)
{
    if (const auto *ours = qobject_cast<const CellMimeData *>(data))
        return m_document.insertCells(index, ours->cells);
    if (!data || !data->hasText() || data->text().isEmpty())
        return {};
    return {m_document.insertCell(index, Cell::Type::Code, data->text())};
}

} // namespace sandfish

#include "cellactions.moc"
