#pragma once

#include "ui/text/coderows.h"

#include <QPlainTextDocumentLayout>
#include <QTextDocument>

#include <memory>
#include <optional>

namespace sandfish {

class EditorHighlighter;
class Theme;

/// Sets the blocks of a plain text document on the grid of LineStyle, where QPlainTextEdit would set them as tight as
/// the font allows. Row counts live in the blocks, so positions and height are O(log n). Thread: GUI.
class CodeDocumentLayout : public QPlainTextDocumentLayout
{
    Q_OBJECT
public:
    explicit CodeDocumentLayout(QTextDocument *document);

    void setLineStyle(const LineStyle &style);
    /// Counts the rows of blocks whose layout is gone: the editor drops all when its width or its document changes.
    void restoreRows();
    qreal linePx() const { return m_rows ? m_rows->style().linePx : 0; }
    qreal height() const; ///< of all rows, logical px
    QRectF blockBoundingRect(const QTextBlock &block) const override;

signals:
    void heightChanged();

protected:
    void documentChanged(int from, int charsRemoved, int charsAdded) override;

private:
    void countRows(QTextBlock block) const;
    void layOut(QTextBlock block) const;
    bool isOnGrid(const QTextBlock &block) const;

    std::optional<CodeRows> m_rows;
    qreal m_baselinePx = 0;
    int m_lastRowCount = 0;
};

/// The text of one cell as it is being edited: lives on with its undo history while the editor shows another cell.
class CodeDocument : public QTextDocument
{
    Q_OBJECT
public:
    /// \a theme is borrowed until the next setTheme().
    CodeDocument(
        const QString &text, const QString &language, const Theme &theme, qreal widthPx, QObject *parent = nullptr);
    ~CodeDocument() override;

    CodeDocumentLayout *codeLayout() const { return m_layout; }
    const QString &language() const { return m_language; }
    void setLanguage(const QString &language);
    void setTheme(const Theme &theme, qreal widthPx);
    /// Takes a text that was changed elsewhere: replaces what differs, as one step of undo.
    void adoptText(const QString &text);

private:
    CodeDocumentLayout *m_layout;
    EditorHighlighter *m_highlighter;
    QString m_language;
};

} // namespace sandfish
