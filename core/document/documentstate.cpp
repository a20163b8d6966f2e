#include "core/document/documentstate.h"

#include "core/document/notebookdocument.h"
#include "core/document/outputcodec.h"
#include "core/document/outputreducer.h"

#include <algorithm>

namespace sandfish {

DocumentState::DocumentState(NotebookDocument *owner)
    : document(owner)
{
    // Each step of typing holds two texts of its cell; a day of work must not fill the memory.
    constexpr int kMaxUndoSteps = 1000;
    undo.setUndoLimit(kMaxUndoSteps);
    QObject::connect(&m_clock, &FrameClock::tick, owner, [this] { emitOutputs(); });
    QObject::connect(&undo, &QUndoStack::cleanChanged, owner, [this] { updateModified(); });
}

void DocumentState::renumber(qsizetype from)
{
    for (qsizetype i = from; i < count(); ++i)
        at(i).index = i;
}

void DocumentState::insert(qsizetype first, const CellRecords &cells)
{
    records.insert(records.begin() + first, cells.begin(), cells.end());
    for (const auto &record : cells)
        byId.insert(record->cell.id, record.get());
    renumber(first);
    emit document->cellsInserted(first, static_cast<qsizetype>(cells.size()));
}

CellRecords DocumentState::take(qsizetype first, qsizetype size)
{
    const auto begin = records.begin() + first;
    CellRecords taken(begin, begin + size);
    records.erase(begin, begin + size);
    for (const auto &record : taken) {
        byId.remove(record->cell.id);
        record->index = -1;
    }
    renumber(first);
    emit document->cellsRemoved(first, size);
    return taken;
}

void DocumentState::move(qsizetype first, qsizetype size, qsizetype to)
{
    const auto begin = records.begin();
    if (to < first)
        std::rotate(begin + to, begin + first, begin + first + size);
    else
        std::rotate(begin + first, begin + first + size, begin + to + size);
    renumber(std::min(first, to));
    emit document->cellsMoved(first, size, to);
}

void DocumentState::setSource(const CellId &id, const QString &source)
{
    CellRecord *record = find(id);
    if (!record)
        return;
    record->cell.source = source;
    record->changes |= CellRecord::SourceChanged;
    emit document->cellChanged(id);
}

void DocumentState::setType(const CellId &id, Cell::Type type)
{
    CellRecord *record = find(id);
    if (!record)
        return;
    needOutputs(*record);
    record->cell.type = type;
    record->changes |= CellRecord::TypeChanged;
    emit document->cellChanged(id);
}

void DocumentState::setLanguage(const CellId &id, const QString &newLanguage)
{
    CellRecord *record = find(id);
    if (!record)
        return;
    record->cell.language = newLanguage;
    record->changes |= CellRecord::LanguageChanged;
    emit document->cellChanged(id);
}

CellId DocumentState::freshId() const
{
    CellId id = makeCellId();
    while (byId.contains(id))
        id = makeCellId();
    return id;
}

void DocumentState::needOutputs(CellRecord &record) const
{
    if (record.hasUnparsedOutputs)
        readOutputs(record, frame.bytes);
}

void DocumentState::apply(CellRecord &record, const ExecutionEvent &event)
{
    needOutputs(record);
    if (const auto *display = std::get_if<DisplayData>(&event); display && !display->displayId.empty()) {
        // Not only updates: showing an id again refreshes the places that show it already.
        const auto shown = m_displays.find(display->displayId);
        if (shown != m_displays.end())
            for (const CellId &id : std::as_const(shown->second))
                if (CellRecord *other = find(id); other && updateDisplays(*other, *display))
                    markOutputs(*other);
        if (!display->isUpdate)
            remember(display->displayId, record.cell.id);
    }
    if (reduceOutputs(record, event, outputLimitBytes))
        markOutputs(record);
}

// Programs that make a new id for every bar would fill the table; the ids of outputs that are gone go in one sweep.
void DocumentState::remember(const std::string &displayId, const CellId &cell)
{
    constexpr std::size_t kSweepAt = 4096;
    if (m_displays.size() >= m_sweepAt) {
        std::unordered_map<std::string, QSet<CellId>> used;
        for (const auto &record : records)
            for (const Output &output : record->cell.outputs)
                if (!output.displayId.empty())
                    used[output.displayId].insert(record->cell.id);
        m_displays = std::move(used);
        m_sweepAt = std::max(kSweepAt, m_displays.size() * 2);
    }
    m_displays[displayId].insert(cell);
}

bool DocumentState::clearOutputs(CellRecord &record)
{
    record.clearsAtNextOutput = false;
    if (!removeOutputs(record))
        return false;
    markOutputs(record);
    return true;
}

void DocumentState::markOutputs(CellRecord &record)
{
    record.changes |= CellRecord::OutputsChanged;
    if (!m_isDirty.contains(record.cell.id)) {
        m_isDirty.insert(record.cell.id);
        m_dirty.push_back(record.cell.id);
    }
    m_clock.request();
    markUnsaved();
}

void DocumentState::emitOutputs()
{
    m_isDirty.clear();
    std::vector<CellId> ids;
    for (CellId &id : std::exchange(m_dirty, {}))
        if (byId.contains(id))
            ids.push_back(std::move(id));
    if (!ids.empty())
        emit document->outputsChanged(ids);
}

void DocumentState::markUnsaved()
{
    hasUnsavedOutputs = true;
    updateModified();
}

void DocumentState::updateModified()
{
    if (wasModified == isModified())
        return;
    wasModified = isModified();
    emit document->modifiedChanged(wasModified);
}

} // namespace sandfish
