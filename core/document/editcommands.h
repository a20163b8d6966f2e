#pragma once

#include "core/document/documentstate.h"

#include <QUndoCommand>

#include <chrono>

namespace sandfish {

/// Base of the steps on the undo stack. The state outlives the stack.
class EditCommand : public QUndoCommand
{
public:
    EditCommand(DocumentState &state, const QString &text)
        : QUndoCommand(text)
        , m_state(state)
    {
    }

protected:
    DocumentState &m_state;
};

class InsertCells : public EditCommand
{
public:
    InsertCells(DocumentState &state, qsizetype first, CellRecords cells);
    void redo() override;
    void undo() override;

private:
    qsizetype m_first;
    CellRecords m_cells;
};

/// Keeps the removed cells whole, so that undo brings outputs back too.
class RemoveCells : public EditCommand
{
public:
    RemoveCells(DocumentState &state, qsizetype first, qsizetype count);
    void redo() override;
    void undo() override;

private:
    qsizetype m_first;
    qsizetype m_count;
    CellRecords m_cells;
};

class MoveCells : public EditCommand
{
public:
    MoveCells(DocumentState &state, qsizetype first, qsizetype count, qsizetype to);
    void redo() override;
    void undo() override;

private:
    qsizetype m_first;
    qsizetype m_count;
    qsizetype m_to;
};

/// Typing and deleting without a pause, a jump or a new line is one step.
class SetSource : public EditCommand
{
public:
    SetSource(DocumentState &state, const CellId &cell, const QString &before, const QString &after);
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand *other) override;
    void redo() override;
    void undo() override;

private:
    bool isInsertion() const { return m_after.size() > m_before.size(); }

    CellId m_cell;
    QString m_before;
    QString m_after;
    qsizetype m_changeStart; ///< of the last change
    qsizetype m_changeEnd;   ///< in the text after it
    bool m_isPlain;          ///< one run was inserted or one was removed, within a line
    std::chrono::steady_clock::time_point m_changedAt = std::chrono::steady_clock::now();
};

class SetType : public EditCommand
{
public:
    SetType(DocumentState &state, const CellId &cell, Cell::Type before, Cell::Type after);
    void redo() override;
    void undo() override;

private:
    CellId m_cell;
    Cell::Type m_before;
    Cell::Type m_after;
};

class SetLanguage : public EditCommand
{
public:
    SetLanguage(DocumentState &state, const CellId &cell, const QString &before, const QString &after);
    void redo() override;
    void undo() override;

private:
    CellId m_cell;
    QString m_before;
    QString m_after;
};

} // namespace sandfish
