#pragma once

#include "core/document/cell.h"

#include <QWidget>

class QListView;

namespace sandfish {

class NotebookDocument;
class OutlineModel;
class ThemeSource;

/// The dock of headings and cells of the notebook in front. Thread: GUI.
class OutlinePanel : public QWidget
{
    Q_OBJECT
public:
    /// \a source outlives the panel.
    explicit OutlinePanel(const ThemeSource *source, QWidget *parent = nullptr);

    void setDocument(NotebookDocument *document); ///< null: none
    void setCurrentCell(const CellId &id);
    QListView *list() const { return m_list; }

signals:
    void cellActivated(const sandfish::CellId &id);

private:
    void applyTheme();

    const ThemeSource *m_source;
    OutlineModel *m_model;
    QListView *m_list;
    CellId m_current;
};

} // namespace sandfish
