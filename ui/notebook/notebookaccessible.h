#pragma once

namespace sandfish {

class NotebookView;

/// Makes assistive tools see the cells of every NotebookView as items of a list, painted or live (DESIGN.md §7).
/// Repeated calls do nothing. Thread: GUI.
void installNotebookAccessibility();

/// Tells assistive tools that another cell has the cursor.
void notifyCurrentCell(NotebookView *view);

} // namespace sandfish
