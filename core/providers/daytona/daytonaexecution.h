#pragma once

#include "core/net/messagesocket.h"
#include "core/providers/daytona/daytonacodec.h"
#include "core/providers/daytona/daytonaoutcome.h"
#include "core/providers/execution.h"

#include <QElapsedTimer>
#include <QTimer>

#include <memory>
#include <string_view>
#include <vector>

namespace sandfish {

class DaytonaContext;
class DaytonaLink;

/// One run over a socket of its own (protocols.md §3.6). The code is sent once, after the socket is open; until then a
/// failed connection is tried again, afterwards never. Owned by its context.
class DaytonaExecution : public Execution
{
    Q_OBJECT
public:
    /// Whose code it is: that of the user, or of the adapter, whose troubles are nobody's news.
    enum class Origin
    {
        User,
        Adapter
    };

    DaytonaExecution(std::shared_ptr<DaytonaLink> link, ExecuteRequest request, Origin origin, DaytonaContext *context);
    ~DaytonaExecution() override;

    void start();
    /// A remark that comes before all output.
    void announce(std::string text);
    void end(const ExecutionSummary &summary);
    /// An interrupt was sent: the end that comes is the user's.
    void setInterruptAsked(bool isAsked) { m_trace.isInterruptAsked = isAsked; }
    /// The context was restarted: what ends now was interrupted, and nothing is waited for longer than \a grace.
    void endSoonAsInterrupted(std::chrono::milliseconds grace);
    const Daytona::RunTrace &trace() const { return m_trace; }
    Origin origin() const { return m_origin; }
    /// There is no standard input here.
    void sendInput(const std::string &) override { }
    void endInput() override { }

private:
    void open();
    void openSocket(const QUrl &toolbox);
    void sendCode();
    MessageSocket::Flow take(std::string_view message);
    void takeFrame(Result<Daytona::Frame> frame);
    void takeEvent(ExecutionEvent event);
    void endTurn();
    void settle(const Result<SocketClose> &close);
    void diagnose(const Error &failure);
    void diagnoseToolbox(const Error &failure);
    void openAgainOr(const Error &error);
    void checkSandbox();
    void refuse(const Error &error);
    void lose(const Error &error);

    std::shared_ptr<DaytonaLink> m_link;
    ExecuteRequest m_request;
    Origin m_origin;
    DaytonaContext *m_context;
    std::unique_ptr<MessageSocket> m_socket;
    std::vector<ExecutionEvent> m_events; // of this drain turn
    Daytona::RunTrace m_trace;
    QTimer m_limit;
    QElapsedTimer m_sinceSent;
    int m_openTries = 0;
    int m_failedChecks = 0;
    bool m_isSent = false;
    bool m_isChecking = false;
    bool m_hasBadFrame = false;
    bool m_wasRestarted = false;
};

} // namespace sandfish
