#pragma once

#include <QObject>
#include <QString>

#include <chrono>
#include <functional>

class QWidget;

namespace sandfish::bench {

/// Runs the event loop until \a isDone, asked whenever the loop has nothing to do; false after \a limit.
bool waitUntil(const std::function<bool()> &isDone, std::chrono::milliseconds limit = std::chrono::minutes(2));
/// Lets the event loop run for a while.
void rest(std::chrono::milliseconds time);

/// Tells when a widget has been painted and its picture handed to the window.
class PaintProbe : public QObject
{
public:
    PaintProbe(QWidget *widget, std::function<void()> painted);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    std::function<void()> m_painted;
};

/// Ends the engine of a state directory, also one that is just starting, and waits for it.
void stopEngine(const QString &stateDir);

} // namespace sandfish::bench
