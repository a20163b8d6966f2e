#include "core/net/httpclient.h"

#include "core/net/httperror.h"
#include "core/net/weburl.h"
#include "core/support/logging.h"

#include <QCoreApplication>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QPointer>
#include <QRandomGenerator>
#include <QTimer>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

constexpr qint64 kMaxAnswerBytes = 16 << 20;
constexpr std::chrono::milliseconds kFirstPause{100};

class DirectToLoopback : public QNetworkProxyFactory
{
public:
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery &query) override
    {
        if (isLoopbackHost(query.peerHostName()))
            return {QNetworkProxy(QNetworkProxy::NoProxy)};
        return systemProxyForQuery(query);
    }
};

/// One call with its tries; deletes itself at the end.
class Exchange : public QObject
{
public:
    Exchange(QNetworkAccessManager &manager, HttpCall call, Completion<HttpAnswer> completion, QObject *parent)
        : QObject(parent)
        , m_manager(manager)
        , m_call(std::move(call))
        , m_completion(std::move(completion))
    {
        m_timer.setSingleShot(true);
        connect(&m_timer, &QTimer::timeout, this, &Exchange::expire);
        m_completion.setStop([this] { stop(); });
        start();
    }
    ~Exchange() override
    {
        dropReply();
        m_completion.finish(Error{Error::Kind::Cancelled, "Cancelled.", {}});
    }

private:
    void start()
    {
        ++m_tries;
        m_answer = {};
        m_isTooLarge = false;
        m_reply = sendCall(m_manager, m_call);
        m_reply->setReadBufferSize(kMaxAnswerBytes);
        connect(m_reply, &QNetworkReply::readyRead, this, &Exchange::read);
        connect(m_reply, &QNetworkReply::finished, this, &Exchange::settle);
        m_timer.start(m_call.timeout);
    }

    void read()
    {
        const QByteArray bytes = m_reply->readAll();
        m_answer.body.append(bytes.constData(), static_cast<std::size_t>(bytes.size()));
        if (m_answer.body.size() <= static_cast<std::size_t>(kMaxAnswerBytes))
            return;
        m_isTooLarge = true;
        fail(Error{Error::Kind::TooLarge,
            QCoreApplication::translate("sandfish::HttpClient", "The answer of %1 is too large.")
                .arg(hostOf(m_call.url))
                .toStdString(),
            {}});
    }

    void settle()
    {
        m_timer.stop();
        read();
        if (m_isTooLarge)
            return;
        m_answer.status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        m_answer.contentType = m_reply->header(QNetworkRequest::ContentTypeHeader).toByteArray();
        m_answer.retryAfter = m_reply->rawHeader("Retry-After");
        qCDebug(lcNet).noquote() << verbName(m_call.verb) << loggable(m_call.url) << m_answer.status;
        const bool isSuccess = m_answer.status >= 200 && m_answer.status < 300;
        if (isSuccess && m_reply->error() == QNetworkReply::NoError)
            end(std::move(m_answer));
        else if (m_answer.status == 0 || isSuccess || m_reply->error() == QNetworkReply::InsecureRedirectError)
            fail(errorFromTransport(*m_reply));
        else
            fail(errorFromAnswer(hostOf(m_call.url), m_answer));
    }

    void expire()
    {
        const QString text = QCoreApplication::translate(
            "sandfish::HttpClient", "%1 did not answer within %2 s. Check the network and try again.");
        const double seconds = std::chrono::duration<double>(m_call.timeout).count();
        fail(Error{Error::Kind::Timeout, text.arg(hostOf(m_call.url)).arg(seconds).toStdString(), {}});
    }

    void fail(const Error &error)
    {
        if (m_call.verb != HttpCall::Verb::Get || !mayTryAgain(error) || m_tries >= HttpClient::kMaxTries) {
            end(error);
            return;
        }
        dropReply();
        const auto ceiling = kFirstPause * (1 << (m_tries - 1));
        const auto pause = ceiling / 2 + ceiling * QRandomGenerator::global()->generateDouble() / 2;
        QTimer::singleShot(std::chrono::duration_cast<std::chrono::milliseconds>(pause), this, &Exchange::start);
    }

    // Not where the next try would meet the same refusal: nobody listens there, or the service asked for a longer wait.
    static bool mayTryAgain(const Error &error)
    {
        using Kind = Error::Kind;
        return !error.retryAfter
            && (error.kind == Kind::ConnectionLost || error.kind == Kind::ServerError || error.kind == Kind::Unavailable
                || (error.kind == Kind::Timeout && error.httpStatus != 0));
    }

    void end(Result<HttpAnswer> result)
    {
        m_completion.finish(std::move(result));
        stop();
    }

    void stop()
    {
        m_timer.stop();
        dropReply();
        deleteLater();
    }

    void dropReply()
    {
        if (!m_reply)
            return;
        m_reply->disconnect(this);
        m_reply->abort();
        m_reply->deleteLater();
        m_reply.clear();
    }

    QNetworkAccessManager &m_manager;
    HttpCall m_call;
    Completion<HttpAnswer> m_completion;
    QPointer<QNetworkReply> m_reply; // the manager may go first
    QTimer m_timer;
    HttpAnswer m_answer;
    int m_tries = 0;
    bool m_isTooLarge = false;
};

Result<Json> parsed(const QString &host, const HttpAnswer &answer)
{
    if (answer.body.find_first_not_of(" \r\n\t") == std::string::npos)
        return Json();
    Result<Json> value = parseJson(answer.body);
    if (!value)
        return errorFromForeignAnswer(host, answer);
    return value;
}

} // namespace

std::unique_ptr<QNetworkAccessManager> makeNetworkManager()
{
    auto manager = std::make_unique<QNetworkAccessManager>();
    manager->setProxyFactory(new DirectToLoopback); // the manager owns it
    return manager;
}

HttpClient::HttpClient(QObject *parent)
    : QObject(parent)
    , m_manager(makeNetworkManager())
{
}

HttpClient::~HttpClient() = default;

Request HttpClient::send(const HttpCall &call, QObject *receiver, Done<HttpAnswer> done)
{
    const Completion<HttpAnswer> completion(receiver, std::move(done));
    new Exchange(*m_manager, call, completion, this);
    return completion.request();
}

Request HttpClient::sendJson(const HttpCall &call, QObject *receiver, Done<Json> done)
{
    return send(call, receiver, [done = std::move(done), host = hostOf(call.url)](Result<HttpAnswer> answer) {
        done(answer ? parsed(host, *answer) : Result<Json>(answer.error()));
    });
}

} // namespace sandfish
