#pragma once

#include "core/base/lineframer.h"
#include "core/base/result.h"
#include "core/net/drain.h"
#include "core/net/httpcall.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

class QNetworkAccessManager;
class QNetworkReply;

namespace sandfish {

/// Connections for streams. Qt runs six requests per host and manager and lets the seventh wait for ever, so a manager
/// is shared by five streams at most. Thread: the owner's.
class HttpStreamPool
{
public:
    static constexpr int kStreamsPerManager = 5;

    HttpStreamPool();
    ~HttpStreamPool();
    /// Keep it while the stream runs.
    std::shared_ptr<QNetworkAccessManager> lease();

private:
    std::vector<std::shared_ptr<QNetworkAccessManager>> m_managers;
};

/// One request whose answer is a stream of lines (NDJSON). Sent once, never repeated. Thread: the owner's.
///
/// A call in order: open() → opened() → the line handler, for at most 4 ms a turn, each turn followed by turnEnded()
/// → finished(). Bytes that are not handed out yet stay in a buffer of 1 MiB; when it is full the peer has to wait, so
/// no output is lost and memory stays bounded. A line may be as long as LineFramer allows.
class HttpStream : public QObject
{
    Q_OBJECT
public:
    enum class Flow
    {
        GoOn,
        Wait ///< no more lines until proceed()
    };
    using LineHandler = std::function<Flow(std::string_view line)>;

    HttpStream(HttpStreamPool &pool, LineHandler handler, QObject *parent = nullptr);
    ~HttpStream() override;

    /// Call it once. \a call.timeout bounds the time until the request is sent; the answer may be silent for any time.
    void open(const HttpCall &call);
    void proceed();
    /// Closes the connection; finished() does not come any more.
    void abort();
    /// False only if it is certain that the service has seen nothing of the request.
    bool mayHaveArrived() const { return m_mayHaveArrived; }

signals:
    void opened();    ///< a head with a status of 200–299 has come
    void turnEnded(); ///< after a turn that handed out lines
    /// Once. An error if the status was another one, or the body broke off; a body may end in good order and lack the
    /// end marker of its protocol, which is the reader's to notice.
    void finished(const sandfish::Result<> &result);

private:
    void readHead();
    Drain::Step step();
    bool readSome();
    void endTurn();
    void end(const Result<> &result);
    Result<> outcome();
    void dropReply();

    std::shared_ptr<QNetworkAccessManager> m_manager;
    LineHandler m_handler;
    Drain m_drain;
    LineFramer m_framer;
    QTimer m_sendTimer;
    QNetworkReply *m_reply = nullptr;
    HttpCall m_call;
    HttpAnswer m_answer; // of a refusal: its body
    Result<> m_result;
    bool m_isOpen = false;
    bool m_hasLines = false;
    bool m_isWaiting = false;
    bool m_isBodyComplete = false;
    bool m_isEnding = false;
    bool m_mayHaveArrived = false;
};

} // namespace sandfish
