#pragma once

#include <QObject>
#include <QString>

#include <string>
#include <string_view>

namespace sandfish {

/// Standard output and standard error. A write waits until the reader has taken it, which in turn holds the sandbox
/// back when the reader is slow. Thread: the main one.
class Console : public QObject
{
    Q_OBJECT
public:
    enum class Channel
    {
        Out,
        Error
    };
    enum class Loss
    {
        None,
        ReaderLeft, ///< the other end of the pipe was closed, as `head` does
        Failed      ///< such as a full disk
    };

    explicit Console(QObject *parent = nullptr);

    void write(Channel channel, std::string_view bytes);
    void writeLine(Channel channel, const QString &line);
    /// A sentence about this program itself, on standard error.
    void tell(const QString &sentence);

    bool isTerminal(Channel channel) const;
    /// A terminal that may be sent colours (NO_COLOR and TERM=dumb are obeyed).
    bool hasColours(Channel channel) const;
    /// Nothing was written yet, or an LF last.
    bool isAtLineStart(Channel channel) const { return state(channel).isAtLineStart; }
    Loss loss() const { return m_loss; }
    const QString &lossReason() const { return m_lossReason; }

signals:
    /// Standard output takes no more; what is written from now on goes nowhere. Once, from the event loop.
    void lost();

private:
    struct State
    {
        bool isTerminal = false;
        bool isAtLineStart = true;
    };

    const State &state(Channel channel) const { return channel == Channel::Out ? m_out : m_error; }
    void noteLoss(int error);

    State m_out;
    State m_error;
    Loss m_loss = Loss::None;
    QString m_lossReason;
};

} // namespace sandfish
