#pragma once

#include "ui/panels/sessionstatus.h"

#include <QAbstractButton>

namespace sandfish {

class ThemeSource;

/// Pause and resume in one place with one width (DESIGN.md §3.2): four states, and one where it cannot.
///
/// Shows the status it is given; a click emits pauseRequested() or resumeRequested() and never
/// changes the look by itself. Thread: GUI.
class PauseButton : public QAbstractButton
{
    Q_OBJECT
public:
    enum class State
    {
        Running,
        Pausing,
        Paused,
        Resuming,
        Cannot
    };
    Q_ENUM(State)

    /// \a source outlives the button.
    explicit PauseButton(const ThemeSource *source, QWidget *parent = nullptr);

    void setStatus(const SessionStatus &status);
    State state() const { return m_state; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void pauseRequested();
    void resumeRequested();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void refreshTexts();
    void setTexts(const QString &label, const QString &tip, const QString &spoken);
    void emitRequest();

    const ThemeSource *m_source;
    SessionStatus m_status;
    State m_state = State::Cannot;
};

} // namespace sandfish
