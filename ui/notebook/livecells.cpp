#include "ui/notebook/livecells.h"

#include "core/document/notebookdocument.h"
#include "ui/notebook/cellitem.h"
#include "ui/notebook/inputprompt.h"
#include "ui/text/codedocument.h"
#include "ui/text/codeeditor.h"
#include "ui/text/shownsource.h"

#include <QTextCursor>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace sandfish {

namespace {

// Texts whose undo history is kept.
constexpr std::size_t kMaxTexts = 16;
// Room for the caret behind the last column, inside the padding of the code box.
constexpr qreal kCaretRoom = 4;
constexpr int kOutOfSight = -100000;

} // namespace

struct LiveCells::Text
{
    CellId id;
    bool isCut; // shows less than the source, so what is done to it must not become the source
    std::unique_ptr<CodeDocument> document;
};

LiveCells::LiveCells(NotebookDocument &document, PageStyle &style, QWidget *viewport)
    : m_document(document)
    , m_style(style)
    , m_viewport(viewport)
{
}

LiveCells::~LiveCells()
{
    // What the editor says while it goes concerns nobody.
    if (m_editor)
        m_editor->disconnect();
}

qreal LiveCells::wrapWidth() const
{
    return m_style.metrics.codeWidth(m_style.bodyWidth);
}

LiveCells::Text &LiveCells::textOf(const Cell &cell)
{
    const QString language = cell.type == Cell::Type::Code ? m_document.effectiveLanguage(cell.id)
        : cell.type == Cell::Type::Markdown                ? QStringLiteral("markdown")
                                                           : QStringLiteral("raw");
    const ShownSource shown(cell.source);
    const auto known =
        std::find_if(m_texts.begin(), m_texts.end(), [&cell](const Text &text) { return text.id == cell.id; });
    if (known != m_texts.end()) {
        m_texts.splice(m_texts.begin(), m_texts, known);
        Text &text = m_texts.front();
        text.document->setLanguage(language);
        text.document->setTheme(m_style.theme, wrapWidth());
        // A line that grows too long while it is typed stays as it is.
        if (!text.isCut && shown.isCut() && text.document->toPlainText() == cell.source)
            return text;
        if (text.isCut == shown.isCut()) {
            text.document->adoptText(shown.text());
            return text;
        }
        m_replaced = std::move(text.document);
        m_texts.pop_front();
    }
    m_texts.push_front(
        {cell.id, shown.isCut(), std::make_unique<CodeDocument>(shown.text(), language, m_style.theme, wrapWidth())});
    m_texts.front().document->setUndoRedoEnabled(!shown.isCut());
    if (m_texts.size() > kMaxTexts)
        m_texts.pop_back();
    return m_texts.front();
}

void LiveCells::show(const Cell &cell)
{
    const Text &text = textOf(cell);
    if (!isEditing() || m_editor->codeDocument() != text.document.get())
        m_editor->showDocument(text.document.get());
    m_editor->setTextIsFixed(text.isCut);
}

void LiveCells::makeEditor()
{
    m_editor = std::make_unique<CodeEditor>(m_viewport);
    m_editor->setTheme(m_style.theme);
    connect(m_editor.get(), &CodeEditor::sourceEdited, this, [this](const QString &source) {
        if (!m_isAdopting && isEditing() && !m_editor->isReadOnly())
            m_document.setSource(m_edited, source);
    });
    connect(m_editor.get(), &CodeEditor::heightChanged, this, &LiveCells::roomChanged);
    emit editorMade(m_editor.get());
}

void LiveCells::edit(const CellId &id)
{
    const Cell *cell = m_document.find(id);
    if (!cell)
        return;
    if (!m_editor)
        makeEditor();
    m_edited = {}; // signals while the document is exchanged concern no cell
    show(*cell);
    m_edited = id;
    m_editor->setAccessibleName(tr("Code of cell %1").arg(m_document.indexOf(id) + 1));
    m_editor->show();
}

void LiveCells::hideEditor()
{
    if (m_editor)
        m_editor->hide();
}

int LiveCells::sourcePosition() const
{
    const int position = m_editor->textCursor().position();
    const Cell *cell = m_document.find(m_edited);
    return cell && m_editor->isReadOnly() ? ShownSource(cell->source).sourceOffset(position) : position;
}

void LiveCells::adoptSource(const CellId &id)
{
    const Cell *cell = m_document.find(id);
    if (!cell || id != m_edited)
        return; // other texts catch up when they are edited next
    m_isAdopting = true;
    show(*cell);
    m_isAdopting = false;
}

void LiveCells::dropMissing()
{
    if (isEditing() && m_document.indexOf(m_edited) < 0)
        leave();
    for (const CellId &id : m_prompts.keys())
        if (m_document.indexOf(id) < 0)
            m_prompts.take(id)->deleteLater();
}

void LiveCells::restyle()
{
    if (m_editor)
        m_editor->setTheme(m_style.theme);
    if (isEditing())
        adoptSource(m_edited);
    for (InputPrompt *box : std::as_const(m_prompts))
        box->setTheme(m_style.theme);
}

void LiveCells::syncPrompt(const Cell &cell)
{
    const bool isWaiting = cell.run.state == CellRun::State::AwaitingInput;
    if (isWaiting == m_prompts.contains(cell.id))
        return;
    if (isWaiting)
        addPrompt(cell);
    else
        m_prompts.take(cell.id)->deleteLater();
}

void LiveCells::addPrompt(const Cell &cell)
{
    const CellId id = cell.id;
    auto *box = new InputPrompt(cell.run.inputRequest, m_style.theme, m_viewport);
    m_prompts.insert(id, box);
    connect(box, &InputPrompt::submitted, this, [this, id](const QString &line) { emit inputSubmitted(id, line); });
    connect(box, &InputPrompt::ended, this, [this, id] { emit inputEnded(id); });
    connect(box, &InputPrompt::interruptRequested, this, [this, id] { emit interruptRequested(id); });
    connect(box, &InputPrompt::left, this, &LiveCells::promptLeft);
    box->move(0, kOutOfSight);
    box->show();
    updatePrompts();
}

bool LiveCells::updatePrompts()
{
    for (auto it = m_prompts.cbegin(); it != m_prompts.cend(); ++it) {
        const Cell *cell = m_document.find(it.key());
        if (cell && cell->run.startedAt.isValid())
            it.value()->setWaiting(
                std::chrono::seconds(std::max<qint64>(0, cell->run.startedAt.secsTo(QDateTime::currentDateTime()))));
    }
    return !m_prompts.isEmpty();
}

void LiveCells::prepare(const Cell &cell, CellItem &item) const
{
    item.setEditorHeight(cell.id == m_edited ? m_editor->textHeight() : -1);
    if (cell.id == m_edited)
        m_editor->setFind(item.sourceFind());
    const InputPrompt *box = m_prompts.value(cell.id);
    item.setPromptHeight(box ? box->sizeHint().height() : 0);
}

void LiveCells::place(const CellId &id, const CellItem &item, qreal y)
{
    if (id == m_edited) {
        const QRectF source = item.geometry().source.translated(0, y);
        m_editor->setGeometry(static_cast<int>(source.x()), static_cast<int>(source.y()),
            static_cast<int>(std::ceil(source.width() + kCaretRoom)), static_cast<int>(std::ceil(source.height())));
    }
    if (InputPrompt *box = m_prompts.value(id))
        box->setGeometry(item.geometry().prompt.translated(0, y).toAlignedRect());
}

void LiveCells::placeOutOfSight(const CellId &id)
{
    if (id == m_edited)
        m_editor->move(m_editor->x(), kOutOfSight);
    if (InputPrompt *box = m_prompts.value(id))
        box->move(box->x(), kOutOfSight);
}

} // namespace sandfish
