#pragma once

#include <QRect>
#include <QWidget>

namespace sandfish {

class Theme;

/// The box of a popup inside its window: raised fill, one control edge, 7 px radius (DESIGN.md §2.3). It is a child and
/// no window of its own, so that it never takes keys or the focus from the editor below. Thread: GUI.
class PopupBox : public QWidget
{
    Q_OBJECT
public:
    /// \a theme is borrowed until the next setTheme() of a derived class.
    explicit PopupBox(QWidget *window);

    /// Where a box of \a size stands: below \a line, above it where there is more room, inside \a bounds.
    static QRect placed(QSize size, const QRect &line, const QRect &bounds);

protected:
    void setBoxTheme(const Theme *theme);
    const Theme *boxTheme() const { return m_theme; }
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme *m_theme = nullptr;
};

} // namespace sandfish
