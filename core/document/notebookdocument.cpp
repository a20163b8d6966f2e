#include "core/document/notebookdocument.h"

#include "core/document/documentstate.h"
#include "core/document/editcommands.h"
#include "core/document/ipynbreader.h"
#include "core/document/ipynbwriter.h"
#include "core/protocol/checkpoint.h"

#include <algorithm>

namespace sandfish {

struct NotebookDocument::Private
{
    explicit Private(NotebookDocument *document)
        : state(document)
    {
    }

    void take(const std::shared_ptr<ParsedNotebook> &parsed)
    {
        state.frame = {
            parsed->bytes, parsed->layout, parsed->minor, parsed->cells, parsed->cellRun, parsed->metadata, {}};
        state.records = std::move(parsed->records);
        for (const auto &record : state.records)
            state.byId.insert(record->cell.id, record.get());
        state.language = parsed->language.isEmpty() ? QStringLiteral("python") : parsed->language;
        state.problems = std::move(parsed->problems);
        state.hasUnsavedOutputs = state.wasModified = parsed->isRepaired;
    }

    DocumentState state;
};

NotebookDocument::NotebookDocument(QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this))
{
    const auto parsed = parseNotebook(emptyNotebookBytes(QStringLiteral("python")));
    d->take(*parsed);
    auto record = std::make_shared<CellRecord>();
    record->cell.id = makeCellId();
    record->index = 0;
    d->state.byId.insert(record->cell.id, record.get());
    d->state.records.push_back(std::move(record));
}

NotebookDocument::~NotebookDocument() = default;

Result<std::unique_ptr<NotebookDocument>> NotebookDocument::fromJson(const QByteArray &ipynb)
{
    const Result<std::shared_ptr<ParsedNotebook>> parsed = parseNotebook(ipynb);
    if (!parsed)
        return parsed.error();
    return fromParsed(*parsed);
}

std::unique_ptr<NotebookDocument> NotebookDocument::fromParsed(std::shared_ptr<ParsedNotebook> parsed)
{
    auto document = std::make_unique<NotebookDocument>();
    document->d->state.records.clear();
    document->d->state.byId.clear();
    document->d->take(parsed);
    document->d->state.isTrusted = false;
    return document;
}

NotebookImage NotebookDocument::image() const
{
    return notebookImage(d->state.frame, d->state.records);
}

QByteArray NotebookDocument::toJson() const
{
    return image().toBytes();
}

QString NotebookDocument::language() const
{
    return d->state.language;
}

void NotebookDocument::setLanguage(const QString &language)
{
    if (language == d->state.language)
        return;
    d->state.language = language;
    d->state.frame.newLanguage = language;
    d->state.markUnsaved();
    emit languageChanged();
}

bool NotebookDocument::isTrusted() const
{
    return d->state.isTrusted;
}

void NotebookDocument::setTrusted(bool isTrusted)
{
    if (d->state.isTrusted == isTrusted)
        return;
    d->state.isTrusted = isTrusted;
    emit trustChanged(isTrusted);
}

const std::vector<QString> &NotebookDocument::problems() const
{
    return d->state.problems;
}

qsizetype NotebookDocument::cellCount() const
{
    return d->state.count();
}

const Cell &NotebookDocument::cellAt(qsizetype index) const
{
    CellRecord &record = d->state.at(index);
    d->state.needOutputs(record);
    return record.cell;
}

const Cell &NotebookDocument::peekAt(qsizetype index) const
{
    return d->state.at(index).cell;
}

qsizetype NotebookDocument::pendingOutputBytes(qsizetype index) const
{
    const CellRecord &record = d->state.at(index);
    return record.hasUnparsedOutputs ? static_cast<qsizetype>(record.outputs.size) : 0;
}

const Cell *NotebookDocument::find(const CellId &id) const
{
    CellRecord *record = d->state.find(id);
    if (!record)
        return nullptr;
    d->state.needOutputs(*record);
    return &record->cell;
}

qsizetype NotebookDocument::indexOf(const CellId &id) const
{
    const CellRecord *record = d->state.find(id);
    return record ? record->index : -1;
}

QString NotebookDocument::effectiveLanguage(const CellId &id) const
{
    const CellRecord *record = d->state.find(id);
    return record && !record->cell.language.isEmpty() ? record->cell.language : d->state.language;
}

CellId NotebookDocument::insertCell(qsizetype index, Cell::Type type, const QString &source)
{
    Cell cell;
    cell.type = type;
    cell.source = source;
    return insertCells(index, {cell}).front();
}

std::vector<CellId> NotebookDocument::insertCells(qsizetype index, const std::vector<Cell> &cells)
{
    std::vector<CellId> ids;
    CellRecords records;
    for (const Cell &cell : cells) {
        auto record = std::make_shared<CellRecord>();
        record->cell = cell;
        const bool isTaken = d->state.find(cell.id) || std::find(ids.begin(), ids.end(), cell.id) != ids.end();
        if (isTaken || !isValidCellId(cell.id.value))
            record->cell.id = d->state.freshId();
        record->cell.run = {};
        // The tags of the file stay with the cell they were read from.
        record->cell.mayFail = false;
        ids.push_back(record->cell.id);
        records.push_back(std::move(record));
    }
    if (!records.empty())
        d->state.undo.push(new InsertCells(d->state, std::clamp<qsizetype>(index, 0, cellCount()), std::move(records)));
    return ids;
}

void NotebookDocument::removeCells(qsizetype first, qsizetype count)
{
    const qsizetype begin = std::clamp<qsizetype>(first, 0, cellCount());
    const qsizetype size = std::clamp<qsizetype>(count, 0, cellCount() - begin);
    if (size > 0)
        d->state.undo.push(new RemoveCells(d->state, begin, size));
}

void NotebookDocument::moveCells(qsizetype first, qsizetype count, qsizetype to)
{
    const qsizetype begin = std::clamp<qsizetype>(first, 0, cellCount());
    const qsizetype size = std::clamp<qsizetype>(count, 0, cellCount() - begin);
    const qsizetype target = std::clamp<qsizetype>(to, 0, cellCount() - size);
    if (size > 0 && target != begin)
        d->state.undo.push(new MoveCells(d->state, begin, size, target));
}

void NotebookDocument::setSource(const CellId &id, const QString &source)
{
    const CellRecord *record = d->state.find(id);
    if (record && record->cell.source != source)
        d->state.undo.push(new SetSource(d->state, id, record->cell.source, source));
}

void NotebookDocument::setType(const CellId &id, Cell::Type type)
{
    const CellRecord *record = d->state.find(id);
    if (record && record->cell.type != type)
        d->state.undo.push(new SetType(d->state, id, record->cell.type, type));
}

void NotebookDocument::setCellLanguage(const CellId &id, const QString &language)
{
    const CellRecord *record = d->state.find(id);
    if (record && record->cell.language != language)
        d->state.undo.push(new SetLanguage(d->state, id, record->cell.language, language));
}

QUndoStack *NotebookDocument::undoStack() const
{
    return &d->state.undo;
}

void NotebookDocument::clearOutputs(const CellId &id)
{
    CellRecord *record = d->state.find(id);
    if (!record)
        return;
    d->state.clearOutputs(*record);
    setExecutionCount(id, 0);
    if (record->cell.run.state == CellRun::State::Finished)
        setRun(id, {});
}

void NotebookDocument::clearAllOutputs()
{
    for (const auto &record : CellRecords(d->state.records))
        clearOutputs(record->cell.id);
}

void NotebookDocument::apply(const CellId &id, const std::vector<ExecutionEvent> &events)
{
    CellRecord *record = d->state.find(id);
    for (const ExecutionEvent &event : events)
        if (record)
            d->state.apply(*record, event);
}

void NotebookDocument::setOutputLimit(std::size_t bytes)
{
    d->state.outputLimitBytes = bytes;
}

void NotebookDocument::setExecutionCount(const CellId &id, int count)
{
    CellRecord *record = d->state.find(id);
    if (!record || record->cell.executionCount == count)
        return;
    record->cell.executionCount = count;
    record->changes |= CellRecord::CountChanged;
    d->state.markUnsaved();
    emit runChanged(id);
}

void NotebookDocument::setRun(const CellId &id, const CellRun &run)
{
    CellRecord *record = d->state.find(id);
    if (!record)
        return;
    const bool hadTimes = record->cell.run.startedAt.isValid();
    record->cell.run = run;
    const bool isDone = run.state == CellRun::State::Finished && run.startedAt.isValid();
    if (isDone || (run.state == CellRun::State::None && hadTimes && !run.startedAt.isValid())) {
        record->changes |= CellRecord::ExecutionChanged;
        d->state.markUnsaved();
    }
    emit runChanged(id);
}

void NotebookDocument::setRunBefore(const CellId &id, const std::optional<CheckpointRef> &before)
{
    CellRecord *record = d->state.find(id);
    if (!record || record->cell.run.before == before)
        return;
    record->cell.run.before = before;
    emit runChanged(id);
}

void NotebookDocument::setRunUndone(const CellId &id, bool isUndone)
{
    CellRecord *record = d->state.find(id);
    if (!record || record->cell.run.isUndone == isUndone)
        return;
    record->cell.run.isUndone = isUndone;
    emit runChanged(id);
}

void NotebookDocument::setOutputsCollapsed(const CellId &id, bool isCollapsed)
{
    CellRecord *record = d->state.find(id);
    if (!record || record->cell.outputsCollapsed == isCollapsed)
        return;
    record->cell.outputsCollapsed = isCollapsed;
    record->changes |= CellRecord::CollapsedChanged;
    d->state.markUnsaved();
    emit cellChanged(id);
}

bool NotebookDocument::isModified() const
{
    return d->state.isModified();
}

void NotebookDocument::markSaved()
{
    d->state.hasUnsavedOutputs = false;
    d->state.undo.setClean();
    d->state.updateModified();
}

} // namespace sandfish
