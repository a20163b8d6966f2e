#pragma once

#include "core/protocol/executionevent.h"

#include <QDateTime>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace sandfish {

class Theme;

/// The box below a cell whose code waits for a line of input. Thread: GUI.
class InputPrompt : public QWidget
{
    Q_OBJECT
public:
    /// \a theme is borrowed until the next setTheme().
    InputPrompt(const InputRequest &request, const Theme &theme, QWidget *parent = nullptr);

    const InputRequest &request() const { return m_request; }
    void setTheme(const Theme &theme);
    /// Updates the waiting time.
    void setWaiting(std::chrono::seconds waiting);
    void takeFocus();
    bool hasFocusInside() const;

signals:
    void submitted(const QString &line);
    void ended();
    void interruptRequested();
    /// Esc: the user leaves the field, the request stays.
    void left();

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void submit();

    InputRequest m_request;
    const Theme *m_theme;
    QLabel *m_icon;
    QLabel *m_title;
    QLabel *m_waiting;
    QLabel *m_prompt;
    QLineEdit *m_field;
    QPushButton *m_send;
    QPushButton *m_end;
    QPushButton *m_interrupt;
};

} // namespace sandfish
