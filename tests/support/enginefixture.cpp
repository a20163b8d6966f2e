#include "tests/support/enginefixture.h"

#include <QJsonDocument>
#include <QNetworkReply>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kPatienceMs = 60'000;

} // namespace

QJsonObject EngineResponse::object() const
{
    return QJsonDocument::fromJson(body).object();
}

QJsonArray EngineResponse::array() const
{
    return QJsonDocument::fromJson(body).array();
}

QList<QJsonObject> EngineItems::ofType(const QString &type) const
{
    QList<QJsonObject> found;
    for (const QJsonObject &item : items) {
        if (item.value("type"_L1) == type)
            found.append(item);
    }
    return found;
}

QString EngineItems::text(const QString &type) const
{
    QString joined;
    for (const QJsonObject &item : ofType(type))
        joined += item.value("data"_L1).toString();
    return joined;
}

QString EngineItems::result() const
{
    const QList<QJsonObject> results = ofType(u"result"_s);
    return results.size() == 1 ? results.first().value("data"_L1).toString() : QString();
}

QJsonObject EngineItems::error() const
{
    const QList<QJsonObject> errors = ofType(u"error"_s);
    return errors.isEmpty() ? QJsonObject() : errors.first();
}

int EngineItems::doneCount() const
{
    const QList<QJsonObject> ends = ofType(u"done"_s);
    return ends.size() == 1 ? ends.first().value("execution_count"_L1).toInt(-1) : -1;
}

EngineFixture::EngineFixture()
{
    // What a developer's shell sets must not change what the tests see.
    for (const char *name : {"SANDFISH_ISOLATION", "SANDFISH_FREEZER", "SANDFISH_PYTHON", "SANDFISH_NODE"})
        qunsetenv(name);
}

EngineFixture::~EngineFixture()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    if (!stop()) {
        m_process.kill();
        [[maybe_unused]] const bool isEnded =
            QTest::qWaitFor([this] { return m_process.state() == QProcess::NotRunning; }, kPatienceMs);
    }
}

QString EngineFixture::program()
{
    return QStringLiteral(SANDFISH_BINARY_DIR "/sandfishd");
}

bool EngineFixture::start(const QStringList &arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (auto it = m_environment.cbegin(); it != m_environment.cend(); ++it)
        environment.insert(it.key(), it.value());
    // Some surroundings set it; the kernels must not see it.
    environment.insert(u"PYTHONUNBUFFERED"_s, u"1"_s);
    m_process.setProcessEnvironment(environment);
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(program(), QStringList{u"--foreground"_s, u"--state-dir"_s, stateDirectory()} + arguments);
    const auto hasLine = [this] { return m_process.canReadLine() || m_process.state() == QProcess::NotRunning; };
    if (!QTest::qWaitFor(hasLine, kPatienceMs) || !m_process.canReadLine())
        return false;
    m_ready = QJsonDocument::fromJson(m_process.readLine()).object();
    return !m_ready.isEmpty();
}

bool EngineFixture::startAs(const QString &level, const QString &freezer)
{
    setEnvironment(u"SANDFISH_ISOLATION"_s, level);
    setEnvironment(u"SANDFISH_FREEZER"_s, freezer);
    return start();
}

bool EngineFixture::stop()
{
    m_process.terminate();
    return QTest::qWaitFor([this] { return m_process.state() == QProcess::NotRunning; }, kPatienceMs);
}

QUrl EngineFixture::url(const QString &path) const
{
    return QUrl(m_ready.value("url"_L1).toString() + path);
}

QNetworkRequest EngineFixture::request(const QString &path, Key key) const
{
    QNetworkRequest request(url(path));
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/json"_s);
    if (key != Key::None)
        request.setRawHeader(
            "X-API-Key", key == Key::Right ? m_ready.value("apiKey"_L1).toString().toUtf8() : QByteArray("no"));
    return request;
}

EngineResponse EngineFixture::waitFor(QNetworkReply &reply)
{
    if (!reply.isFinished()) {
        QSignalSpy finished(&reply, &QNetworkReply::finished);
        finished.wait(kPatienceMs);
    }
    return {reply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(), reply.rawHeader("Content-Type"),
        reply.readAll()};
}

EngineResponse EngineFixture::send(const QByteArray &method, const QNetworkRequest &request, const QByteArray &body)
{
    const std::unique_ptr<QNetworkReply> reply(m_network.sendCustomRequest(request, method, body));
    return waitFor(*reply);
}

EngineResponse EngineFixture::send(const QByteArray &method, const QString &path, const QByteArray &body, Key key)
{
    return send(method, request(path, key), body);
}

EngineResponse EngineFixture::post(const QString &path, const QJsonObject &body)
{
    return send("POST", path, QJsonDocument(body).toJson(QJsonDocument::Compact));
}

EngineSandbox EngineFixture::create(const QJsonObject &extra)
{
    QJsonObject body{{u"projectId"_s, u"tests"_s}, {u"template"_s, u"base"_s}, {u"timeoutMs"_s, 300000}};
    for (auto it = extra.begin(); it != extra.end(); ++it)
        body.insert(it.key(), it.value());
    EngineSandbox sandbox;
    sandbox.id = post(u"/api/sandboxes"_s, body).object().value("sandboxId"_L1).toString();
    if (sandbox.id.isEmpty())
        return sandbox;
    sandbox.path = u"/api/sandboxes/"_s + sandbox.id;
    const QString hostname = post(sandbox.path + u"/expose/8080"_s).object().value("hostname"_L1).toString();
    sandbox.codeServer = hostname.mid(hostname.indexOf(u'/'));
    return sandbox;
}

std::unique_ptr<QNetworkReply> EngineFixture::startExecution(const EngineSandbox &sandbox, const QJsonObject &body)
{
    return std::unique_ptr<QNetworkReply>(m_network.post(
        request(sandbox.codeServer + u"/execute"_s, Key::None), QJsonDocument(body).toJson(QJsonDocument::Compact)));
}

EngineItems EngineFixture::execute(const EngineSandbox &sandbox, const QJsonObject &body)
{
    const std::unique_ptr<QNetworkReply> reply = startExecution(sandbox, body);
    const EngineResponse response = waitFor(*reply);
    return {response.status, response.body, itemsFrom(response.body)};
}

EngineItems EngineFixture::run(const EngineSandbox &sandbox, const QString &code, const QString &language)
{
    QJsonObject body{{u"code"_s, code}};
    if (!language.isEmpty())
        body.insert(u"language"_s, language);
    return execute(sandbox, body);
}

QJsonObject EngineFixture::fullDialect(const QString &code, const QString &language)
{
    return {{u"code"_s, code}, {u"language"_s, language},
        {u"sandfish"_s, QJsonObject{{u"dialect"_s, u"full"_s}, {u"stdin"_s, true}}}};
}

QString EngineFixture::contextId(const EngineSandbox &sandbox, const QString &language)
{
    for (const QJsonValue &context : get(sandbox.codeServer + u"/contexts"_s).array()) {
        if (context["language"_L1] == language)
            return context["id"_L1].toString();
    }
    return {};
}

bool EngineFixture::waitForText(QNetworkReply &reply, QByteArray &body, const QByteArray &text)
{
    return QTest::qWaitFor(
        [&] {
            body += reply.readAll();
            return body.contains(text);
        },
        30'000);
}

QList<QJsonObject> EngineFixture::itemsFrom(const QByteArray &body)
{
    QList<QJsonObject> items;
    for (const QByteArray &line : body.split('\n')) {
        if (!line.isEmpty())
            items.append(QJsonDocument::fromJson(line).object());
    }
    return items;
}

} // namespace sandfish
