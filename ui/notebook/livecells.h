#pragma once

#include "core/document/cell.h"
#include "ui/notebook/pagestyle.h"

#include <QHash>
#include <QObject>

#include <list>
#include <memory>

class QWidget;

namespace sandfish {

class CellItem;
class CodeDocument;
class CodeEditor;
class InputPrompt;
class NotebookDocument;

/// The widgets that stand on the page: the one live editor, and the prompts of cells that wait for input. Texts that
/// were edited lately keep their undo history while the editor is elsewhere. Thread: GUI.
class LiveCells : public QObject
{
    Q_OBJECT
public:
    /// The widgets become children of \a viewport; all arguments outlive this.
    LiveCells(NotebookDocument &document, PageStyle &style, QWidget *viewport);
    ~LiveCells() override;

    bool isEditing() const { return !m_edited.isEmpty(); }
    const CellId &edited() const { return m_edited; }
    /// Null until the first edit().
    CodeEditor *editor() const { return m_editor.get(); }
    /// Puts the editor on a cell; the caller gives it the focus and lays out.
    void edit(const CellId &id);
    /// Ends editing; the editor stays in sight until hideEditor(), so that the focus can be moved first.
    void leave() { m_edited = {}; }
    void hideEditor();
    /// Where the cursor of the editor stands in the source of the edited cell.
    int sourcePosition() const;

    /// The source of a cell may have changed elsewhere.
    void adoptSource(const CellId &id);
    /// Drops what belongs to cells that are gone.
    void dropMissing();
    void restyle();
    /// Makes or removes the prompt of a cell by its run.
    void syncPrompt(const Cell &cell);
    InputPrompt *prompt(const CellId &id) const { return m_prompts.value(id); }
    /// Updates the waiting times. True if there are prompts.
    bool updatePrompts();

    /// Tells the item how much room its widgets need.
    void prepare(const Cell &cell, CellItem &item) const;
    /// Moves the widgets of a cell to where it is; \a y is where its place begins in the viewport.
    void place(const CellId &id, const CellItem &item, qreal y);
    /// Of cells that are not seen: out of sight, but alive, so that keys and input methods go on.
    void placeOutOfSight(const CellId &id);
    const QHash<CellId, InputPrompt *> &prompts() const { return m_prompts; }

signals:
    void editorMade(sandfish::CodeEditor *editor);
    void roomChanged();
    void inputSubmitted(const sandfish::CellId &id, const QString &line);
    void inputEnded(const sandfish::CellId &id);
    void interruptRequested(const sandfish::CellId &id);
    void promptLeft();

private:
    struct Text;
    Text &textOf(const Cell &cell);
    void show(const Cell &cell);
    void makeEditor();
    void addPrompt(const Cell &cell);
    qreal wrapWidth() const;

    NotebookDocument &m_document;
    PageStyle &m_style;
    QWidget *m_viewport;
    CellId m_edited;
    std::list<Text> m_texts;                  // most recently edited first; outlive the editor, which shows one of them
    std::unique_ptr<CodeDocument> m_replaced; // the editor may still show it
    std::unique_ptr<CodeEditor> m_editor;
    QHash<CellId, InputPrompt *> m_prompts;
    bool m_isAdopting = false;
};

} // namespace sandfish
