#include "ui/notebook/cellcompletion.h"

#include "ui/notebook/cellsignature.h"
#include "ui/text/codedocview.h"
#include "ui/text/codeeditor.h"
#include "ui/text/completionpopup.h"

#include <QKeyEvent>
#include <QTextBlock>

using namespace Qt::StringLiterals;

// Which keys open, choose and close.

namespace sandfish {
namespace {

Qt::KeyboardModifiers modifiersOf(const QKeyEvent &event)
{
    return event.modifiers() & ~Qt::KeypadModifier;
}

} // namespace

bool CellCompletion::wantsKey(const QKeyEvent &event) const
{
    return event.key() == Qt::Key_Escape && (isOpen() || m_signature->isOpen());
}

bool CellCompletion::takeKey(const QKeyEvent &event)
{
    if (!m_editor || m_editor->isReadOnly() || m_editor->isComposing())
        return false;
    m_typed.clear();
    if (isOpen() && takePopupKey(event))
        return true;
    if (m_signature->isOpen() && event.key() == Qt::Key_Escape) {
        m_signature->close();
        return true;
    }
    if (isInCode() && takeTrigger(event))
        return true;
    m_typed = event.text();
    return false;
}

bool CellCompletion::takePopupKey(const QKeyEvent &event)
{
    const auto modifiers = modifiersOf(event);
    const int key = event.key();
    if (key == Qt::Key_Escape) {
        close();
        return true;
    }
    if (modifiers == Qt::ControlModifier && (key == Qt::Key_Up || key == Qt::Key_Down)) {
        m_popup->docs()->scrollPage(key == Qt::Key_Up ? -1 : 1);
        return true;
    }
    if (modifiers != Qt::NoModifier)
        return false;
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
        m_popup->step(key == Qt::Key_Up ? -1 : 1);
    } else if (key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
        m_popup->stepPage(key == Qt::Key_PageUp ? -1 : 1);
    } else if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Tab) {
        if (const auto entry = m_popup->current())
            accept(*entry);
    } else {
        return false;
    }
    return true;
}

bool CellCompletion::takeTrigger(const QKeyEvent &event)
{
    const auto modifiers = modifiersOf(event);
    const bool hasSelection = m_editor->textCursor().hasSelection();
    if (event.key() == Qt::Key_Space && modifiers == Qt::ControlModifier) {
        ask(Trigger::Asked);
        return true;
    }
    if (event.key() == Qt::Key_Tab && modifiers == Qt::NoModifier && !hasSelection && isBehindName()) {
        ask(Trigger::Asked);
        return true;
    }
    // At the beginning of a line the key takes a step of indentation, as everywhere.
    const QTextCursor cursor = m_editor->textCursor();
    const bool isBehindText = !cursor.block().text().left(cursor.positionInBlock()).trimmed().isEmpty();
    if (event.key() == Qt::Key_Backtab && !hasSelection && isBehindText) {
        close();
        m_signature->ask(CellSignature::Trigger::Asked);
        return true;
    }
    return false;
}

bool CellCompletion::isInCode() const
{
    return language() != "markdown"_L1 && language() != "raw"_L1;
}

bool CellCompletion::isBehindName() const
{
    const QTextCursor cursor = m_editor->textCursor();
    const QString line = cursor.block().text().left(cursor.positionInBlock());
    if (line.isEmpty())
        return false;
    const QChar last = line.back();
    if (last.isLetterOrNumber() || last.isSurrogate() || last == u'_' || last == u'.')
        return true;
    if (language() == "bash"_L1)
        return QStringView(u"/$-~").contains(last);
    // A key of a dict or a column: rows["
    return line.size() > 1 && (last == u'"' || last == u'\'') && line[line.size() - 2] == u'[';
}

} // namespace sandfish
