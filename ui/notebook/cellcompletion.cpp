#include "ui/notebook/cellcompletion.h"

#include "core/document/notebookdocument.h"
#include "ui/notebook/cellsignature.h"
#include "ui/notebook/notebookwords.h"
#include "ui/text/codedocument.h"
#include "ui/text/codedocview.h"
#include "ui/text/codeeditor.h"
#include "ui/text/codepoints.h"
#include "ui/text/completionpopup.h"
#include "ui/text/theme.h"

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr std::chrono::milliseconds kTypingPause{80};
constexpr std::chrono::milliseconds kDocsDelay{150};

QString wordsFoot(CodeHelp::Source source)
{
    switch (source) {
    case CodeHelp::Source::Busy:
        return CellCompletion::tr("from this notebook, a cell runs");
    case CodeHelp::Source::Paused:
        return CellCompletion::tr("from this notebook, paused");
    case CodeHelp::Source::Untrusted:
        return CellCompletion::tr("from this notebook, not trusted");
    case CodeHelp::Source::NoKernel:
        return CellCompletion::tr("from this notebook, no kernel yet");
    default:
        return CellCompletion::tr("from this notebook");
    }
}

} // namespace

CellCompletion::CellCompletion(NotebookDocument &document, QWidget *view)
    : m_document(document)
    , m_view(view)
    , m_signature(new CellSignature(view, this))
{
    for (QTimer *timer : {&m_reviewTimer, &m_askTimer, &m_docTimer})
        timer->setSingleShot(true);
    m_askTimer.setInterval(kTypingPause);
    m_docTimer.setInterval(kDocsDelay);
    connect(&m_reviewTimer, &QTimer::timeout, this, &CellCompletion::review);
    connect(&m_askTimer, &QTimer::timeout, this, [this] {
        if (m_editor && isBehindName())
            ask(m_trigger);
    });
    connect(&m_docTimer, &QTimer::timeout, this, &CellCompletion::askForDocs);
}

CellCompletion::~CellCompletion()
{
    m_request.cancel();
    m_docRequest.cancel();
    if (m_popup)
        m_popup->deleteLater();
}

void CellCompletion::setHelp(CodeHelp *help)
{
    m_help = help;
    m_signature->setHelp(help);
}

void CellCompletion::setTheme(const Theme &theme)
{
    m_theme = &theme;
    m_signature->setTheme(theme);
    if (m_popup)
        m_popup->setTheme(&theme);
}

void CellCompletion::attach(CodeEditor *editor)
{
    m_editor = editor;
    m_signature->attach(editor);
    editor->installEventFilter(this);
    // In the next turn: a bracket that brings its closing one moves the cursor afterwards.
    connect(editor, &CodeEditor::sourceEdited, &m_reviewTimer, qOverload<>(&QTimer::start));
    connect(editor, &QPlainTextEdit::cursorPositionChanged, &m_reviewTimer, qOverload<>(&QTimer::start));
}

CompletionPopup *CellCompletion::popup() const
{
    return m_popup;
}

bool CellCompletion::isOpen() const
{
    return m_popup && m_popup->isVisible();
}

void CellCompletion::close()
{
    ++m_serial;
    m_request.cancel();
    m_docRequest.cancel();
    m_askTimer.stop();
    m_docTimer.stop();
    if (m_popup)
        m_popup->hide();
}

QString CellCompletion::language() const
{
    return m_editor->codeDocument()->language();
}

QString CellCompletion::text() const
{
    return m_editor->toPlainText();
}

qsizetype CellCompletion::position() const
{
    return m_editor->textCursor().position();
}

void CellCompletion::ask(Trigger trigger)
{
    close();
    m_signature->close();
    if (!m_editor)
        return;
    m_trigger = trigger;
    const CodeHelp::Source source = m_help ? m_help->source(language()) : CodeHelp::Source::NoKernel;
    if (source != CodeHelp::Source::Kernel)
        return openWords(trigger, wordsFoot(source));
    m_askedText = text();
    m_askedAt = position();
    m_asked.start();
    const CodePlace place{m_askedText.toStdString(), codePointsBefore(m_askedText, m_askedAt)};
    m_request = m_help->complete(language(), place, this,
        [this, serial = m_serial, trigger](const Result<CompletionList> &answer) { take(serial, trigger, answer); });
}

void CellCompletion::take(int serial, Trigger trigger, const Result<CompletionList> &answer)
{
    if (serial != m_serial || !m_editor)
        return;
    if (position() != m_askedAt || text() != m_askedText)
        return m_askTimer.start(); // it is no answer to what stands there now
    if (!answer) {
        const bool isBusy = answer.error().kind == Error::Kind::Conflict;
        if (answer.error().kind != Error::Kind::Cancelled)
            openWords(trigger, wordsFoot(isBusy ? CodeHelp::Source::Busy : CodeHelp::Source::Unsupported));
        return;
    }
    std::vector<CompletionEntry> entries;
    for (const CompletionMatch &match : answer->matches)
        entries.push_back({QString::fromStdString(match.text), QString::fromStdString(match.kind)});
    if (entries.empty())
        return openWords(trigger, wordsFoot(CodeHelp::Source::Kernel));
    const qsizetype start = std::min(unitsBefore(m_askedText, answer->start), m_askedAt);
    m_start = start;
    if (entries.size() == 1 && trigger == Trigger::Asked)
        return accept(entries.front());
    open(std::move(entries), start, tr("from the kernel, %1 ms").arg(m_asked.elapsed()),
        m_help && m_help->canInspect(language()));
}

// Only when asked: words that nobody has asked for would get in the way of those who type.
void CellCompletion::openWords(Trigger trigger, const QString &foot)
{
    if (trigger != Trigger::Asked)
        return;
    const QString prefix = wordBefore(text(), position());
    const bool isMember = position() > prefix.size() && text()[position() - prefix.size() - 1] == u'.';
    std::vector<CompletionEntry> entries;
    if (!prefix.isEmpty() || isMember || !m_help) {
        for (const QString &word : notebookWords(m_document, language(), prefix))
            entries.push_back({word, u"word"_s});
    }
    if (entries.empty())
        return m_signature->showNote(tr("No completions %1").arg(foot));
    open(std::move(entries), position() - prefix.size(), foot, false);
}

void CellCompletion::makePopup()
{
    if (m_popup) {
        if (m_popup->parentWidget() != m_view->window())
            m_popup->setParent(m_view->window());
        return;
    }
    m_popup = new CompletionPopup(m_view->window());
    m_popup->setTheme(m_theme);
    connect(m_popup, &CompletionPopup::currentChanged, this, [this] {
        m_docRequest.cancel();
        m_docTimer.start();
    });
    connect(m_popup, &CompletionPopup::chosen, this, [this] {
        if (const auto entry = m_popup->current())
            accept(*entry);
    });
}

void CellCompletion::open(std::vector<CompletionEntry> entries, qsizetype start, const QString &foot, bool hasDocs)
{
    if (!m_theme || !m_editor->hasFocus())
        return;
    makePopup();
    m_start = start;
    m_popup->open(std::move(entries), text().mid(start, position() - start), foot, hasDocs);
    if (m_popup->count() == 0)
        return close();
    place();
}

void CellCompletion::place()
{
    QTextCursor cursor = m_editor->textCursor();
    cursor.setPosition(int(m_start));
    QRect line = m_editor->cursorRect(cursor);
    line.moveTopLeft(m_editor->viewport()->mapTo(m_view->window(), line.topLeft()));
    m_popup->place(line);
}

void CellCompletion::accept(const CompletionEntry &entry)
{
    close();
    QTextCursor cursor = m_editor->textCursor();
    const int end = cursor.position();
    cursor.setPosition(int(m_start));
    cursor.setPosition(end, QTextCursor::KeepAnchor);
    cursor.insertText(entry.text);
    m_editor->setTextCursor(cursor);
    m_reviewTimer.stop();
}

void CellCompletion::review()
{
    if (!m_editor || !m_editor->hasFocus())
        return close();
    const QString typed = std::exchange(m_typed, {});
    m_signature->review();
    if (isOpen()) {
        reviewPopup();
    } else if (m_request.isPending() && (position() != m_askedAt || text() != m_askedText)) {
        // The answer would be to an older text: ask about the new one once the typing pauses.
        const Trigger trigger = m_trigger;
        close();
        if (isBehindName()) {
            m_trigger = trigger;
            m_askTimer.start();
        }
    }
    if (typed.size() == 1 && isInCode())
        actOnTyped(typed.front());
}

void CellCompletion::reviewPopup()
{
    const qsizetype now = position();
    if (now < m_start || !m_popup->setPrefix(text().mid(m_start, now - m_start)))
        close();
    else
        place();
}

void CellCompletion::actOnTyped(QChar typed)
{
    const bool canAsk = m_help && m_help->source(language()) == CodeHelp::Source::Kernel;
    if (typed == u'.' && canAsk) {
        const QString owner = wordBefore(text(), position() - 1);
        const QChar before = position() > 1 ? text()[position() - 2] : QChar();
        const bool isNumber = !owner.isEmpty() && owner.front().isDigit();
        if (isNumber || (owner.isEmpty() && !QStringView(u")]}\"'").contains(before)))
            return;
        m_trigger = Trigger::Typed;
        m_askTimer.start();
    } else if (typed == u'(' && canAsk) {
        m_signature->ask(CellSignature::Trigger::Typed);
    } else if (typed == u')') {
        m_signature->close();
    }
}

void CellCompletion::askForDocs()
{
    const std::optional<CompletionEntry> entry = isOpen() ? m_popup->current() : std::nullopt;
    if (!entry || !m_help || !m_help->canInspect(language()))
        return;
    const QString code = text().left(m_start) + entry->text;
    m_docRequest = m_help->inspect(language(), {code.toStdString(), codePointsBefore(code, code.size())}, this,
        [this, serial = m_serial, asked = *entry](const Result<Inspection> &answer) {
            if (serial != m_serial || !isOpen() || m_popup->current() != asked)
                return;
            if (answer && answer->isFound)
                m_popup->docs()->showInspection(*answer);
            else
                m_popup->docs()->showNote(tr("No documentation."));
        });
}

bool CellCompletion::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::FocusOut:
    case QEvent::Hide:
        close();
        m_signature->close();
        break;
    case QEvent::Move:
        if (isOpen())
            place();
        m_signature->place();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace sandfish
