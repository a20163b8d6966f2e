#pragma once

#include <QElapsedTimer>

#include <optional>

class QKeyEvent;

namespace sandfish {

/// What a key asks of the notebook (notebooks.md §4.1).
enum class CellCommand
{
    None,
    Edit,
    LeaveEdit,
    SelectUp,
    SelectDown,
    ExtendUp,
    ExtendDown,
    ExtendToTop,
    ExtendToBottom,
    SelectFirst,
    SelectLast,
    SelectAll,
    InsertAbove,
    InsertBelow,
    Cut,
    Copy,
    PasteBelow,
    PasteAbove,
    Delete,
    Undo,
    Redo,
    ToCode,
    ToMarkdown,
    ToRaw,
    Heading1,
    Heading2,
    Heading3,
    Heading4,
    Heading5,
    Heading6,
    Merge,
    MergeAbove,
    MergeBelow,
    MoveUp,
    MoveDown,
    ToggleOutputs,
    Interrupt,
    Restart,
    PageUp,
    PageDown,
    Split,
    RunStay,
    RunNext,
    RunInsert
};

/// Turns keys into commands, with the pairs D,D, I,I and 0,0. Thread: GUI.
class CommandKeys
{
public:
    /// Of command mode. None: the key means nothing here, or is the first of a pair.
    CellCommand take(const QKeyEvent &event);
    /// True if \a event has a meaning in command mode, so that no menu shortcut may take it.
    static bool isOurs(const QKeyEvent &event);
    /// Of edit mode; None: the editor's own.
    static CellCommand inEditMode(const QKeyEvent &event);

private:
    CellCommand takePair(int key);

    int m_firstOfPair = 0;
    QElapsedTimer m_sinceFirst;
};

} // namespace sandfish
