#include "core/net/httpstream.h"

#include "core/net/httpclient.h"
#include "core/net/httperror.h"
#include "core/support/logging.h"

#include <QCoreApplication>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QPointer>

namespace sandfish {
namespace {

constexpr qint64 kReadBufferBytes = 1 << 20;
constexpr qint64 kPieceBytes = 256 << 10;
constexpr std::size_t kMaxRefusalBytes = 64 << 10;

std::string translated(const char *text, const QUrl &url)
{
    return QCoreApplication::translate("sandfish::HttpStream", text).arg(hostOf(url)).toStdString();
}

} // namespace

HttpStreamPool::HttpStreamPool() = default;
HttpStreamPool::~HttpStreamPool() = default;

std::shared_ptr<QNetworkAccessManager> HttpStreamPool::lease()
{
    for (const auto &manager : m_managers) {
        if (manager.use_count() <= kStreamsPerManager)
            return manager;
    }
    m_managers.emplace_back(makeNetworkManager());
    return m_managers.back();
}

HttpStream::HttpStream(HttpStreamPool &pool, LineHandler handler, QObject *parent)
    : QObject(parent)
    , m_manager(pool.lease())
    , m_handler(std::move(handler))
    , m_drain([this] { return step(); })
{
    connect(&m_drain, &Drain::turnEnded, this, &HttpStream::endTurn);
    m_sendTimer.setSingleShot(true);
    connect(&m_sendTimer, &QTimer::timeout, this, [this] {
        end(Error{Error::Kind::Unreachable,
            translated(QT_TRANSLATE_NOOP(
                           "sandfish::HttpStream", "Cannot reach %1 in time. Check the address and the network."),
                m_call.url),
            {}});
    });
}

HttpStream::~HttpStream()
{
    dropReply();
}

void HttpStream::open(const HttpCall &call)
{
    m_call = call;
    m_reply = sendCall(*m_manager, call);
    m_call.body.clear();
    m_reply->setReadBufferSize(kReadBufferBytes);
    m_sendTimer.start(call.timeout);
    connect(m_reply, &QNetworkReply::requestSent, this, [this] {
        m_mayHaveArrived = true;
        m_sendTimer.stop();
    });
    connect(m_reply, &QNetworkReply::metaDataChanged, this, &HttpStream::readHead);
    connect(m_reply, &QNetworkReply::readyRead, &m_drain, &Drain::request);
    connect(m_reply, &QNetworkReply::finished, this, [this] {
        m_sendTimer.stop();
        m_isBodyComplete = true;
        m_drain.request();
    });
}

void HttpStream::proceed()
{
    m_isWaiting = false;
    m_drain.request();
}

void HttpStream::abort()
{
    m_isEnding = true;
    m_sendTimer.stop();
    m_drain.stop();
    dropReply();
}

void HttpStream::readHead()
{
    m_mayHaveArrived = true;
    m_sendTimer.stop();
    m_answer.status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    m_answer.contentType = m_reply->header(QNetworkRequest::ContentTypeHeader).toByteArray();
    m_answer.retryAfter = m_reply->rawHeader("Retry-After");
    qCDebug(lcNet).noquote() << "stream" << loggable(m_call.url) << m_answer.status;
    const bool isPage = m_answer.contentType.startsWith("text/html");
    if (m_isOpen || isPage || m_answer.status < 200 || m_answer.status >= 300)
        return;
    m_isOpen = true;
    emit opened();
}

Drain::Step HttpStream::step()
{
    if (m_isWaiting || m_isEnding)
        return Drain::Step::Idle;
    std::string_view line;
    if (m_framer.next(line)) {
        m_hasLines = true;
        m_isWaiting = m_handler(line) == Flow::Wait;
        return Drain::Step::More;
    }
    if (!m_framer.isOverflown() && readSome())
        return Drain::Step::More;
    if (!m_isBodyComplete && !m_framer.isOverflown())
        return Drain::Step::Idle;
    if (const std::string rest = m_framer.takeRest(); !rest.empty() && !m_framer.isOverflown()) {
        m_hasLines = true;
        m_isWaiting = m_handler(rest) == Flow::Wait;
        return Drain::Step::More;
    }
    m_result = outcome();
    m_isEnding = true;
    return Drain::Step::Idle;
}

bool HttpStream::readSome()
{
    const QByteArray bytes = m_reply->read(kPieceBytes);
    if (bytes.isEmpty())
        return false;
    const std::string_view view(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    if (m_isOpen)
        m_framer.append(view);
    else if (m_answer.body.size() < kMaxRefusalBytes)
        m_answer.body.append(view.substr(0, kMaxRefusalBytes - m_answer.body.size()));
    return true;
}

void HttpStream::endTurn()
{
    const QPointer<HttpStream> guard(this); // the reader may delete it
    if (std::exchange(m_hasLines, false))
        emit turnEnded();
    if (guard && m_isEnding && m_reply)
        end(m_result);
}

Result<> HttpStream::outcome()
{
    if (m_framer.isOverflown())
        return Error{Error::Kind::TooLarge,
            translated(QT_TRANSLATE_NOOP("sandfish::HttpStream",
                           "%1 sent one record that is too large to take. Print less at once, or write to a file."),
                m_call.url),
            {}};
    if (m_isOpen)
        return m_reply->error() == QNetworkReply::NoError ? Result<>() : errorFromTransport(*m_reply);
    if (m_answer.status == 0)
        return errorFromTransport(*m_reply);
    if (m_answer.status >= 200 && m_answer.status < 300)
        return errorFromForeignAnswer(hostOf(m_call.url), m_answer);
    return errorFromAnswer(hostOf(m_call.url), m_answer);
}

void HttpStream::end(const Result<> &result)
{
    abort();
    emit finished(result);
}

void HttpStream::dropReply()
{
    if (!m_reply)
        return;
    m_reply->disconnect(this);
    m_reply->disconnect(&m_drain);
    m_reply->abort();
    m_reply->deleteLater();
    m_reply = nullptr;
}

} // namespace sandfish
