#include "core/providers/daytona/daytonalink.h"

#include "core/net/weburl.h"
#include "core/providers/daytona/daytonacodec.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QTimer>

#include <algorithm>

namespace sandfish {

using namespace Qt::StringLiterals;

struct DaytonaLink::Call
{
    HttpCall http;
    Completion<Json> completion;
    int tries = 0;
    Request inner;
};

DaytonaLink::DaytonaLink(DaytonaConfig config)
    : m_config(std::move(config))
{
}

DaytonaLink::~DaytonaLink() = default;

HttpCall::Headers DaytonaLink::headers() const
{
    HttpCall::Headers all{{"Authorization", "Bearer " + m_config.key}, {"X-Daytona-Source", "sandfish"},
        {"User-Agent", "Sandfish/" SANDFISH_VERSION}};
    if (!m_config.organization.isEmpty())
        all.emplaceBack("X-Daytona-Organization-ID", m_config.organization);
    return all;
}

HttpCall DaytonaLink::callOf(Verb verb, const QUrl &base, const QString &path, std::string body) const
{
    HttpCall call;
    call.verb = verb;
    call.url = urlBelow(base, path);
    call.headers = headers();
    call.body = std::move(body);
    if (verb != Verb::Get)
        call.timeout = m_config.answerLimit;
    return call;
}

Request DaytonaLink::control(Verb verb, const QString &path, std::string body, QObject *receiver, Done<Json> done)
{
    return start(callOf(verb, m_config.apiUrl, path, std::move(body)), receiver, std::move(done));
}

Request DaytonaLink::start(HttpCall http, QObject *receiver, Done<Json> done)
{
    const auto call =
        std::make_shared<Call>(Call{std::move(http), Completion<Json>(receiver, std::move(done)), 0, Request()});
    call->completion.setStop([weak = std::weak_ptr(call)] {
        if (const auto stopped = weak.lock())
            stopped->inner.cancel();
    });
    send(call);
    return call->completion.request();
}

void DaytonaLink::send(const std::shared_ptr<Call> &call)
{
    ++call->tries;
    call->inner = m_http.sendJson(call->http, this, [this, call](const Result<Json> &answer) { settle(call, answer); });
}

void DaytonaLink::settle(const std::shared_ptr<Call> &call, const Result<Json> &answer)
{
    if (!call->completion.isPending())
        return;
    const bool isSafe = call->http.verb == Verb::Get || call->http.verb == Verb::Delete;
    if (isSafe && !answer && answer.error().kind == Error::Kind::RateLimited && call->tries < kMaxTries) {
        const auto pause = backOff(call->tries, answer.error());
        if (pause <= m_config.longestBackOff) {
            QTimer::singleShot(pause, this, [this, call] {
                if (call->completion.isPending())
                    send(call);
            });
            return;
        }
    }
    noteReachability(answer ? nullptr : &answer.error());
    call->completion.finish(answer);
}

// Somewhat random, so that several windows do not come back at the same moment.
std::chrono::milliseconds DaytonaLink::backOff(int tries, const Error &error) const
{
    const auto doubled = m_config.firstBackOff * (1 << (tries - 1));
    const auto jittered = doubled * (1 + QRandomGenerator::global()->generateDouble() / 4);
    const auto own = std::chrono::duration_cast<std::chrono::milliseconds>(jittered);
    return std::max<std::chrono::milliseconds>(own, error.retryAfter.value_or(std::chrono::seconds(0)));
}

Request DaytonaLink::toolbox(
    const SandboxId &sandbox, Verb verb, const QString &path, std::string body, QObject *receiver, Done<Json> done)
{
    const Completion<Json> completion(receiver, std::move(done));
    const Request first =
        toolboxUrl(sandbox, this, [this, verb, path, body = std::move(body), completion](const Result<QUrl> &base) {
            if (!base) {
                completion.finish(base.error());
                return;
            }
            if (!completion.isPending())
                return;
            const Request inner = start(callOf(verb, *base, path, body), this,
                [completion](const Result<Json> &answer) { completion.finish(answer); });
            completion.setStop([inner] { inner.cancel(); });
        });
    completion.setStop([first] { first.cancel(); });
    return completion.request();
}

Request DaytonaLink::toolboxUrl(const SandboxId &sandbox, QObject *receiver, Done<QUrl> done)
{
    const Completion<QUrl> completion(receiver, std::move(done));
    if (const auto known = m_toolboxes.find(sandbox); known != m_toolboxes.end()) {
        completion.finish(known->second);
        return completion.request();
    }
    const Request inner = control(Verb::Get, Daytona::sandboxPath(sandbox, u"/toolbox-proxy-url"_s), {}, this,
        [this, sandbox, completion](const Result<Json> &answer) {
            if (!answer) {
                completion.finish(answer.error());
                return;
            }
            learnToolbox(sandbox, stringOr(*answer, "url", ""));
            const auto learnt = m_toolboxes.find(sandbox);
            if (learnt == m_toolboxes.end())
                completion.finish(Error{Error::Kind::Protocol,
                    QCoreApplication::translate("sandfish::Daytona",
                        "Daytona gave no usable address for the inside of the sandbox. Try again later.")
                        .toStdString(),
                    {}});
            else
                completion.finish(learnt->second);
        });
    completion.setStop([inner] { inner.cancel(); });
    return completion.request();
}

void DaytonaLink::learnToolbox(const SandboxId &sandbox, const std::string &toolboxProxyUrl)
{
    const QUrl url = Daytona::usableToolbox(toolboxProxyUrl, m_config.apiUrl);
    if (url.isValid())
        m_toolboxes[sandbox] =
            urlBelow(url, u'/' + QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(sandbox.value))));
}

void DaytonaLink::noteReachability(const Error *error)
{
    using Kind = Error::Kind;
    const bool isOut = error
        && (error->kind == Kind::Unreachable || error->kind == Kind::TlsError || error->kind == Kind::ConnectionLost
            || error->kind == Kind::Unavailable || (error->kind == Kind::Timeout && error->httpStatus == 0));
    const QString problem = isOut ? QString::fromStdString(error->message) : QString();
    if (problem == m_problem)
        return;
    m_problem = problem;
    emit reachabilityChanged(problem);
}

} // namespace sandfish
