#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <memory>
#include <string>

namespace sandfish {

/// Lines of standard input for code that asks for them, read when one is asked for and not before.
class InputReader : public QObject
{
    Q_OBJECT
public:
    enum class Echo
    {
        Shown,
        Hidden ///< as for a password; on a terminal only
    };

    explicit InputReader(QObject *parent = nullptr);
    ~InputReader() override;

    /// Ends with lineCame() or ended(). A call while one is asked for already is ignored.
    void askLine(Echo echo);
    /// The line is not wanted any more. What was read is kept for the next one.
    void stop();

signals:
    void lineCame(const std::string &line); ///< without its LF
    void ended();                           ///< there is no more input

private:
    void read();
    void deliver();
    void setEcho(Echo echo);

    std::unique_ptr<QSocketNotifier> m_notifier;
    std::string m_buffer;
    bool m_isAsked = false;
    bool m_hasEnded = false;
    bool m_isEchoHidden = false;
};

} // namespace sandfish
