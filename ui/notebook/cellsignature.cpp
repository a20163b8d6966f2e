#include "ui/notebook/cellsignature.h"

#include "ui/text/codedocument.h"
#include "ui/text/codeeditor.h"
#include "ui/text/codepoints.h"
#include "ui/text/codetip.h"

namespace sandfish {

CellSignature::CellSignature(QWidget *view, QObject *parent)
    : QObject(parent)
    , m_view(view)
{
}

CellSignature::~CellSignature()
{
    m_request.cancel();
    if (m_tip)
        m_tip->deleteLater();
}

void CellSignature::setTheme(const Theme &theme)
{
    m_theme = &theme;
    if (m_tip)
        m_tip->setTheme(&theme);
}

void CellSignature::attach(CodeEditor *editor)
{
    m_editor = editor;
}

CodeTip *CellSignature::tip() const
{
    return m_tip;
}

bool CellSignature::isOpen() const
{
    return m_tip && m_tip->isVisible();
}

void CellSignature::close()
{
    ++m_serial;
    m_request.cancel();
    if (m_tip)
        m_tip->hide();
}

QString CellSignature::reason() const
{
    switch (m_help ? m_help->source(m_editor->codeDocument()->language()) : CodeHelp::Source::NoKernel) {
    case CodeHelp::Source::Busy:
        return tr("A cell is running. Documentation can be read when it has ended.");
    case CodeHelp::Source::Paused:
        return tr("The sandbox is paused. Resume it to read documentation.");
    case CodeHelp::Source::Untrusted:
        return tr("This notebook is not trusted, so its kernel is not asked for documentation.");
    case CodeHelp::Source::NoKernel:
        return tr("No kernel is running. Run a cell to read documentation.");
    default:
        return tr("This service has no documentation of what is in a context.");
    }
}

void CellSignature::ask(Trigger trigger)
{
    close();
    if (!m_editor)
        return;
    const QString language = m_editor->codeDocument()->language();
    if (!m_help || !m_help->canInspect(language)) {
        if (trigger == Trigger::Asked)
            showNote(reason());
        return;
    }
    m_text = m_editor->toPlainText();
    m_from = m_editor->textCursor().position();
    m_request = m_help->inspect(language, {m_text.toStdString(), codePointsBefore(m_text, m_from)}, this,
        [this, serial = m_serial, trigger](const Result<Inspection> &answer) { take(serial, trigger, answer); });
}

void CellSignature::take(int serial, Trigger trigger, const Result<Inspection> &answer)
{
    if (serial != m_serial || !m_editor || !m_theme)
        return;
    // Behind a bracket one types on at once, and the call is still the same one.
    const int now = m_editor->textCursor().position();
    if (now < m_from || (trigger == Trigger::Asked && m_editor->toPlainText() != m_text))
        return;
    const bool isFound = answer && answer->isFound;
    if (isFound && (trigger == Trigger::Asked || !answer->signature.empty())) {
        show();
        m_isNote = false;
        m_tip->showInspection(*answer);
        place();
    } else if (trigger == Trigger::Asked) {
        const bool isBusy = !answer && answer.error().kind == Error::Kind::Conflict;
        showNote(isBusy ? tr("A cell is running. Documentation can be read when it has ended.")
                        : tr("Nothing is known of what stands at the cursor."));
    }
}

void CellSignature::show()
{
    if (!m_tip) {
        m_tip = new CodeTip(m_view->window());
        m_tip->setTheme(m_theme);
    }
    if (m_tip->parentWidget() != m_view->window())
        m_tip->setParent(m_view->window());
    m_block = m_editor->textCursor().blockNumber();
}

void CellSignature::showNote(const QString &text)
{
    if (!m_editor || !m_theme)
        return;
    show();
    m_isNote = true;
    m_from = m_editor->textCursor().position();
    m_text = m_editor->toPlainText();
    m_tip->showNote(text);
    place();
}

void CellSignature::review()
{
    if (!isOpen() || !m_editor)
        return;
    const QTextCursor cursor = m_editor->textCursor();
    const bool hasLeft = cursor.blockNumber() != m_block || cursor.position() < m_from;
    const bool hasMoved = cursor.position() != m_from || m_editor->toPlainText() != m_text;
    if (hasLeft || (m_isNote && hasMoved))
        close();
}

void CellSignature::place()
{
    if (!isOpen() || !m_editor)
        return;
    QTextCursor cursor = m_editor->textCursor();
    cursor.setPosition(m_from);
    QRect line = m_editor->cursorRect(cursor);
    line.moveTopLeft(m_editor->viewport()->mapTo(m_view->window(), line.topLeft()));
    m_tip->place(line);
}

} // namespace sandfish
