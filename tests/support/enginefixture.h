#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QProcess>
#include <QTemporaryDir>

#include <chrono>
#include <memory>

namespace sandfish {

/// One answer of the daemon.
struct EngineResponse
{
    int status = 0;
    QByteArray contentType;
    QByteArray body;

    QJsonObject object() const;
    QJsonArray array() const;
};

/// A created sandbox, by its two addresses.
struct EngineSandbox
{
    QString id;
    QString path;       ///< "/api/sandboxes/{id}"
    QString codeServer; ///< "/s/{secret}"
};

/// The items of one execution.
struct EngineItems
{
    int status = 0;
    QByteArray body;
    QList<QJsonObject> items;

    QList<QJsonObject> ofType(const QString &type) const;
    /// The joined text of stdout or stderr.
    QString text(const QString &type = QStringLiteral("stdout")) const;
    /// The `data` of the only result; null if there is none, or more than one.
    QString result() const;
    QJsonObject error() const;
    int doneCount() const;
};

/// Runs the built sandfishd with a state directory of its own, and talks to it. Every call waits in the event loop,
/// with an end; nothing blocks.
class EngineFixture : public QObject
{
    Q_OBJECT
public:
    enum class Key
    {
        Right,
        Wrong,
        None
    };

    EngineFixture();
    ~EngineFixture() override;

    /// Starts the daemon with \a arguments after `--foreground --state-dir DIR`; false when it does not come up.
    [[nodiscard]] bool start(const QStringList &arguments = {});
    /// The same at a forced level of isolation (`full`, `shared-net`, `landlock` or `none`) and with a way of pausing:
    /// empty for the best, or `signals`. Where the host does not permit the level, readyLine() has another one.
    [[nodiscard]] bool startAs(const QString &level, const QString &freezer = {});
    /// SIGTERM; false when it does not end in time.
    [[nodiscard]] bool stop();
    void setEnvironment(const QString &name, const QString &value) { m_environment.insert(name, value); }

    QJsonObject readyLine() const { return m_ready; }
    QString stateDirectory() const { return m_directory.path() + QStringLiteral("/state"); }
    QUrl url(const QString &path) const;
    QProcess &process() { return m_process; }
    QNetworkAccessManager &network() { return m_network; }
    static QString program();
    bool isIsolated() const { return m_ready.value(QStringLiteral("isolation")) == QStringLiteral("full"); }

    QNetworkRequest request(const QString &path, Key key = Key::Right) const;
    EngineResponse send(
        const QByteArray &method, const QString &path, const QByteArray &body = {}, Key key = Key::Right);
    EngineResponse send(const QByteArray &method, const QNetworkRequest &request, const QByteArray &body);
    EngineResponse post(const QString &path, const QJsonObject &body = {});
    EngineResponse get(const QString &path) { return send("GET", path); }
    EngineResponse remove(const QString &path) { return send("DELETE", path); }

    /// An empty id when it fails.
    EngineSandbox create(const QJsonObject &extra = {});
    EngineItems execute(const EngineSandbox &sandbox, const QJsonObject &body);
    EngineItems run(const EngineSandbox &sandbox, const QString &code, const QString &language = {});
    /// The reply of an execution that goes on; owned by the network manager's user.
    std::unique_ptr<QNetworkReply> startExecution(const EngineSandbox &sandbox, const QJsonObject &body);
    /// The body of an execution in the full dialect that may ask for input.
    static QJsonObject fullDialect(const QString &code, const QString &language = QStringLiteral("python"));
    /// The first context of a language; empty if there is none.
    QString contextId(const EngineSandbox &sandbox, const QString &language);
    /// Collects the reply's bytes in \a body until \a text is among them; false after 30 s.
    static bool waitForText(QNetworkReply &reply, QByteArray &body, const QByteArray &text);
    static QList<QJsonObject> itemsFrom(const QByteArray &body);
    static EngineResponse waitFor(QNetworkReply &reply);

private:
    QTemporaryDir m_directory;
    QProcess m_process;
    QNetworkAccessManager m_network;
    QMap<QString, QString> m_environment;
    QJsonObject m_ready;
};

} // namespace sandfish
