#pragma once

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QToolButton;

namespace sandfish {

class Actions;
class ContextChip;
class PauseButton;
class SearchButton;
class ThemeSource;
struct SessionStatus;

/// The toolbar (DESIGN.md §3.2): Run, Interrupt, Restart, Run all, Pause, context chip, search. Thread: GUI.
class WindowToolBar : public QWidget
{
    Q_OBJECT
public:
    WindowToolBar(const ThemeSource *source, Actions *actions, QWidget *parent);

    PauseButton *pauseButton() const { return m_pause; }
    ContextChip *contextChip() const { return m_chip; }
    SearchButton *searchButton() const { return m_search; }
    void setStatus(const SessionStatus &status);
    /// Labels and segments for a window of this width (DESIGN.md §4.1).
    void setWindowWidth(int widthPx);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void addButtons(QHBoxLayout *row);
    void applyTheme();

    const ThemeSource *m_source;
    Actions *m_actions;
    PauseButton *m_pause;
    ContextChip *m_chip;
    SearchButton *m_search;
    std::vector<QToolButton *> m_buttons; ///< in the order of kButtons
    bool m_hasLabels = true;
};

} // namespace sandfish
