#pragma once

#include "tests/support/rawwebsocket.h"

#include <QJsonObject>
#include <QStringList>

namespace sandfish::test {

/// Daytona's control plane below /api, and the toolbox of its one sandbox "sb-1" with one context "c-1" below /toolbox.
/// The modes of FakeHttpServer are its faults; those of a run are in the script of the run.
class FakeDaytona : public FakeHttpServer
{
    Q_OBJECT
public:
    using Run = std::function<void(RawWebSocket *socket, const QJsonObject &message)>;

    explicit FakeDaytona(QObject *parent = nullptr);

    QUrl apiUrl() const { return url(QStringLiteral("/api")); }
    /// What the sandbox is at one question after the other; the last word stays.
    void setStates(const QStringList &states) { m_states = states; }
    /// A sandbox as the service describes it.
    QByteArray sandboxJson(const QString &state) const;

    /// What the code of a user meets; the adapter's own look into the interpreter is answered first.
    void setRun(Run run) { m_run = std::move(run); }
    /// A run that ends by \a frames and a close.
    void setFrames(const QList<QByteArray> &frames, int closeCode = 1000, const QByteArray &reason = {});
    /// What the look into the interpreter prints; a null text: it is never answered.
    void setWorker(const QByteArray &printed) { m_worker = printed; }
    /// Answers the wish for a socket in place of the socket.
    void setHandshake(const Reply &reply) { m_handshake = reply; }
    void acceptHandshakes() { m_handshake.reset(); }

    /// The messages with code of the user.
    const QList<QJsonObject> &runs() const { return m_runs; }
    QList<RawWebSocket *> sockets() const { return findChildren<RawWebSocket *>(); }
    int handshakeCount() const { return requestCount("GET", "/toolbox/sb-1/process/interpreter/execute"); }

    static QByteArray frame(const char *type, const QByteArray &text);
    static QByteArray errorFrame(const QByteArray &name, const QByteArray &value, const QByteArray &traceback);

private:
    Reply sandbox();
    Reply toolbox(const Request &request);
    Reply execute(const Request &request);
    void take(RawWebSocket *socket, const QByteArray &message);

    QStringList m_states{QStringLiteral("started")};
    std::optional<Reply> m_handshake;
    Run m_run;
    QByteArray m_worker = R"({"pid": 41, "started": "777", "version": "3.12.1"})";
    QList<QJsonObject> m_runs;
};

} // namespace sandfish::test
