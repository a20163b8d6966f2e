#pragma once

#include "ui/text/completionlist.h"
#include "ui/text/popupbox.h"

#include <optional>

class QListView;

namespace sandfish {

class CodeDocView;

/// Completions below the line that is being written, with the documentation of the chosen one beside them
/// (DESIGN.md §3.10). It shows and chooses; keys come from the editor's owner. Thread: GUI.
class CompletionPopup : public PopupBox
{
    Q_OBJECT
public:
    explicit CompletionPopup(QWidget *window);

    /// \a theme is borrowed until the next call.
    void setTheme(const Theme *theme);
    /// \a foot tells where the entries come from. \a hasDocs: a pane for documentation stands beside the list.
    void open(std::vector<CompletionEntry> entries, const QString &prefix, const QString &foot, bool hasDocs);
    /// False if nothing begins with it.
    bool setPrefix(const QString &prefix);
    /// \a line: where the text to be completed stands, in the window's coordinates.
    void place(const QRect &line);
    std::optional<CompletionEntry> current() const;
    void step(int by);
    void stepPage(int direction);
    CodeDocView *docs() const { return m_docs; }
    QListView *list() const { return m_list; }
    const QString &foot() const { return m_foot; }
    int count() const { return m_model->rowCount(); }

signals:
    void currentChanged();
    void chosen(); ///< by the pointer

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void choose(int row);
    int listHeightPx() const;
    void arrange();

    CompletionModel *m_model;
    CompletionDelegate *m_delegate;
    QListView *m_list;
    CodeDocView *m_docs;
    QString m_foot;
    int m_listWidthPx = 0;
    bool m_hasDocs = false;
};

} // namespace sandfish
