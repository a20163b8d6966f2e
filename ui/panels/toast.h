#pragma once

#include <QTimer>
#include <QWidget>

#include <chrono>
#include <functional>

class QLabel;
class QPushButton;

namespace sandfish {

class ThemeSource;

/// One line at the bottom left of the centre area for acts that can be undone (DESIGN.md §3.5): stays 6 s, 10 s with an
/// action, and as long as the pointer or the focus is on it. Thread: GUI.
class Toast : public QWidget
{
    Q_OBJECT
public:
    /// Floats over \a area and moves with it.
    Toast(const ThemeSource *source, QWidget *area);

    void showText(const QString &text);
    void showText(const QString &text, const QString &actionText, std::function<void()> action);
    /// How long it still stays; negative: as long as the pointer or the focus is on it, or it is hidden.
    std::chrono::milliseconds timeLeft() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void place();
    void applyTheme();
    void runAction();
    void hold();
    void letGo();

    const ThemeSource *m_source;
    QLabel *m_label;
    QPushButton *m_button;
    std::function<void()> m_action;
    QTimer m_timer;
    std::chrono::milliseconds m_timeLeft{0}; ///< while it is held
    bool m_isPointed = false;
};

} // namespace sandfish
