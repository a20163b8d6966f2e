#include "ui/outputs/documentpolish.h"

#include "ui/text/colorcontrast.h"
#include "ui/text/theme.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFragment>
#include <QTextTable>

#include <vector>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qreal kCellSidePx = 14;
constexpr qreal kCellTopPx = 2;
constexpr qreal kIndentPx = 20;

class Polisher
{
public:
    Polisher(QTextDocument &document, const Theme &theme)
        : m_document(document)
        , m_theme(theme)
    {
    }

    void run()
    {
        m_document.setIndentWidth(kIndentPx);
        // Without an edit block every change would have the layout look for the cursor's line again.
        QTextCursor edit(&m_document);
        edit.beginEditBlock();
        polishFrame(*m_document.rootFrame());
        for (QTextBlock block = m_document.begin(); block.isValid(); block = block.next())
            polishFragments(block);
        edit.endEditBlock();
    }

private:
    void polishFrame(QTextFrame &frame)
    {
        const auto children = frame.childFrames();
        for (QTextFrame *child : children) {
            if (auto *table = qobject_cast<QTextTable *>(child))
                polishTable(*table);
            polishFrame(*child);
        }
    }

    void polishTable(QTextTable &table)
    {
        QTextTableFormat format = table.format();
        format.setBorder(0);
        format.setBorderCollapse(true);
        format.setCellSpacing(0);
        format.setCellPadding(0);
        format.setTopMargin(2);
        format.setBottomMargin(6);
        table.setFormat(format);
        for (int row = 0; row < table.rows(); ++row) {
            for (int column = 0; column < table.columns(); ++column) {
                QTextTableCell cell = table.cellAt(row, column);
                if (cell.row() == row && cell.column() == column)
                    polishCell(cell, row == 0);
            }
        }
    }

    void polishCell(QTextTableCell &cell, bool isFirstRow)
    {
        dropEmptyFirstBlock(cell);
        const bool isHeader = isFirstRow;
        for (auto it = cell.begin(); !it.atEnd(); ++it) {
            const QTextBlock block = it.currentBlock();
            if (!block.isValid())
                continue;
            QTextBlockFormat format = block.blockFormat();
            format.setTopMargin(0);
            format.setBottomMargin(0);
            format.setLineHeight(m_theme.linePx(TextStyle::Small), QTextBlockFormat::MinimumHeight);
            QTextCursor(block).setBlockFormat(format);
            setFontSize(block, isHeader);
        }
        QTextTableCellFormat format = cell.format().toTableCellFormat();
        format.setPadding(kCellTopPx);
        format.setLeftPadding(kCellSidePx);
        format.setRightPadding(kCellSidePx);
        format.setBorder(0);
        format.setBottomBorder(1);
        format.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBottomBorderBrush(m_theme.color(isHeader ? ColorToken::Control : ColorToken::Border));
        cell.setFormat(format);
    }

    // The reader of Markdown leaves an empty paragraph in the first cell of a table.
    static void dropEmptyFirstBlock(QTextTableCell &cell)
    {
        QTextCursor cursor = cell.firstCursorPosition();
        if (cursor.block().length() == 1 && cursor.position() < cell.lastCursorPosition().position())
            cursor.deleteChar();
    }

    void setFontSize(const QTextBlock &block, bool isHeader)
    {
        QTextCharFormat format;
        format.setProperty(QTextFormat::FontPixelSize, m_theme.smallFont().pixelSize());
        if (isHeader) {
            format.setFontWeight(QFont::DemiBold);
            format.setForeground(m_theme.color(ColorToken::Text2));
        }
        QTextCursor cursor(block);
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(format);
    }

    void polishFragments(const QTextBlock &block)
    {
        struct Piece
        {
            int position;
            int length;
            QTextCharFormat format;
        };
        std::vector<Piece> pieces; // changing a format moves the fragments
        for (auto it = block.begin(); !it.atEnd(); ++it)
            pieces.push_back({it.fragment().position(), it.fragment().length(), it.fragment().charFormat()});
        for (Piece &piece : pieces) {
            if (piece.format.isImageFormat() || !polishText(piece.format, block))
                continue;
            QTextCursor cursor(&m_document);
            cursor.setPosition(piece.position);
            cursor.setPosition(piece.position + piece.length, QTextCursor::KeepAnchor);
            cursor.setCharFormat(piece.format);
        }
    }

    // The reader of HTML names a family for code, that of Markdown sets the pitch.
    static bool isCode(const QTextCharFormat &format)
    {
        const QString family = format.fontFamilies().toStringList().value(0);
        return format.fontFixedPitch() || family.startsWith("Courier"_L1) || family == "monospace"_L1;
    }

    /// True if anything changed.
    bool polishText(QTextCharFormat &format, const QTextBlock &block)
    {
        const QTextCharFormat before = format;
        if (isCode(format) && format.fontFamilies() != m_theme.codeFont().families())
            format.setFontFamilies(m_theme.codeFont().families());
        if (format.fontWeight() > QFont::DemiBold)
            format.setFontWeight(QFont::DemiBold);
        const QColor ink = format.hasProperty(QTextFormat::ForegroundBrush) ? format.foreground().color()
                                                                            : m_theme.color(ColorToken::Text);
        const QColor legible = legibleOn(groundOf(format, block), ink);
        if (legible != ink)
            format.setForeground(legible);
        return format != before;
    }

    QColor groundOf(const QTextCharFormat &format, const QTextBlock &block) const
    {
        if (format.hasProperty(QTextFormat::BackgroundBrush))
            return format.background().color();
        if (block.blockFormat().hasProperty(QTextFormat::BackgroundBrush))
            return block.blockFormat().background().color();
        if (const auto *table = qobject_cast<QTextTable *>(QTextCursor(block).currentFrame())) {
            const QTextCharFormat cell = table->cellAt(block.position()).format();
            if (cell.hasProperty(QTextFormat::BackgroundBrush))
                return cell.background().color();
        }
        return m_theme.color(ColorToken::Canvas);
    }

    QTextDocument &m_document;
    const Theme &m_theme;
};

} // namespace

void polishDocument(QTextDocument &document, const Theme &theme)
{
    Polisher(document, theme).run();
}

} // namespace sandfish
