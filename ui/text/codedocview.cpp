#include "ui/text/codedocview.h"

#include "ui/text/theme.h"

#include <QScrollBar>
#include <QTextBlock>
#include <QTextCursor>

#include <algorithm>
#include <cmath>
#include <memory>

namespace sandfish {
namespace {

constexpr int kDocMarginPx = 10;

QString boundedText(const std::string &text)
{
    QString whole = QString::fromStdString(text);
    if (whole.size() > CodeDocView::kMaxChars)
        whole = whole.left(CodeDocView::kMaxChars) + QChar(0x2026);
    return whole;
}

QTextCharFormat docFormat(const QFont &font, const QColor &color)
{
    QTextCharFormat format;
    format.setFont(font);
    format.setForeground(color);
    return format;
}

} // namespace

CodeDocView::CodeDocView(QWidget *parent)
    : QTextEdit(parent)
{
    setReadOnly(true);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setFocusPolicy(Qt::NoFocus);
    setFrameShape(QFrame::NoFrame);
    setUndoRedoEnabled(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(kDocMarginPx);
    setAccessibleName(tr("Documentation"));
}

void CodeDocView::setTheme(const Theme *theme)
{
    m_theme = theme;
    QPalette colours = theme->palette();
    colours.setColor(QPalette::Base, theme->color(ColorToken::Raised));
    setPalette(colours);
}

void CodeDocView::showInspection(const Inspection &inspection)
{
    clear();
    if (!m_theme)
        return;
    QTextCursor cursor(document());
    const QTextCharFormat code = docFormat(m_theme->codeSmallFont(), m_theme->color(ColorToken::Text));
    const QTextCharFormat name = docFormat(m_theme->codeSmallFont(), m_theme->color(ColorToken::Function));
    const QTextCharFormat quiet = docFormat(m_theme->smallFont(), m_theme->color(ColorToken::Text2));
    const QString signature = boundedText(inspection.signature);
    const qsizetype open = std::max<qsizetype>(0, signature.indexOf(u'('));
    cursor.insertText(signature.left(open), name);
    cursor.insertText(signature.mid(open), code);
    if (signature.isEmpty())
        cursor.insertText(boundedText(inspection.name), name);
    if (signature.isEmpty() && !inspection.type.empty())
        cursor.insertText(QStringLiteral(": ") + boundedText(inspection.type), code);
    if (!inspection.value.empty()) {
        cursor.insertBlock();
        cursor.insertText(boundedText(inspection.value), code);
    }
    if (!inspection.doc.empty()) {
        QTextBlockFormat apart;
        apart.setTopMargin(7);
        cursor.insertBlock(apart);
        // Line ends of documentation stay: tables and examples in it are laid out by them.
        cursor.insertText(boundedText(inspection.doc).replace(u'\n', QChar(QChar::LineSeparator)), quiet);
    }
    verticalScrollBar()->setValue(0);
}

void CodeDocView::showNote(const QString &text)
{
    clear();
    if (m_theme)
        QTextCursor(document()).insertText(text, docFormat(m_theme->smallFont(), m_theme->color(ColorToken::Text2)));
}

void CodeDocView::scrollPage(int direction)
{
    QScrollBar *bar = verticalScrollBar();
    bar->setValue(bar->value() + direction * std::max(1, bar->pageStep() - bar->singleStep()));
}

int CodeDocView::heightFor(int widthPx) const
{
    std::unique_ptr<QTextDocument> copy(document()->clone());
    copy->setTextWidth(widthPx);
    return int(std::ceil(copy->size().height()));
}

} // namespace sandfish
