#include "ui/text/codedocument.h"

#include "ui/text/editorhighlighter.h"
#include "ui/text/theme.h"

#include <QTextBlock>
#include <QTextCursor>

#include <algorithm>
#include <cmath>

namespace sandfish {

CodeDocumentLayout::CodeDocumentLayout(QTextDocument *document)
    : QPlainTextDocumentLayout(document)
{
}

void CodeDocumentLayout::setLineStyle(const LineStyle &style)
{
    m_rows.emplace(style);
    m_baselinePx = baselineInLine(style.font, style.linePx);
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        block.clearLayout();
        countRows(block);
    }
    m_lastRowCount = document()->lineCount();
    emit heightChanged();
}

void CodeDocumentLayout::restoreRows()
{
    if (!m_rows)
        return;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        if (!isOnGrid(block))
            countRows(block);
}

qreal CodeDocumentLayout::height() const
{
    return document()->lineCount() * linePx();
}

bool CodeDocumentLayout::isOnGrid(const QTextBlock &block) const
{
    const QTextLayout *layout = block.layout();
    if (layout->lineCount() == 0)
        return false;
    const QTextLine line = layout->lineAt(0);
    return std::abs(line.y() + line.ascent() - m_baselinePx) < 0.01;
}

void CodeDocumentLayout::countRows(QTextBlock block) const
{
    const bool isComposing = !block.layout()->preeditAreaText().isEmpty();
    if (!isComposing && m_rows->isPlainRow(block.text()))
        block.setLineCount(1);
    else
        layOut(block);
}

void CodeDocumentLayout::layOut(QTextBlock block) const
{
    layoutOnGrid(*block.layout(), m_rows->style());
    block.setLineCount(std::max(1, block.layout()->lineCount()));
}

QRectF CodeDocumentLayout::blockBoundingRect(const QTextBlock &block) const
{
    if (!block.isValid() || !m_rows)
        return {};
    if (!isOnGrid(block))
        layOut(block);
    return {0, 0, m_rows->style().widthPx, block.lineCount() * linePx()};
}

void CodeDocumentLayout::documentChanged(int from, int charsRemoved, int charsAdded)
{
    // The base class keeps its own books and tells the editor; it also sets the changed block its own way.
    QPlainTextDocumentLayout::documentChanged(from, charsRemoved, charsAdded);
    if (!m_rows)
        return;
    const QTextBlock last = document()->findBlock(std::max(0, from + charsRemoved + charsAdded - 1));
    for (QTextBlock block = document()->findBlock(from); block.isValid(); block = block.next()) {
        if (block.layout()->lineCount() > 0 && !isOnGrid(block))
            block.clearLayout();
        countRows(block);
        if (block == last)
            break;
    }
    if (document()->lineCount() == m_lastRowCount)
        return;
    m_lastRowCount = document()->lineCount();
    emit heightChanged();
}

CodeDocument::CodeDocument(
    const QString &text, const QString &language, const Theme &theme, qreal widthPx, QObject *parent)
    : QTextDocument(parent)
    , m_layout(new CodeDocumentLayout(this))
    , m_language(language)
{
    setDocumentLayout(m_layout);
    setDocumentMargin(0);
    setDefaultFont(theme.codeFont());
    setPlainText(text);
    m_highlighter = new EditorHighlighter(this, language, theme);
    m_highlighter->rehighlight();
    m_layout->setLineStyle(codeLineStyle(theme, widthPx));
}

CodeDocument::~CodeDocument() = default;

void CodeDocument::setLanguage(const QString &language)
{
    m_language = language;
    m_highlighter->setLanguage(language);
}

void CodeDocument::setTheme(const Theme &theme, qreal widthPx)
{
    setDefaultFont(theme.codeFont());
    m_highlighter->setTheme(theme);
    m_layout->setLineStyle(codeLineStyle(theme, widthPx));
}

void CodeDocument::adoptText(const QString &text)
{
    const QString old = toPlainText();
    if (old == text)
        return;
    const qsizetype shorter = std::min(old.size(), text.size());
    qsizetype head = 0;
    while (head < shorter && old[head] == text[head])
        ++head;
    qsizetype tail = 0;
    while (tail < shorter - head && old[old.size() - 1 - tail] == text[text.size() - 1 - tail])
        ++tail;
    QTextCursor cursor(this);
    cursor.setPosition(static_cast<int>(head));
    cursor.setPosition(static_cast<int>(old.size() - tail), QTextCursor::KeepAnchor);
    cursor.insertText(text.mid(head, text.size() - head - tail));
}

} // namespace sandfish
