#pragma once

#include "ui/text/bracketpairs.h"
#include "ui/text/textfind.h"

#include <QAbstractTextDocumentLayout>
#include <QPlainTextEdit>
#include <QTextLayout>

namespace sandfish {

class CodeDocument;
class Theme;

/// The live editor of a cell: shows a CodeDocument without frame, margins or scroll bars, as tall as its text, so that
/// it can stand exactly where the idle cell painted the same code. Wheel turns go to the parent. Thread: GUI.
class CodeEditor : public QPlainTextEdit
{
    Q_OBJECT
public:
    explicit CodeEditor(QWidget *parent = nullptr);

    /// Borrows both; \a document must outlive the editor or its next call, \a theme the next setTheme().
    void showDocument(CodeDocument *document);
    CodeDocument *codeDocument() const { return m_document; }
    void setTheme(const Theme &theme);
    /// A text that is shown in part is not edited; the cursor and the selection work as ever.
    void setTextIsFixed(bool isFixed);
    /// The hits that are marked in the text.
    void setFind(const TextFind &find);
    /// Logical px of all rows.
    qreal textHeight() const;

    /// True while an input method composes: keys belong to it then.
    bool isComposing() const;
    bool isOnFirstRow() const;
    bool isOnLastRow() const;
    /// The offset in the text nearest to \a point of the viewport.
    int positionAt(QPoint point) const;
    void placeCursor(int position);
    /// Puts the cursor on the first or last row, as near to \a x (of the editor) as the text allows.
    void placeCursorOnRow(bool isLast, qreal x);

signals:
    /// Emitted after each change of the text, not after changes of its colours.
    void sourceEdited(const QString &source);
    void heightChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    /// Refuses what would make a line too long to be laid out in time, and says so.
    void insertFromMimeData(const QMimeData *mimeData) override;

private:
    using PaintContext = QAbstractTextDocumentLayout::PaintContext;
    bool makesLongLine(QStringView inserted) const;
    bool handleEditingKey(const QKeyEvent &event);
    void noteEdit();
    void paintBlock(QPainter &painter, const QTextBlock &block, const PaintContext &context);
    void paintSelection(QPainter &painter, const QTextBlock &block, int start, int end) const;
    QList<QTextLayout::FormatRange> legibleComments(const QTextLayout &layout, int start, int end) const;
    QPointF snappedToRow(QPointF point) const;
    QMouseEvent snappedToRow(const QMouseEvent &event) const;

    CodeDocument *m_document = nullptr;
    const Theme *m_theme = nullptr;
    QString m_lastSource;
    BracketPairs m_brackets;
    TextFind m_find;
};

} // namespace sandfish
