#include "core/document/editcommands.h"

#include <QCoreApplication>

#include <algorithm>

namespace sandfish {
namespace {

constexpr std::chrono::milliseconds kTypingPause{1500};

struct EditText
{
    Q_DECLARE_TR_FUNCTIONS(sandfish::EditCommand)
};

} // namespace

InsertCells::InsertCells(DocumentState &state, qsizetype first, CellRecords cells)
    : EditCommand(state, EditText::tr("Insert cells"))
    , m_first(first)
    , m_cells(std::move(cells))
{
}

void InsertCells::redo()
{
    m_state.insert(m_first, m_cells);
}

void InsertCells::undo()
{
    m_cells = m_state.take(m_first, static_cast<qsizetype>(m_cells.size()));
}

RemoveCells::RemoveCells(DocumentState &state, qsizetype first, qsizetype count)
    : EditCommand(state, EditText::tr("Delete cells"))
    , m_first(first)
    , m_count(count)
{
}

void RemoveCells::redo()
{
    m_cells = m_state.take(m_first, m_count);
    // A run belongs to a cell that is there: undo brings it back as not run.
    for (const auto &record : m_cells)
        if (record->cell.run.state != CellRun::State::Finished)
            record->cell.run = {};
}

void RemoveCells::undo()
{
    m_state.insert(m_first, m_cells);
}

MoveCells::MoveCells(DocumentState &state, qsizetype first, qsizetype count, qsizetype to)
    : EditCommand(state, EditText::tr("Move cells"))
    , m_first(first)
    , m_count(count)
    , m_to(to)
{
}

void MoveCells::redo()
{
    m_state.move(m_first, m_count, m_to);
}

void MoveCells::undo()
{
    m_state.move(m_to, m_count, m_first);
}

SetSource::SetSource(DocumentState &state, const CellId &cell, const QString &before, const QString &after)
    : EditCommand(state, EditText::tr("Edit"))
    , m_cell(cell)
    , m_before(before)
    , m_after(after)
{
    const qsizetype shorter = std::min(before.size(), after.size());
    qsizetype prefix = 0;
    while (prefix < shorter && before[prefix] == after[prefix])
        ++prefix;
    qsizetype suffix = 0;
    while (suffix < shorter - prefix && before[before.size() - 1 - suffix] == after[after.size() - 1 - suffix])
        ++suffix;
    m_changeStart = prefix;
    m_changeEnd = after.size() - suffix;
    const QStringView inserted = QStringView(after).sliced(prefix, m_changeEnd - prefix);
    const QStringView removed = QStringView(before).sliced(prefix, before.size() - suffix - prefix);
    m_isPlain = inserted.isEmpty() != removed.isEmpty() && !inserted.contains(u'\n') && !removed.contains(u'\n');
}

bool SetSource::mergeWith(const QUndoCommand *other)
{
    const auto *next = static_cast<const SetSource *>(other);
    const bool isSameKind =
        next->m_cell == m_cell && m_isPlain && next->m_isPlain && next->isInsertion() == isInsertion();
    if (!isSameKind || next->m_changedAt - m_changedAt > kTypingPause)
        return false;
    const bool isNext = isInsertion() ? next->m_changeStart == m_changeEnd
                                      : next->m_changeStart == m_changeStart
            || next->m_changeStart + (next->m_before.size() - next->m_after.size()) == m_changeStart;
    if (!isNext)
        return false;
    m_after = next->m_after;
    m_changeStart = next->m_changeStart;
    m_changeEnd = next->m_changeEnd;
    m_changedAt = next->m_changedAt;
    return true;
}

void SetSource::redo()
{
    m_state.setSource(m_cell, m_after);
}

void SetSource::undo()
{
    m_state.setSource(m_cell, m_before);
}

SetType::SetType(DocumentState &state, const CellId &cell, Cell::Type before, Cell::Type after)
    : EditCommand(state, EditText::tr("Change the kind of a cell"))
    , m_cell(cell)
    , m_before(before)
    , m_after(after)
{
}

void SetType::redo()
{
    m_state.setType(m_cell, m_after);
}

void SetType::undo()
{
    m_state.setType(m_cell, m_before);
}

SetLanguage::SetLanguage(DocumentState &state, const CellId &cell, const QString &before, const QString &after)
    : EditCommand(state, EditText::tr("Change the language of a cell"))
    , m_cell(cell)
    , m_before(before)
    , m_after(after)
{
}

void SetLanguage::redo()
{
    m_state.setLanguage(m_cell, m_after);
}

void SetLanguage::undo()
{
    m_state.setLanguage(m_cell, m_before);
}

} // namespace sandfish
