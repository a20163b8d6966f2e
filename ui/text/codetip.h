#pragma once

#include "ui/text/popupbox.h"

namespace sandfish {

class CodeDocView;
struct Inspection;

/// The signature and the documentation of the call that is being written, or why there is none. Thread: GUI.
class CodeTip : public PopupBox
{
    Q_OBJECT
public:
    explicit CodeTip(QWidget *window);

    /// \a theme is borrowed until the next call.
    void setTheme(const Theme *theme);
    void showInspection(const Inspection &inspection);
    void showNote(const QString &text);
    /// \a line: the line that is being written, in the window's coordinates.
    void place(const QRect &line);
    CodeDocView *docs() const { return m_docs; }

private:
    CodeDocView *m_docs;
};

} // namespace sandfish
