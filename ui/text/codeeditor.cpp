#include "ui/text/codeeditor.h"

#include "ui/text/codedocument.h"
#include "ui/text/codeediting.h"
#include "ui/text/shownsource.h"
#include "ui/text/theme.h"

#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace sandfish {

using namespace Qt::StringLiterals;

namespace {

constexpr int kCaretPx = 2;

} // namespace

CodeEditor::CodeEditor(QWidget *parent)
    : QPlainTextEdit(parent)
{
    setFrameStyle(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setCursorWidth(kCaretPx);
    setTabChangesFocus(false);
    // The parent has painted the code box below.
    viewport()->setAutoFillBackground(false);
    setAttribute(Qt::WA_OpaquePaintEvent, false);
    for (QScrollBar *bar : {verticalScrollBar(), horizontalScrollBar()}) {
        connect(bar, &QScrollBar::valueChanged, bar, [bar](int value) {
            if (value != 0)
                bar->setValue(0);
        });
    }
    connect(this, &QPlainTextEdit::textChanged, this, &CodeEditor::noteEdit);
    connect(this, &QPlainTextEdit::selectionChanged, viewport(), qOverload<>(&QWidget::update));
}

void CodeEditor::showDocument(CodeDocument *document)
{
    if (m_document)
        disconnect(m_document->codeLayout(), nullptr, this, nullptr);
    m_brackets.clear();
    m_document = document;
    m_lastSource = document->toPlainText();
    setDocument(document);
    document->codeLayout()->restoreRows();
    connect(document->codeLayout(), &CodeDocumentLayout::heightChanged, this, &CodeEditor::heightChanged);
}

void CodeEditor::setTheme(const Theme &theme)
{
    m_theme = &theme;
    QPalette colours = theme.palette();
    colours.setColor(QPalette::Base, Qt::transparent);
    setPalette(colours);
    viewport()->update();
}

void CodeEditor::setTextIsFixed(bool isFixed)
{
    if (isReadOnly() == isFixed)
        return;
    setReadOnly(isFixed);
    if (isFixed)
        setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
}

void CodeEditor::setFind(const TextFind &find)
{
    if (m_find == find)
        return;
    m_find = find;
    viewport()->update();
}

qreal CodeEditor::textHeight() const
{
    return m_document ? m_document->codeLayout()->height() : 0;
}

bool CodeEditor::isComposing() const
{
    return !textCursor().block().layout()->preeditAreaText().isEmpty();
}

bool CodeEditor::isOnFirstRow() const
{
    const QTextCursor cursor = textCursor();
    const QTextLine line = cursor.block().layout()->lineForTextPosition(cursor.positionInBlock());
    return cursor.blockNumber() == 0 && (!line.isValid() || line.lineNumber() == 0);
}

bool CodeEditor::isOnLastRow() const
{
    const QTextCursor cursor = textCursor();
    const QTextLayout *layout = cursor.block().layout();
    const QTextLine line = layout->lineForTextPosition(cursor.positionInBlock());
    return !cursor.block().next().isValid() && (!line.isValid() || line.lineNumber() == layout->lineCount() - 1);
}

void CodeEditor::placeCursor(int position)
{
    QTextCursor cursor = textCursor();
    cursor.setPosition(std::clamp(position, 0, document()->characterCount() - 1));
    setTextCursor(cursor);
}

void CodeEditor::placeCursorOnRow(bool isLast, qreal x)
{
    const QTextBlock block = isLast ? document()->lastBlock() : document()->firstBlock();
    document()->documentLayout()->blockBoundingRect(block); // lays the block out
    const QTextLayout *layout = block.layout();
    if (layout->lineCount() == 0)
        return placeCursor(block.position());
    const QTextLine line = layout->lineAt(isLast ? layout->lineCount() - 1 : 0);
    placeCursor(block.position() + line.xToCursor(x));
}

void CodeEditor::noteEdit()
{
    const QString source = toPlainText();
    if (source == m_lastSource)
        return; // only its colours changed
    m_lastSource = source;
    emit sourceEdited(source);
}

void CodeEditor::paintEvent(QPaintEvent *event)
{
    if (!m_document || !m_theme)
        return;
    QPainter painter(viewport());
    painter.setClipRect(event->rect());
    const auto context = getPaintContext();
    const qreal pitch = m_document->codeLayout()->linePx();
    const int lastRow = document()->lineCount() - 1;
    const int row = std::clamp(static_cast<int>(event->rect().top() / pitch), 0, lastRow);
    for (QTextBlock block = document()->findBlockByLineNumber(row); block.isValid(); block = block.next()) {
        if (block.firstLineNumber() * pitch > event->rect().bottom())
            break;
        paintBlock(painter, block, context);
    }
}

void CodeEditor::paintBlock(QPainter &painter, const QTextBlock &block, const PaintContext &context)
{
    document()->documentLayout()->blockBoundingRect(block); // lays the block out
    const QTextLayout *layout = block.layout();
    const qreal pitch = m_document->codeLayout()->linePx();
    const QPointF origin(0, block.firstLineNumber() * pitch);
    QList<QTextLayout::FormatRange> overrides =
        paintHits(painter, *layout, block.text(), origin, pitch, block.position(), m_find, *m_theme);
    for (const auto &selection : context.selections) {
        const int start = std::max(0, selection.cursor.selectionStart() - block.position());
        const int end = std::min(block.length(), selection.cursor.selectionEnd() - block.position());
        if (start >= end)
            continue;
        paintSelection(painter, block, start, end);
        overrides += legibleComments(*layout, start, end);
    }
    painter.setPen(m_theme->color(ColorToken::Text));
    layout->draw(&painter, origin, overrides);

    int caret = context.cursorPosition - block.position();
    if (context.cursorPosition < -1 && !layout->preeditAreaText().isEmpty())
        caret = layout->preeditAreaPosition() - (context.cursorPosition + 2);
    if (caret < 0 || caret >= block.length() + layout->preeditAreaText().size())
        return;
    const QTextLine line = layout->lineForTextPosition(caret);
    if (line.isValid())
        painter.fillRect(QRectF(line.cursorToX(caret), origin.y() + line.y(), kCaretPx, line.height()),
            m_theme->color(ColorToken::Text));
}

void CodeEditor::paintSelection(QPainter &painter, const QTextBlock &block, int start, int end) const
{
    const QTextLayout *layout = block.layout();
    const qreal pitch = m_document->codeLayout()->linePx();
    const QColor color = m_theme->color(hasFocus() ? ColorToken::Selected : ColorToken::SelectedIdle);
    for (int row = 0; row < layout->lineCount(); ++row) {
        const QTextLine line = layout->lineAt(row);
        const int from = std::max(start, line.textStart());
        const int to = std::min(end, line.textStart() + line.textLength());
        if (from > to)
            continue;
        const bool takesLineEnd = end == block.length() && row == layout->lineCount() - 1;
        const qreal left = line.cursorToX(from);
        const qreal right = line.cursorToX(to) + (takesLineEnd ? pitch / 3 : 0);
        const QRectF area(left, (block.firstLineNumber() + row) * pitch, right - left, pitch);
        painter.fillRect(area.normalized(), color);
    }
}

// Comments are too faint on the colour of the selection.
QList<QTextLayout::FormatRange> CodeEditor::legibleComments(const QTextLayout &layout, int start, int end) const
{
    QList<QTextLayout::FormatRange> ranges;
    for (QTextLayout::FormatRange range : layout.formats()) {
        const int from = std::max(range.start, start);
        range.length = std::min(range.start + range.length, end) - from;
        range.start = from;
        if (range.length <= 0 || range.format.foreground().color() != m_theme->color(ColorToken::Comment))
            continue;
        range.format.setForeground(m_theme->color(ColorToken::Text2));
        ranges.append(range);
    }
    return ranges;
}

void CodeEditor::keyPressEvent(QKeyEvent *event)
{
    if (!isComposing() && handleEditingKey(*event)) {
        event->accept();
        ensureCursorVisible();
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
    // To the page, a key that the editor does not take would be a command for the cell.
    if (isReadOnly())
        event->accept();
}

bool CodeEditor::handleEditingKey(const QKeyEvent &event)
{
    if (!m_document || isReadOnly())
        return false;
    const auto modifiers = event.modifiers() & ~Qt::KeypadModifier;
    const QString &language = m_document->language();
    QTextCursor cursor = textCursor();
    const auto style = [this, &language] { return indentStyleOf(toPlainText(), language); };
    if (modifiers == Qt::ControlModifier && event.key() == Qt::Key_Slash) {
        toggleComment(cursor, language);
        return true;
    }
    if (modifiers == Qt::ControlModifier && event.key() == Qt::Key_BracketRight) {
        indent(cursor, style());
        return true;
    }
    if (event.key() == Qt::Key_Backtab || (modifiers == Qt::ControlModifier && event.key() == Qt::Key_BracketLeft)) {
        unindent(cursor, style());
        return true;
    }
    if (modifiers != Qt::NoModifier && modifiers != Qt::ShiftModifier)
        return false;
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        insertNewline(cursor, language);
        break;
    case Qt::Key_Tab:
        indent(cursor, style());
        break;
    case Qt::Key_Backspace:
        return modifiers == Qt::NoModifier && (m_brackets.deletePair(cursor) || deleteIndentBefore(cursor, style()));
    default:
        if (!m_brackets.type(cursor, event.text(), lineCommentOf(language).isEmpty()))
            return false;
    }
    setTextCursor(cursor);
    return true;
}

bool CodeEditor::makesLongLine(QStringView inserted) const
{
    const QTextCursor cursor = textCursor();
    const QTextBlock first = document()->findBlock(cursor.selectionStart());
    const QTextBlock last = document()->findBlock(cursor.selectionEnd());
    const qsizetype head = cursor.selectionStart() - first.position();
    const qsizetype tail = last.position() + last.length() - 1 - cursor.selectionEnd();
    for (qsizetype start = 0; start <= inserted.size();) {
        const qsizetype found = inserted.indexOf(u'\n', start);
        const qsizetype end = found < 0 ? inserted.size() : found;
        const qsizetype length = end - start + (start == 0 ? head : 0) + (found < 0 ? tail : 0);
        if (length > ShownSource::kMaxLineChars)
            return true;
        start = end + 1;
    }
    return false;
}

void CodeEditor::insertFromMimeData(const QMimeData *mimeData)
{
    if (isReadOnly() || !mimeData->hasText() || !makesLongLine(mimeData->text()))
        return QPlainTextEdit::insertFromMimeData(mimeData);
    const QString words =
        tr("Not inserted: a line would have more than %L1 characters.").arg(ShownSource::kMaxLineChars);
    QToolTip::showText(viewport()->mapToGlobal(cursorRect().bottomLeft()), words, this);
}

// The base class looks for the row by the tight height of the font and would miss it between two rows of the grid.
QPointF CodeEditor::snappedToRow(QPointF point) const
{
    const qreal pitch = m_document ? m_document->codeLayout()->linePx() : 0;
    return pitch > 0 ? QPointF(point.x(), (std::floor(point.y() / pitch) + 0.5) * pitch) : point;
}

QMouseEvent CodeEditor::snappedToRow(const QMouseEvent &event) const
{
    return {event.type(), snappedToRow(event.position()), event.scenePosition(), event.globalPosition(), event.button(),
        event.buttons(), event.modifiers(), event.pointingDevice()};
}

int CodeEditor::positionAt(QPoint point) const
{
    return cursorForPosition(snappedToRow(point).toPoint()).position();
}

void CodeEditor::mousePressEvent(QMouseEvent *event)
{
    QMouseEvent snapped = snappedToRow(*event);
    QPlainTextEdit::mousePressEvent(&snapped);
}

void CodeEditor::mouseMoveEvent(QMouseEvent *event)
{
    QMouseEvent snapped = snappedToRow(*event);
    QPlainTextEdit::mouseMoveEvent(&snapped);
}

void CodeEditor::mouseReleaseEvent(QMouseEvent *event)
{
    QMouseEvent snapped = snappedToRow(*event);
    QPlainTextEdit::mouseReleaseEvent(&snapped);
}

void CodeEditor::mouseDoubleClickEvent(QMouseEvent *event)
{
    QMouseEvent snapped = snappedToRow(*event);
    QPlainTextEdit::mouseDoubleClickEvent(&snapped);
}

void CodeEditor::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    if (m_document)
        m_document->codeLayout()->restoreRows();
}

void CodeEditor::wheelEvent(QWheelEvent *event)
{
    event->ignore();
}

} // namespace sandfish
