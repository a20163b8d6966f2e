#pragma once

#include "core/document/cellrecord.h"
#include "core/document/ipynbwriter.h"
#include "core/support/frameclock.h"

#include <QHash>
#include <QSet>
#include <QUndoStack>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace sandfish {

class NotebookDocument;

using CellRecords = std::vector<std::shared_ptr<CellRecord>>;

/// The cells of a document and the steps that its undo commands are made of. Emits the document's signals.
class DocumentState
{
public:
    explicit DocumentState(NotebookDocument *owner);

    void insert(qsizetype first, const CellRecords &cells);
    CellRecords take(qsizetype first, qsizetype count);
    /// \a to: index of the first moved cell afterwards.
    void move(qsizetype first, qsizetype count, qsizetype to);
    void setSource(const CellId &id, const QString &source);
    void setType(const CellId &id, Cell::Type type);
    void setLanguage(const CellId &id, const QString &language);

    CellRecord *find(const CellId &id) const { return byId.value(id); }
    qsizetype count() const { return static_cast<qsizetype>(records.size()); }
    CellRecord &at(qsizetype index) const { return *records[static_cast<std::size_t>(index)]; }
    /// An id that no cell has.
    CellId freshId() const;
    /// Parses the outputs of a cell at the first call.
    void needOutputs(CellRecord &record) const;

    void apply(CellRecord &record, const ExecutionEvent &event);
    bool clearOutputs(CellRecord &record);
    void markOutputs(CellRecord &record);
    void markUnsaved();
    void updateModified();
    bool isModified() const { return hasUnsavedOutputs || !undo.isClean(); }

    NotebookDocument *const document;
    std::size_t outputLimitBytes = OutputText::kDefaultLimitBytes; ///< of each new text
    NotebookFrame frame;
    CellRecords records;
    QHash<CellId, CellRecord *> byId;
    QString language;
    std::vector<QString> problems;
    bool isTrusted = true;
    bool hasUnsavedOutputs = false;
    bool wasModified = false;
    QUndoStack undo;

private:
    void renumber(qsizetype from);
    void emitOutputs();
    void remember(const std::string &displayId, const CellId &cell);

    FrameClock m_clock;
    std::vector<CellId> m_dirty;
    QSet<CellId> m_isDirty;
    std::unordered_map<std::string, QSet<CellId>> m_displays; ///< display id to the cells that show it
    std::size_t m_sweepAt = 4096;
};

} // namespace sandfish
