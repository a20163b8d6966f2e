#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace sandfish {

class ThemeSource;

/// The 34 px head of a dock: its title and small icon buttons. Thread: GUI.
class DockHead : public QWidget
{
    Q_OBJECT
public:
    DockHead(const ThemeSource *source, const QString &title, QWidget *parent = nullptr);

    /// \a icon: of resources/icons. \a tip is also its accessible name.
    QToolButton *addButton(const QString &icon, const QString &tip);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void applyTheme();

    const ThemeSource *m_source;
    QLabel *m_title;
    QHBoxLayout *m_row;
    QList<QToolButton *> m_buttons;
};

} // namespace sandfish
