#pragma once

#include "core/base/result.h"
#include "core/document/cell.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

class QUndoStack;

namespace sandfish {

class NotebookImage;
struct ParsedNotebook;

/// The only owner of cells and outputs of one notebook. Thread: GUI.
///
/// What was read from a file and is not understood here is kept and written back. Cells that were not touched keep
/// their bytes, so that saving changes only what the user changed.
class NotebookDocument : public QObject
{
    Q_OBJECT
public:
    /// An empty notebook with one empty code cell, nbformat 4.5.
    explicit NotebookDocument(QObject *parent = nullptr);
    ~NotebookDocument() override;

    /// Reads nbformat 4 (3 by upgrade). Cost: one pass over the bytes; outputs are parsed when first asked for.
    static Result<std::unique_ptr<NotebookDocument>> fromJson(const QByteArray &ipynb);
    /// What parseNotebook() gave, so that the reading may happen in another thread. The notebook is used up.
    static std::unique_ptr<NotebookDocument> fromParsed(std::shared_ptr<ParsedNotebook> parsed);
    QByteArray toJson() const;
    /// The same as a value that another thread may write to disk. Cost: the changed cells alone.
    NotebookImage image() const;

    QString language() const; ///< normalised default language of code cells
    void setLanguage(const QString &language);
    bool isTrusted() const; ///< made here, or trusted by the user
    void setTrusted(bool isTrusted);
    /// What the reader repaired or tolerated, one sentence each; empty for a clean file.
    const std::vector<QString> &problems() const;

    qsizetype cellCount() const;
    /// Valid until the next change of the cell list. Outputs are parsed at the first call for that cell.
    const Cell &cellAt(qsizetype index) const;
    /// The same without parsing outputs: they may be missing yet, see pendingOutputBytes().
    const Cell &peekAt(qsizetype index) const;
    /// Size in the file of the outputs that cellAt() would have to parse; 0 if there are none.
    qsizetype pendingOutputBytes(qsizetype index) const;
    const Cell *find(const CellId &id) const;  ///< nullptr if there is none; outputs as cellAt()
    qsizetype indexOf(const CellId &id) const; ///< -1 if there is none; O(1)
    QString effectiveLanguage(const CellId &id) const;

    // Undoable.
    CellId insertCell(qsizetype index, Cell::Type type, const QString &source = {});
    /// With sources, types, languages and outputs; an id that is empty or taken is replaced.
    std::vector<CellId> insertCells(qsizetype index, const std::vector<Cell> &cells);
    void removeCells(qsizetype first, qsizetype count);
    /// \a to: index of the first moved cell afterwards.
    void moveCells(qsizetype first, qsizetype count, qsizetype to);
    void setSource(const CellId &id, const QString &source); ///< merges typing into one step
    void setType(const CellId &id, Cell::Type type);
    void setCellLanguage(const CellId &id, const QString &language);
    QUndoStack *undoStack() const; ///< keeps the last 1000 steps

    // Outputs and runs are not undoable.
    void clearOutputs(const CellId &id);
    void clearAllOutputs();
    void apply(const CellId &id, const std::vector<ExecutionEvent> &events);
    /// Text kept of each output that begins from now on.
    void setOutputLimit(std::size_t bytes);
    void setExecutionCount(const CellId &id, int count);
    void setRun(const CellId &id, const CellRun &run);
    /// Two members of the run alone, which no file has: nothing becomes unsaved.
    void setRunBefore(const CellId &id, const std::optional<CheckpointRef> &before);
    void setRunUndone(const CellId &id, bool isUndone);
    void setOutputsCollapsed(const CellId &id, bool isCollapsed);

    bool isModified() const;
    /// The document is as on disk now.
    void markSaved();

signals:
    void cellsInserted(qsizetype first, qsizetype count);
    void cellsRemoved(qsizetype first, qsizetype count);
    void cellsMoved(qsizetype first, qsizetype count, qsizetype to); ///< `to`: index of the first moved cell afterwards
    void cellChanged(const sandfish::CellId &id);                    ///< source, type, language, collapsed
    void runChanged(const sandfish::CellId &id);                     ///< run state, execution count
    void outputsChanged(const std::vector<sandfish::CellId> &ids);   ///< at most once per 16 ms
    void modifiedChanged(bool isModified);
    void languageChanged();
    void trustChanged(bool isTrusted);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace sandfish
