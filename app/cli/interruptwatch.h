#pragma once

#include <QObject>
#include <QSocketNotifier>

namespace sandfish {

/// Signals as events of the loop. There is one at a time.
///
/// A third SIGINT, or a second SIGTERM or SIGHUP, ends the program at once, even while it waits for a reader.
class InterruptWatch : public QObject
{
    Q_OBJECT
public:
    explicit InterruptWatch(QObject *parent = nullptr);
    ~InterruptWatch() override;

signals:
    void interrupted();              ///< the first Ctrl+C
    void leaveAsked(int exitStatus); ///< the second one, SIGTERM or SIGHUP; 128 + the signal

private:
    void read();

    int m_ends[2] = {-1, -1};
    QSocketNotifier *m_notifier = nullptr;
    int m_interruptCount = 0;
};

} // namespace sandfish
