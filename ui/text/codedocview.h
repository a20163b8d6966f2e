#pragma once

#include "core/protocol/lookinside.h"

#include <QTextEdit>

namespace sandfish {

class Theme;

/// What a kernel knows of an object, as plain text: its signature, its value, its documentation. Never takes the focus.
/// Thread: GUI.
class CodeDocView : public QTextEdit
{
    Q_OBJECT
public:
    /// Of longer documentation the beginning is shown.
    static constexpr qsizetype kMaxChars = 20'000;

    explicit CodeDocView(QWidget *parent = nullptr);

    /// \a theme is borrowed until the next call.
    void setTheme(const Theme *theme);
    void showInspection(const Inspection &inspection);
    void showNote(const QString &text);
    void scrollPage(int direction);
    /// The height that shows the whole text at \a widthPx.
    int heightFor(int widthPx) const;

private:
    const Theme *m_theme = nullptr;
};

} // namespace sandfish
