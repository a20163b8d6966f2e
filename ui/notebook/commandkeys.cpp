#include "ui/notebook/commandkeys.h"

#include <QKeyEvent>

#include <algorithm>
#include <array>

namespace sandfish {

namespace {

// As long as a double press may take to be one.
constexpr qint64 kPairMs = 800;

struct Binding
{
    int key;
    Qt::KeyboardModifiers modifiers;
    CellCommand command;
};

const Qt::KeyboardModifiers kNone = Qt::NoModifier;
const Qt::KeyboardModifiers kShift = Qt::ShiftModifier;
const Qt::KeyboardModifiers kCtrl = Qt::ControlModifier;
const Qt::KeyboardModifiers kCtrlShift = Qt::ControlModifier | Qt::ShiftModifier;

const std::array kRunBindings{
    Binding{Qt::Key_Return, kShift, CellCommand::RunNext},
    Binding{Qt::Key_Enter, kShift, CellCommand::RunNext},
    Binding{Qt::Key_Return, kCtrl, CellCommand::RunStay},
    Binding{Qt::Key_Enter, kCtrl, CellCommand::RunStay},
    Binding{Qt::Key_Return, Qt::AltModifier, CellCommand::RunInsert},
    Binding{Qt::Key_Enter, Qt::AltModifier, CellCommand::RunInsert},
    Binding{Qt::Key_Up, kCtrlShift, CellCommand::MoveUp},
    Binding{Qt::Key_Down, kCtrlShift, CellCommand::MoveDown},
};

const std::array kCommandBindings{
    Binding{Qt::Key_Return, kNone, CellCommand::Edit},
    Binding{Qt::Key_Enter, kNone, CellCommand::Edit},
    Binding{Qt::Key_Up, kNone, CellCommand::SelectUp},
    Binding{Qt::Key_K, kNone, CellCommand::SelectUp},
    Binding{Qt::Key_Down, kNone, CellCommand::SelectDown},
    Binding{Qt::Key_J, kNone, CellCommand::SelectDown},
    Binding{Qt::Key_Up, kShift, CellCommand::ExtendUp},
    Binding{Qt::Key_K, kShift, CellCommand::ExtendUp},
    Binding{Qt::Key_Down, kShift, CellCommand::ExtendDown},
    Binding{Qt::Key_J, kShift, CellCommand::ExtendDown},
    Binding{Qt::Key_Home, kShift, CellCommand::ExtendToTop},
    Binding{Qt::Key_End, kShift, CellCommand::ExtendToBottom},
    Binding{Qt::Key_Home, kNone, CellCommand::SelectFirst},
    Binding{Qt::Key_End, kNone, CellCommand::SelectLast},
    Binding{Qt::Key_Home, kCtrl, CellCommand::SelectFirst},
    Binding{Qt::Key_End, kCtrl, CellCommand::SelectLast},
    Binding{Qt::Key_A, kCtrl, CellCommand::SelectAll},
    Binding{Qt::Key_A, kNone, CellCommand::InsertAbove},
    Binding{Qt::Key_B, kNone, CellCommand::InsertBelow},
    Binding{Qt::Key_X, kNone, CellCommand::Cut},
    Binding{Qt::Key_C, kNone, CellCommand::Copy},
    Binding{Qt::Key_V, kNone, CellCommand::PasteBelow},
    Binding{Qt::Key_V, kShift, CellCommand::PasteAbove},
    Binding{Qt::Key_X, kCtrl, CellCommand::Cut},
    Binding{Qt::Key_C, kCtrl, CellCommand::Copy},
    Binding{Qt::Key_V, kCtrl, CellCommand::PasteBelow},
    Binding{Qt::Key_Delete, kNone, CellCommand::Delete},
    Binding{Qt::Key_Z, kNone, CellCommand::Undo},
    Binding{Qt::Key_Z, kShift, CellCommand::Redo},
    Binding{Qt::Key_Z, kCtrl, CellCommand::Undo},
    Binding{Qt::Key_Z, kCtrlShift, CellCommand::Redo},
    Binding{Qt::Key_Y, kNone, CellCommand::ToCode},
    Binding{Qt::Key_M, kNone, CellCommand::ToMarkdown},
    Binding{Qt::Key_R, kNone, CellCommand::ToRaw},
    Binding{Qt::Key_1, kNone, CellCommand::Heading1},
    Binding{Qt::Key_2, kNone, CellCommand::Heading2},
    Binding{Qt::Key_3, kNone, CellCommand::Heading3},
    Binding{Qt::Key_4, kNone, CellCommand::Heading4},
    Binding{Qt::Key_5, kNone, CellCommand::Heading5},
    Binding{Qt::Key_6, kNone, CellCommand::Heading6},
    Binding{Qt::Key_M, kShift, CellCommand::Merge},
    Binding{Qt::Key_Backspace, kCtrl, CellCommand::MergeAbove},
    Binding{Qt::Key_M, kCtrlShift, CellCommand::MergeBelow},
    Binding{Qt::Key_O, kNone, CellCommand::ToggleOutputs},
    Binding{Qt::Key_PageUp, kNone, CellCommand::PageUp},
    Binding{Qt::Key_PageDown, kNone, CellCommand::PageDown},
    Binding{Qt::Key_Space, kNone, CellCommand::PageDown},
    Binding{Qt::Key_Space, kShift, CellCommand::PageUp},
};

// Split is Ctrl+Shift+minus, which many layouts give as an underscore, and some only by AltGr: Ctrl+Alt+S besides.
const std::array kEditBindings{
    Binding{Qt::Key_Escape, kNone, CellCommand::LeaveEdit},
    Binding{Qt::Key_M, kCtrl, CellCommand::LeaveEdit},
    Binding{Qt::Key_Minus, kCtrlShift, CellCommand::Split},
    Binding{Qt::Key_Underscore, kCtrlShift, CellCommand::Split},
    Binding{Qt::Key_S, Qt::ControlModifier | Qt::AltModifier, CellCommand::Split},
};

template <typename Bindings> CellCommand look(const Bindings &bindings, int key, Qt::KeyboardModifiers modifiers)
{
    const auto found = std::find_if(bindings.begin(), bindings.end(),
        [&](const Binding &binding) { return binding.key == key && binding.modifiers == modifiers; });
    return found == bindings.end() ? CellCommand::None : found->command;
}

Qt::KeyboardModifiers modifiersOf(const QKeyEvent &event)
{
    return event.modifiers() & ~(Qt::KeypadModifier | Qt::GroupSwitchModifier);
}

bool isPairKey(int key)
{
    return key == Qt::Key_D || key == Qt::Key_I || key == Qt::Key_0;
}

} // namespace

CellCommand CommandKeys::take(const QKeyEvent &event)
{
    const Qt::KeyboardModifiers modifiers = modifiersOf(event);
    if (modifiers == kNone && isPairKey(event.key()))
        return event.isAutoRepeat() ? CellCommand::None : takePair(event.key());
    m_firstOfPair = 0;
    const CellCommand run = look(kRunBindings, event.key(), modifiers);
    return run != CellCommand::None ? run : look(kCommandBindings, event.key(), modifiers);
}

CellCommand CommandKeys::takePair(int key)
{
    const bool isSecond = m_firstOfPair == key && m_sinceFirst.elapsed() < kPairMs;
    m_firstOfPair = isSecond ? 0 : key;
    if (!isSecond) {
        m_sinceFirst.start();
        return CellCommand::None;
    }
    switch (key) {
    case Qt::Key_D:
        return CellCommand::Delete;
    case Qt::Key_I:
        return CellCommand::Interrupt;
    default:
        return CellCommand::Restart;
    }
}

bool CommandKeys::isOurs(const QKeyEvent &event)
{
    const Qt::KeyboardModifiers modifiers = modifiersOf(event);
    return (modifiers == kNone && isPairKey(event.key()))
        || look(kRunBindings, event.key(), modifiers) != CellCommand::None
        || look(kCommandBindings, event.key(), modifiers) != CellCommand::None;
}

CellCommand CommandKeys::inEditMode(const QKeyEvent &event)
{
    const Qt::KeyboardModifiers modifiers = modifiersOf(event);
    const CellCommand run = look(kRunBindings, event.key(), modifiers);
    return run != CellCommand::None ? run : look(kEditBindings, event.key(), modifiers);
}

} // namespace sandfish
