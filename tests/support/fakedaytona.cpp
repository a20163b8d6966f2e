#include "tests/support/fakedaytona.h"

#include <QJsonDocument>

namespace sandfish::test {
namespace {

const QByteArray kToolbox = "/toolbox/sb-1/process";

QByteArray frameJson(
    const char *type, const QByteArray &text, const QByteArray &name, const QByteArray &value, const QByteArray &trace)
{
    // All five members are always there (protocols.md §3.6).
    const QJsonObject object{{QStringLiteral("type"), QString::fromLatin1(type)},
        {QStringLiteral("text"), QString::fromUtf8(text)}, {QStringLiteral("name"), QString::fromUtf8(name)},
        {QStringLiteral("value"), QString::fromUtf8(value)}, {QStringLiteral("traceback"), QString::fromUtf8(trace)}};
    return RawWebSocket::text(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

} // namespace

FakeDaytona::FakeDaytona(QObject *parent)
    : FakeHttpServer(parent)
{
    setFrames({frame("control", "completed")});
    route("GET", "/api/sandbox", [this](const Request &) {
        return Reply::json(R"({"items":[)" + sandboxJson(m_states.first()) + R"(],"nextCursor":null})");
    });
    route("GET", "/api/sandbox/sb-1", [this](const Request &) { return sandbox(); });
    for (const char *path : {"/api/sandbox", "/api/sandbox/sb-1/start", "/api/sandbox/sb-1/stop",
             "/api/sandbox/sb-1/pause", "/api/sandbox/sb-1/last-activity"})
        route("POST", path, [this](const Request &) { return sandbox(); });
    route("POST", "/api/sandbox/sb-1/autostop/*", [this](const Request &) { return sandbox(); });
    route("DELETE", "/api/sandbox/sb-1",
        [this](const Request &) { return Reply::json(sandboxJson(QStringLiteral("destroying"))); });
    route("GET", "/api/sandbox/sb-1/toolbox-proxy-url", [this](const Request &) {
        return Reply::json(R"({"url":")" + url(QStringLiteral("/toolbox")).toEncoded() + R"("})");
    });
    for (const char *method : {"GET", "POST", "DELETE"})
        route(method, "/toolbox/*", [this](const Request &request) { return toolbox(request); });
}

QByteArray FakeDaytona::sandboxJson(const QString &state) const
{
    return R"({"id":"sb-1","name":"blue","organizationId":"org","snapshot":"daytona-small","target":"eu","memory":2,)"
           R"("labels":{"owner":"me"},"createdAt":"2026-05-01T10:00:00.000Z","autoStopInterval":15,)"
           R"("lastActivityAt":"2026-05-01T11:00:00.000Z","toolboxProxyUrl":")"
        + url(QStringLiteral("/toolbox")).toEncoded() + R"(","state":")" + state.toUtf8() + R"("})";
}

FakeHttpServer::Reply FakeDaytona::sandbox()
{
    const QString state = m_states.size() > 1 ? m_states.takeFirst() : m_states.first();
    return Reply::json(sandboxJson(state));
}

FakeHttpServer::Reply FakeDaytona::toolbox(const Request &request)
{
    const QByteArray context = R"({"id":"c-1","cwd":"/home/daytona","createdAt":"2026-05-01T10:00:01Z","active":true,)"
                               R"("language":"python"})";
    const bool isPost = request.method == "POST";
    if (request.path == kToolbox + "/interpreter/execute")
        return execute(request);
    if (request.path == kToolbox + "/interpreter/context")
        return Reply::json(isPost ? context : QByteArray(R"({"contexts":[)" + context + "]}"));
    if (request.path == kToolbox + "/interpreter/context/c-1" && request.method == "DELETE")
        return Reply::json(R"({"message":"Context deleted successfully"})");
    if (request.path == kToolbox + "/execute" && isPost)
        return Reply::json(R"({"exitCode":0,"result":""})");
    return Reply::empty(404);
}

FakeHttpServer::Reply FakeDaytona::execute(const Request &request)
{
    if (m_handshake)
        return *m_handshake;
    return RawWebSocket::accept(request, this, [this](RawWebSocket *socket) {
        connect(socket, &RawWebSocket::messageReceived, this,
            [this, socket](const QByteArray &message) { take(socket, message); });
    });
}

void FakeDaytona::take(RawWebSocket *socket, const QByteArray &message)
{
    const QJsonObject object = QJsonDocument::fromJson(message).object();
    const bool isLook = object.value(QStringLiteral("code")).toString().startsWith(QStringLiteral("def _sandfish"));
    if (!isLook) {
        m_runs.append(object);
        m_run(socket, object);
    } else if (!m_worker.isNull()) {
        socket->send(frame("stdout", m_worker + '\n') + frame("control", "completed") + RawWebSocket::close(1000));
    }
}

void FakeDaytona::setFrames(const QList<QByteArray> &frames, int closeCode, const QByteArray &reason)
{
    setRun([frames, closeCode, reason](RawWebSocket *socket, const QJsonObject &) {
        socket->send(frames.join() + RawWebSocket::close(closeCode, reason));
    });
}

QByteArray FakeDaytona::frame(const char *type, const QByteArray &text)
{
    return frameJson(type, text, {}, {}, {});
}

QByteArray FakeDaytona::errorFrame(const QByteArray &name, const QByteArray &value, const QByteArray &traceback)
{
    return frameJson("error", {}, name, value, traceback);
}

} // namespace sandfish::test
