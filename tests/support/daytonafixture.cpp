#include "tests/support/daytonafixture.h"

#include <QJsonDocument>
#include <QTest>

namespace sandfish {
using namespace Qt::StringLiterals;

namespace {
constexpr int kSocketPatienceMs = 30'000;
}

DaytonaSocket::DaytonaSocket(const QUrl &url, const QByteArray &name, const QByteArray &value)
{
    connect(&m_socket, &QWebSocket::textMessageReceived, this,
        [this](const QString &text) { m_frames.append(QJsonDocument::fromJson(text.toUtf8()).object()); });
    connect(&m_socket, &QWebSocket::disconnected, this, [this] { m_isClosed = true; });
    QNetworkRequest request(url);
    if (!name.isEmpty())
        request.setRawHeader(name, value);
    m_socket.open(request);
}

bool DaytonaSocket::waitForOpen()
{
    const auto isDecided = [this] {
        return m_isClosed || m_socket.state() == QAbstractSocket::ConnectedState
            || m_socket.state() == QAbstractSocket::UnconnectedState;
    };
    return QTest::qWaitFor(isDecided, kSocketPatienceMs) && m_socket.isValid();
}

void DaytonaSocket::send(const QJsonObject &request)
{
    m_socket.sendTextMessage(QString::fromUtf8(QJsonDocument(request).toJson(QJsonDocument::Compact)));
}

bool DaytonaSocket::waitForClose()
{
    return QTest::qWaitFor([this] { return m_isClosed; }, kSocketPatienceMs);
}

bool DaytonaSocket::waitForFrame(const QString &type)
{
    const auto has = [&] {
        return std::any_of(m_frames.cbegin(), m_frames.cend(),
            [&](const QJsonObject &frame) { return frame.value("type"_L1) == type; });
    };
    return QTest::qWaitFor(has, kSocketPatienceMs);
}

QString DaytonaSocket::text(const QString &type) const
{
    QString text;
    for (const QJsonObject &frame : m_frames) {
        if (frame.value("type"_L1) == type)
            text += frame.value("text"_L1).toString();
    }
    return text;
}

QStringList DaytonaSocket::controls() const
{
    QStringList texts;
    for (const QJsonObject &frame : m_frames) {
        if (frame.value("type"_L1) == "control"_L1)
            texts.append(frame.value("text"_L1).toString());
    }
    return texts;
}

QJsonObject DaytonaSocket::error() const
{
    QList<QJsonObject> errors;
    for (const QJsonObject &frame : m_frames) {
        if (frame.value("type"_L1) == "error"_L1)
            errors.append(frame);
    }
    return errors.size() == 1 ? errors.first() : QJsonObject();
}

QByteArray DaytonaFixture::bearer() const
{
    return "Bearer " + m_engine.readyLine().value("apiKey"_L1).toString().toUtf8();
}

QNetworkRequest DaytonaFixture::request(const QString &path) const
{
    QNetworkRequest request = m_engine.request(u"/daytona"_s + path, EngineFixture::Key::None);
    request.setRawHeader("Authorization", bearer());
    return request;
}

EngineResponse DaytonaFixture::send(const QByteArray &method, const QString &path, const QJsonObject &body)
{
    const bool hasBody = method == "POST" || method == "PUT";
    return m_engine.send(
        method, request(path), hasBody ? QJsonDocument(body).toJson(QJsonDocument::Compact) : QByteArray());
}

QString DaytonaFixture::create(const QJsonObject &body)
{
    const EngineResponse response = post(u"/api/sandbox"_s, body);
    return response.status == 200 ? response.object().value("id"_L1).toString() : QString();
}

QString DaytonaFixture::state(const QString &sandbox)
{
    return get(sandboxPath(sandbox)).object().value("state"_L1).toString();
}

QUrl DaytonaFixture::interpreterUrl(const QString &sandbox) const
{
    QUrl url = m_engine.url(u"/daytona"_s + toolbox(sandbox) + u"/process/interpreter/execute"_s);
    url.setScheme(u"ws"_s);
    return url;
}

std::unique_ptr<DaytonaSocket> DaytonaFixture::connectInterpreter(const QString &sandbox) const
{
    return std::make_unique<DaytonaSocket>(interpreterUrl(sandbox), "Authorization", bearer());
}

std::unique_ptr<DaytonaSocket> DaytonaFixture::run(const QString &sandbox, const QJsonObject &request) const
{
    auto socket = connectInterpreter(sandbox);
    if (!socket->waitForOpen())
        return socket;
    socket->send(request);
    [[maybe_unused]] const bool isClosed = socket->waitForClose();
    return socket;
}

std::unique_ptr<DaytonaSocket> DaytonaFixture::run(const QString &sandbox, const QString &code) const
{
    return run(sandbox, QJsonObject{{u"code"_s, code}});
}

} // namespace sandfish
