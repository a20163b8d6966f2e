#pragma once

#include "core/document/cell.h"

#include <QObject>

namespace sandfish {

class DocumentArea;
class NotebookTab;
struct AppContext;
struct OutputRequest;

/// Does what outputs ask for outside of the page: the whole text in a tab or a file, links, cells. Thread: GUI.
class OutputActs : public QObject
{
    Q_OBJECT
public:
    /// Everything outlives the object; \a window is the parent of its dialogs.
    OutputActs(const AppContext &context, DocumentArea *area, QWidget *window);

    void perform(NotebookTab *tab, const OutputRequest &request);
    /// Asks for the limits of long outputs.
    void changeLimits();

private:
    void openViewer(NotebookTab *tab, const Cell &cell, const Output &output);
    void saveToFile(NotebookTab *tab, const Output &output);
    void openLink(const QString &link);
    void goToCell(NotebookTab *tab, int executionCount);

    const AppContext &m_context;
    DocumentArea *m_area;
    QWidget *m_window;
};

} // namespace sandfish
