#include "core/providers/lizard/lizardlink.h"

#include "core/support/logging.h"

#include <QCoreApplication>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;

bool isOutOfReach(const Error &error)
{
    using Kind = Error::Kind;
    return error.kind == Kind::Unreachable || error.kind == Kind::TlsError || error.kind == Kind::ConnectionLost
        || (error.kind == Kind::Timeout && error.httpStatus == 0) || error.kind == Kind::Unavailable;
}

} // namespace

struct LizardLink::ControlCall
{
    Verb verb;
    QString path;
    std::string body;
    Completion<Json> completion;
    bool mayRecover;
    Request inner;
};

struct LizardLink::CodeCall
{
    SandboxId sandbox;
    Verb verb;
    QString path;
    std::string body;
    Completion<Json> completion;
    bool mayRepeat;
    QUrl failedAt;
    std::optional<Error> failure;
    Request inner;
};

LizardLink::LizardLink(std::unique_ptr<EndpointSource> source)
    : m_source(std::move(source))
{
}

LizardLink::~LizardLink() = default;

void LizardLink::whenConnected(std::function<void(const Result<> &)> ready)
{
    if (m_isConnected) {
        ready({});
        return;
    }
    m_waiting.push_back(std::move(ready));
    if (std::exchange(m_isConnecting, true))
        return;
    m_source->find(this, [this](const Result<LizardEndpoint> &endpoint) {
        if (!endpoint) {
            settleConnection(endpoint.error());
            return;
        }
        m_endpoint = *endpoint;
        probe();
    });
}

// Any answer but the engine's own means a seed service: it has no such path.
void LizardLink::probe()
{
    HttpCall call;
    call.url = Lizard::urlFor(m_endpoint.url, u"/v1/engine"_s);
    call.headers = {{"X-API-Key", m_endpoint.apiKey}};
    m_http.sendJson(call, this, [this](const Result<Json> &answer) {
        if (!answer && answer.error().httpStatus == 0) {
            settleConnection(answer.error());
            return;
        }
        m_engine = answer ? Lizard::parseEngineInfo(*answer) : std::nullopt;
        settleConnection({});
    });
}

void LizardLink::settleConnection(const Result<> &result)
{
    m_isConnecting = false;
    m_isConnected = result.isOk();
    if (result.isOk())
        emit connected();
    else
        m_source->forget();
    const auto waiting = std::exchange(m_waiting, {});
    for (const auto &ready : waiting)
        ready(result);
}

void LizardLink::disconnectFromService()
{
    m_isConnected = false;
    m_codeUrls.clear();
    m_source->forget();
}

void LizardLink::noteReachability(const Error *error)
{
    if (error && !isOutOfReach(*error))
        error = nullptr; // it was refused, so it was reached
    const QString problem = error ? QString::fromStdString(error->message) : QString();
    if (problem == m_problem)
        return;
    m_problem = problem;
    emit reachabilityChanged(problem);
}

Request LizardLink::control(Verb verb, const QString &path, std::string body, QObject *receiver, Done<Json> done)
{
    const auto call = std::make_shared<ControlCall>(ControlCall{
        verb, path, std::move(body), Completion<Json>(receiver, std::move(done)), m_source->canRecover(), {}});
    call->completion.setStop([weak = std::weak_ptr(call)] {
        if (const auto stopped = weak.lock())
            stopped->inner.cancel();
    });
    run(call);
    return call->completion.request();
}

void LizardLink::run(const std::shared_ptr<ControlCall> &call)
{
    whenConnected([this, call](const Result<> &ready) {
        if (!call->completion.isPending())
            return;
        if (!ready) {
            settle(call, ready.error());
            return;
        }
        HttpCall http;
        http.verb = call->verb;
        http.url = Lizard::urlFor(m_endpoint.url, call->path);
        http.headers = {{"X-API-Key", m_endpoint.apiKey}};
        http.body = call->body;
        call->inner = m_http.sendJson(http, this, [this, call](const Result<Json> &answer) { settle(call, answer); });
    });
}

void LizardLink::settle(const std::shared_ptr<ControlCall> &call, const Result<Json> &answer)
{
    const bool isLost = !answer && isOutOfReach(answer.error());
    if (isLost)
        disconnectFromService();
    // A refused connection has carried nothing, so even a POST may go again.
    if (isLost && answer.error().kind == Error::Kind::Unreachable && std::exchange(call->mayRecover, false)) {
        qCInfo(lcProvider) << "the service does not answer, looking for it again";
        run(call);
        return;
    }
    noteReachability(answer ? nullptr : &answer.error());
    call->completion.finish(answer);
}

std::optional<QUrl> LizardLink::knownCodeUrl(const SandboxId &sandbox) const
{
    const auto it = m_codeUrls.find(sandbox);
    return it == m_codeUrls.end() ? std::nullopt : std::optional(it->second);
}

Request LizardLink::codeUrl(const SandboxId &sandbox, QObject *receiver, Done<QUrl> done)
{
    const Completion<QUrl> completion(receiver, std::move(done));
    if (const auto known = knownCodeUrl(sandbox)) {
        completion.finish(*known);
        return completion.request();
    }
    const Request inner = control(Verb::Post, Lizard::sandboxPath(sandbox, u"/expose/8080"_s), {}, this,
        [this, sandbox, completion](const Result<Json> &answer) {
            if (!answer) {
                completion.finish(answer.error());
                return;
            }
            const QUrl url = Lizard::parseExposed(*answer, m_endpoint.url);
            if (!url.isValid() || url.host().isEmpty()) {
                completion.finish(Error{Error::Kind::Protocol,
                    QCoreApplication::translate(
                        "sandfish::Lizard", "The service gave no usable address for the sandbox. Try again later.")
                        .toStdString(),
                    {}});
                return;
            }
            m_codeUrls[sandbox] = url;
            completion.finish(url);
        });
    completion.setStop([inner] { inner.cancel(); });
    return completion.request();
}

Request LizardLink::code(
    const SandboxId &sandbox, Verb verb, const QString &path, std::string body, QObject *receiver, Done<Json> done)
{
    const auto call = std::make_shared<CodeCall>(
        CodeCall{sandbox, verb, path, std::move(body), Completion<Json>(receiver, std::move(done)), true, {}, {}, {}});
    call->completion.setStop([weak = std::weak_ptr(call)] {
        if (const auto stopped = weak.lock())
            stopped->inner.cancel();
    });
    run(call);
    return call->completion.request();
}

void LizardLink::run(const std::shared_ptr<CodeCall> &call)
{
    call->inner = codeUrl(call->sandbox, this, [this, call](const Result<QUrl> &base) {
        if (!call->completion.isPending())
            return;
        if (!base || *base == call->failedAt) {
            call->completion.finish(base ? *call->failure : base.error());
            return;
        }
        HttpCall http;
        http.verb = call->verb;
        http.url = Lizard::urlFor(*base, call->path);
        http.body = call->body;
        call->inner = m_http.sendJson(
            http, this, [this, call, url = *base](const Result<Json> &answer) { settle(call, url, answer); });
    });
}

void LizardLink::settle(const std::shared_ptr<CodeCall> &call, const QUrl &base, const Result<Json> &answer)
{
    const bool isMissing =
        !answer && (answer.error().kind == Error::Kind::Unreachable || answer.error().kind == Error::Kind::NotFound);
    if (!isMissing || !std::exchange(call->mayRepeat, false)) {
        noteReachability(answer ? nullptr : &answer.error());
        call->completion.finish(answer);
        return;
    }
    call->failedAt = base;
    call->failure = answer.error();
    forgetCodeUrl(call->sandbox);
    run(call);
}

} // namespace sandfish
