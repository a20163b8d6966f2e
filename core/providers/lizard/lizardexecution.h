#pragma once

#include "core/net/httpstream.h"
#include "core/protocol/wirerecord.h"
#include "core/providers/execution.h"

#include <QTimer>

#include <memory>
#include <string_view>

namespace sandfish {

class LizardContext;
class LizardLink;

/// One run over `POST /execute`. It is complete when its `done` record has come; a stream that ends without one is
/// taken up again where the engine offers that, and is lost otherwise (protocols.md §6.4). Owned by its context.
class LizardExecution : public Execution
{
    Q_OBJECT
public:
    LizardExecution(std::shared_ptr<LizardLink> link, ExecuteRequest request, LizardContext *context);
    ~LizardExecution() override;

    void start();
    /// A remark that comes before all output.
    void announce(std::string text);
    void end(const ExecutionSummary &summary);
    /// The kernel was restarted or rewound: what ends now was interrupted, and nothing is waited for longer than
    /// \a grace.
    void endSoonAsInterrupted(std::chrono::milliseconds grace, const std::string &reason);
    void sendInput(const std::string &line) override;
    void endInput() override;

private:
    void findAndPost();
    void post(const QUrl &base);
    void openStream(const HttpCall &call);
    HttpStream::Flow take(std::string_view line);
    void takeDecoded(Result<WireRecord> record);
    void takeEvent(ExecutionEvent event);
    void takeUnknown(std::string_view line);
    void endTurn();
    void settle(const Result<> &result);
    void settleFailure(const Error &error);
    bool mayFindAgain(const Error &error) const;
    bool resumeStream(const Error &error);
    void reopen();
    void lose(const Error &error);
    void endDone(const WireDone &done);
    void answerInput(std::string body);
    void expire();

    std::shared_ptr<LizardLink> m_link;
    ExecuteRequest m_request;
    LizardContext *m_context;
    std::unique_ptr<HttpStream> m_stream;
    std::vector<ExecutionEvent> m_events; // of this drain turn
    std::optional<WireDone> m_done;
    QUrl m_base;
    std::string m_executionId;
    std::uint64_t m_lastSequence = 0;
    std::size_t m_reopenCount = 0;
    QTimer m_timer;
    bool m_hasError = false;
    bool m_hasBadRecord = false;
    bool m_hasShownBadRecord = false;
    bool m_hasFoundAgain = false;
    std::string m_brokenOff; ///< why nothing more may come; empty: it may
};

} // namespace sandfish
