#pragma once

#include "core/document/cell.h"

#include <QAbstractScrollArea>

#include <functional>
#include <memory>
#include <vector>

namespace sandfish {

class CellCompletion;
class CodeHelp;
class NotebookDocument;
class OutputRendererRegistry;
class Theme;
struct FindHit;
struct FindMarks;
struct OutputRequest;

/// The page of one notebook: idle cells are painted, one live editor stands where the user types (style.md §2.6, F).
/// Keys of command and edit mode are handled here; acts that need more than the document are signals. Thread: GUI.
class NotebookView : public QAbstractScrollArea
{
    Q_OBJECT
public:
    enum class Mode
    {
        Command,
        Edit
    };
    Q_ENUM(Mode)
    /// What Shift+Enter, Ctrl+Enter and Alt+Enter do after the run was asked for.
    enum class Advance
    {
        Stay,
        Next,
        Insert
    };

    NotebookView(NotebookDocument *document, const OutputRendererRegistry *renderers, QWidget *parent = nullptr);
    ~NotebookView() override;

    NotebookDocument *document() const;
    void setTheme(const Theme &theme);
    /// Who answers questions about the code that is being written; null: the words of the notebook alone.
    void setCodeHelp(CodeHelp *help);
    CellCompletion *completion() const;
    /// Of a longer output the last \a lines are shown.
    void setMaxShownLines(int lines);

    CellId currentCell() const;
    std::vector<CellId> selectedCells() const; ///< in document order, never empty unless the document is
    Mode mode() const;
    void setCurrentCell(const CellId &id); ///< scrolls it into view
    void editCurrentCell();
    void enterCommandMode();
    /// While true, Escape does not leave edit mode: a shortcut of the window has it, such as for an open question.
    void setYieldsEscape(bool yields);
    /// The sandbox is paused: cells that run say so, and no clock and no mark moves.
    void setPaused(bool isPaused);
    /// Says for a code cell why its context cannot be rewound to before its last run; empty: it can. Without it the
    /// menu of a cell does not offer to rewind.
    void setRewindCheck(std::function<QString(const CellId &)> whyNot);
    void scrollToCell(const CellId &id);
    /// Asks for a run of the selected cells and then advances.
    void runSelected(Advance advance);

    // Document acts on the selection, each one undo step.
    void insertCellAbove(Cell::Type type = Cell::Type::Code);
    void insertCellBelow(Cell::Type type = Cell::Type::Code);
    void deleteSelected();
    void moveSelectedUp();
    void moveSelectedDown();
    void copySelected();
    void cutSelected();
    void pasteBelow();
    void pasteAbove();
    void setSelectedType(Cell::Type type);
    void mergeSelected();
    void splitAtCursor(); ///< in edit mode
    void toggleOutputs();
    void selectAllCells();
    /// In edit mode the text of the cell, in command mode the acts on cells.
    void undo();
    void redo();
    /// The hits of a search that are marked; one of them may be the current one.
    void setFind(const FindMarks &marks);
    /// Brings a hit into view, unfolding outputs; the focus stays where it is.
    void showHit(const FindHit &hit);
    QString selectedText() const; ///< of outputs or rendered Markdown; empty: none is selected
    void copyOutputs();           ///< of the current cell, as text

    /// True once the first full paint was done: what the start-up benchmark waits for.
    bool hasPainted() const;

signals:
    void currentCellChanged(const sandfish::CellId &id);
    void selectionChanged();
    void modeChanged(sandfish::NotebookView::Mode mode);
    void runRequested(const std::vector<sandfish::CellId> &ids);
    void interruptRequested(const sandfish::CellId &id);
    void restartRequested();
    void rewindRequested(const sandfish::CellId &id); ///< to before its last run
    void branchRequested(const sandfish::CellId &id);
    void restartAboveRequested(const sandfish::CellId &id); ///< and run the cells above
    void inputSubmitted(const sandfish::CellId &id, const QString &line);
    void inputEnded(const sandfish::CellId &id);
    /// An output asks for something outside of the page: a viewer, a file, a link.
    void outputRequested(const sandfish::OutputRequest &request);
    void painted();

protected:
    bool event(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    friend class NotebookAccessible;
    friend class CellAccessible;
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace sandfish
