#pragma once

#include "ui/notebook/cellactions.h"
#include "ui/notebook/cellcompletion.h"
#include "ui/notebook/cellpainter.h"
#include "ui/notebook/cellselection.h"
#include "ui/notebook/commandkeys.h"
#include "ui/notebook/livecells.h"
#include "ui/notebook/notebookpage.h"
#include "ui/notebook/notebookview.h"
#include "ui/notebook/pagestyle.h"

#include <QElapsedTimer>
#include <QTimer>

class QMenu;

namespace sandfish {

/// What is below a point of the viewport.
struct CellHit
{
    enum class Part
    {
        None,
        Gutter,
        RunButton,
        MoreButton,
        Code,
        Prose,
        FoldedOutputs,
        Action,
        Outputs,
        Body
    };
    Part part = Part::None;
    qsizetype index = -1;
    CellId id;
    QPointF inCell; ///< relative to the cell's place
};

/// State and steps of NotebookView; its files are parted by what makes them run: the document, events, keys, the menu.
struct NotebookView::Private
{
    Private(NotebookView *owner, NotebookDocument *notebook, const OutputRendererRegistry *renderers);

    // notebookview.cpp
    void connectDocument();
    void prepare(const Cell &cell, CellItem &item);
    void relayout();
    void scheduleRelayout();
    void flushLayout();
    void syncScrollBar();
    void placeWidgets();
    void outputsChanged(const std::vector<CellId> &ids);
    void runChanged(const CellId &id);
    void cellsRemoved(qsizetype first, qsizetype count);
    void setMode(Mode mode);
    void selectionMoved(bool hasCurrentChanged);
    void setCurrent(const CellId &id, bool extends = false);
    void showCell(const CellId &id);
    void showCaret();
    void showPrompt(const CellId &id);
    bool isWriting() const;
    void edit(const CellId &id);
    void applyTheme();
    void setBodyWidth();

    // notebookviewtimers.cpp
    bool hasVisibleRun() const;
    void syncTimers();
    void animate();
    void secondPassed();
    void updateMarks();
    void warmUpAfterFirstPaint();

    // notebookviewkeys.cpp
    bool run(CellCommand command);
    bool runSelecting(CellCommand command);
    bool runRunning(CellCommand command);
    bool runEditing(CellCommand command);
    bool runChangingCells(CellCommand command);
    bool makeHeading(CellCommand command);
    void goTo(qsizetype index, bool extends);
    bool filterEditorKey(const QKeyEvent &event);
    void step(int by, bool extends);
    void stepInto(int by);
    void split();
    void merge(std::vector<CellId> ids);
    void mergePair(qsizetype upper);
    void paste(qsizetype index);
    void turnPage(int direction);
    void undo();
    void redo();

    // notebookviewtext.cpp
    std::optional<TextPlace> textPlaceAt(const CellHit &hit);
    TextSelection selectionBetween(const CellHit &hit, const TextPlace &from, const TextPlace &to);
    void beginSelecting(const CellHit &hit);
    void selectTo(QPointF point);
    void selectWord(const CellHit &hit);
    void clearTextSelection();
    QString selectedText();
    void offerSelection();
    void applyFind();
    QRectF rectOf(const FindHit &hit, CellItem &item);

    // notebookviewmouse.cpp
    CellHit hitAt(QPointF point);
    void hover(const CellHit &hit);
    void press(const CellHit &hit, const QMouseEvent &event);
    void release(const CellHit &hit);
    void editAt(const CellHit &hit);
    void toggleRun(const CellId &id);
    void scrollByWheel(const QWheelEvent &event);
    QString tipOf(const CellHit &hit, const CellItem &item) const;
    void showMenu(const CellHit &hit, QPoint globalPosition);
    void addLanguages(QMenu &menu, const Cell &cell);
    void addOutputActs(QMenu &menu, const Cell &cell);
    void addRewindActs(QMenu &menu, const Cell &cell);
    void request(const OutputRequest &request);

    NotebookView *const q;
    NotebookDocument *const document;
    PageStyle style;
    CellSelection selection;
    NotebookPage page;
    LiveCells live;
    CellActions actions;
    CellCompletion completion;
    CommandKeys keys;
    Mode mode = Mode::Command;
    AnimationPhase phase;
    QElapsedTimer animationClock;
    QTimer frameTimer;  ///< moving marks, while something runs in view
    QTimer secondTimer; ///< counting texts, while something runs in view
    QTimer relayoutTimer;
    CellHit hovered;
    CellHit pressed;
    std::optional<TextPlace> selecting; ///< where a selection of text began
    CellId selectedCell;                ///< the one whose text is selected
    qreal wheelRest = 0;
    std::function<QString(const CellId &)> whyNoRewind;
    bool yieldsEscape = false;
    bool isPaused = false;
    bool isSyncingScrollBar = false;
    bool isRelayouting = false;
    bool hasPainted = false;
};

} // namespace sandfish
