#pragma once

#include "core/protocol/lookinside.h"

#include <QObject>

namespace sandfish {

class Docks;
class DocumentArea;
class NotebookTab;
class ThemeSource;

/// Joins the variables dock with the notebook in front, and opens whole values as pages. Thread: GUI.
class VariableActs : public QObject
{
    Q_OBJECT
public:
    /// All outlive this.
    VariableActs(const ThemeSource *themes, DocumentArea *area, Docks *docks, QObject *parent = nullptr);

    /// What the page in front is has changed; \a tab is null where it is no notebook.
    void showFront(NotebookTab *tab);
    /// The current cell of the notebook in front has changed.
    void followCell(NotebookTab *tab);

private:
    void open(const VariableInfo &variable);

    const ThemeSource *m_themes;
    DocumentArea *m_area;
    Docks *m_docks;
};

} // namespace sandfish
