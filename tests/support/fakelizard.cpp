#include "tests/support/fakelizard.h"

#include <algorithm>

namespace sandfish::test {
namespace {

constexpr char kEngine[] =
    R"({"version":"0.1.0","isolation":"full","isolationReason":"","pid":1,)"
    R"("features":["full-dialect","interrupt","input","queries","events","folders","network","checkpoints"]})";

QByteArray sandboxJson(bool isEngine)
{
    QByteArray json = R"({"sandboxId":"s1","template":"code-interpreter-v1","startedAt":"2024-05-01T10:00:00.000Z",)"
                      R"("endAt":"2024-05-01T11:00:00.000Z","metadata":{"owner":"me"})";
    if (isEngine)
        json += R"(,"state":"running","name":"blue","isolation":"full","pauseKeeps":"memory","memoryBytes":1048576,)"
                R"("folders":[{"path":"/a","access":"rw"},{"path":"/b","access":"ro"}])";
    return json + '}';
}

} // namespace

FakeLizard::FakeLizard(Kind kind, QObject *parent)
    : FakeHttpServer(parent)
    , m_kind(kind)
    , m_execute(Reply::stream("{\"type\":\"done\",\"execution_count\":1}\n"))
{
    const bool isEngine = kind == Kind::LocalEngine;
    if (isEngine)
        route("GET", "/v1/engine", Reply::json(kEngine));
    const QByteArray sandbox = sandboxJson(isEngine);
    route("GET", "/api/sandboxes", Reply::json('[' + sandbox + ']'));
    route("GET", "/api/sandboxes/s1", Reply::json(sandbox));
    route("POST", "/api/sandboxes", isEngine ? Reply::json(sandbox, 201) : Reply::json(R"({"sandboxId":"s1"})"));
    route("DELETE", "/api/sandboxes/s1", Reply::empty(204));
    route("POST", "/api/sandboxes/s1/timeout", Reply::json("{}"));
    QByteArray paused = sandbox;
    paused.replace("\"running\"", "\"paused\"");
    route("POST", "/api/sandboxes/s1/pause", Reply::json(isEngine ? paused : QByteArray("{}")));
    route("POST", "/api/sandboxes/s1/resume", Reply::json(isEngine ? sandbox : QByteArray("{}")));
    route("POST", "/api/sandboxes/s1/expose/8080", [this](const Request &) {
        const QByteArray host = "127.0.0.1:" + QByteArray::number(port()) + '/' + m_capability;
        return Reply::json(R"({"hostname":")" + host + R"(","url":"http://)" + host + R"("})");
    });
    for (const char *method : {"GET", "POST", "DELETE"})
        route(method, "/cap-*", [this](const Request &request) { return codeServer(request); });
}

FakeHttpServer::Reply FakeLizard::codeServer(const Request &request)
{
    const QByteArray prefix = '/' + m_capability + '/';
    const QByteArray path = request.path.split('?').first();
    if (!path.startsWith(prefix))
        return Reply::json(R"({"detail":"Not Found"})", 404);
    const QByteArray rest = path.mid(prefix.size() - 1);
    const bool isPost = request.method == "POST";
    const QByteArray context = R"({"id":"c1","language":"python","cwd":"/home/user")";
    if (isPost && rest == "/execute")
        return m_execute;
    if (isPost && rest == "/contexts")
        return Reply::json(context + '}');
    if (request.method == "GET" && rest == "/contexts")
        return Reply::json('[' + context + "}]");
    if (m_kind == Kind::LocalEngine && request.method == "GET" && rest == "/v1/contexts")
        return Reply::json('[' + context + R"(,"state":"busy","version":"3.11.2"}])");
    const bool isExtension = rest == "/contexts/c1/interrupt" || rest == "/contexts/c1/input";
    const bool isKnown = rest == "/contexts/c1/restart" || (isExtension && m_kind == Kind::LocalEngine)
        || (request.method == "DELETE" && rest == "/contexts/c1");
    return isKnown ? Reply::empty(204) : Reply::json(R"({"detail":"Context c9 not found"})", 404);
}

int FakeLizard::executeCount() const
{
    return static_cast<int>(std::count_if(requests().begin(), requests().end(),
        [](const Request &request) { return request.path.endsWith("/execute"); }));
}

QByteArray FakeLizard::lastExecuteBody() const
{
    const auto &all = requests();
    const auto it = std::find_if(
        all.rbegin(), all.rend(), [](const Request &request) { return request.path.endsWith("/execute"); });
    return it == all.rend() ? QByteArray() : it->body;
}

} // namespace sandfish::test
