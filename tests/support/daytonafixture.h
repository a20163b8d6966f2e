#pragma once

#include "tests/support/enginefixture.h"

#include <QWebSocket>

namespace sandfish {

/// One socket of the interpreter: what came on it, and how it was closed.
class DaytonaSocket : public QObject
{
    Q_OBJECT
public:
    /// Connects with the header \a name: \a value, if it has a name.
    explicit DaytonaSocket(const QUrl &url, const QByteArray &name = {}, const QByteArray &value = {});

    /// Waits for the handshake; false when it is refused.
    [[nodiscard]] bool waitForOpen();
    void send(const QJsonObject &request);
    /// Waits until the server has closed it; false after 30 s.
    [[nodiscard]] bool waitForClose();
    /// Waits for a frame of this type; false after 30 s.
    [[nodiscard]] bool waitForFrame(const QString &type);

    const QList<QJsonObject> &frames() const { return m_frames; }
    /// The joined text of stdout or stderr.
    QString text(const QString &type = QStringLiteral("stdout")) const;
    /// The texts of the control frames.
    QStringList controls() const;
    /// The only error frame; empty if there is none, or more than one.
    QJsonObject error() const;
    int closeCode() const { return int(m_socket.closeCode()); }
    QString closeReason() const { return m_socket.closeReason(); }
    QWebSocket &socket() { return m_socket; }

private:
    QWebSocket m_socket;
    QList<QJsonObject> m_frames;
    bool m_isClosed = false;
};

/// The Daytona face of a daemon, as its clients see it.
class DaytonaFixture
{
public:
    explicit DaytonaFixture(EngineFixture &engine)
        : m_engine(engine)
    {
    }

    QByteArray bearer() const;
    QNetworkRequest request(const QString &path) const;
    /// \a path is below /daytona, such as "/api/sandbox".
    EngineResponse send(const QByteArray &method, const QString &path, const QJsonObject &body = {});
    EngineResponse get(const QString &path) { return send("GET", path); }
    EngineResponse post(const QString &path, const QJsonObject &body = {}) { return send("POST", path, body); }

    /// The id of a new sandbox; empty when it fails.
    QString create(const QJsonObject &body = {});
    QString state(const QString &sandbox);
    static QString sandboxPath(const QString &id) { return QStringLiteral("/api/sandbox/") + id; }
    static QString toolbox(const QString &id) { return QStringLiteral("/toolbox/") + id; }
    QUrl interpreterUrl(const QString &sandbox) const;
    std::unique_ptr<DaytonaSocket> connectInterpreter(const QString &sandbox) const;
    /// Sends the request on a socket of its own and waits for its end.
    std::unique_ptr<DaytonaSocket> run(const QString &sandbox, const QJsonObject &request) const;
    std::unique_ptr<DaytonaSocket> run(const QString &sandbox, const QString &code) const;

private:
    EngineFixture &m_engine;
};

} // namespace sandfish
