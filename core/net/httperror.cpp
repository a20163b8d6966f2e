#include "core/net/httperror.h"

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/support/logging.h"

#include <QCoreApplication>
#include <QNetworkReply>
#include <QRegularExpression>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;
using Kind = Error::Kind;

constexpr std::size_t kMaxDetailBytes = 500;
constexpr qsizetype kMaxWords = 200;

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(sandfish::HttpError)
};

/// What the service itself says about its refusal.
struct Words
{
    QString text;
    QString code;
    std::int64_t retryAfterSeconds = 0;
};

std::string shortDetail(std::string_view body)
{
    const std::string whole = repairedUtf8(body.substr(0, kMaxDetailBytes));
    return redacted(whole);
}

QString shortened(const std::string &text)
{
    const QString line = QString::fromStdString(redacted(text)).simplified();
    return line.size() > kMaxWords ? QString(line.left(kMaxWords) + u'…') : line;
}

// Schema errors come as a list, of {loc, msg} from FastAPI and of sentences from NestJS.
std::string detailText(const Json &detail)
{
    if (detail.is_string())
        return detail.get<std::string>();
    std::string all;
    for (const Json &item : detail.is_array() ? detail : Json::array()) {
        const std::string message = item.is_string() ? item.get<std::string>() : stringOr(item, "msg", "");
        all += all.empty() || message.empty() ? message : "; " + message;
    }
    return all;
}

Words wordsFrom(const HttpAnswer &answer)
{
    static const QRegularExpression codeShape(u"^[A-Z][A-Z0-9_]*$"_s);
    const Result<Json> object = parseJsonObject(answer.body);
    if (!object) {
        const bool isPlain = answer.contentType.startsWith("text/plain");
        return {isPlain ? shortened(answer.body) : QString(), {}, 0};
    }
    Words words;
    words.code = shortened(stringOr(*object, "code", ""));
    const std::string error = stringOr(*object, "error", "");
    const bool isCode = codeShape.match(QString::fromStdString(error)).hasMatch();
    if (isCode)
        words.code = QString::fromStdString(error);
    // Beside a message, `error` is the name of the status alone.
    std::string text = detailText(memberOrNull(*object, "message"));
    if (text.empty() && !isCode)
        text = error;
    if (text.empty())
        text = detailText(memberOrNull(*object, "detail"));
    words.text = shortened(text);
    words.retryAfterSeconds = integerOr(*object, "retryAfterS", 0);
    return words;
}

QString rateLimitText(const Words &words, std::int64_t seconds)
{
    const QString limit =
        words.code.isEmpty() ? Text::tr("Limit reached.") : Text::tr("Limit reached (%1).").arg(words.code);
    if (seconds <= 0)
        return limit + u' ' + Text::tr("Try again later.");
    return limit + u' ' + Text::tr("Try again in %1 s.").arg(seconds);
}

QString sentenceFor(Kind kind, int status, const QString &host, const Words &words, std::int64_t retrySeconds)
{
    switch (kind) {
    case Kind::BadRequest:
        return Text::tr("%1 rejected the request.").arg(host);
    case Kind::Unauthenticated:
        return Text::tr("The API key is missing or not valid. Check the key for %1.").arg(host);
    case Kind::PaymentRequired:
        return Text::tr("%1 asks for a payment before it goes on.").arg(host);
    case Kind::Forbidden:
        return words.code.isEmpty() ? Text::tr("This key may not do that.")
                                    : Text::tr("This key may not do that (%1).").arg(words.code);
    case Kind::NotFound:
        return Text::tr("The sandbox, context or file no longer exists.");
    case Kind::Timeout:
        return Text::tr("%1 took too long. Try again.").arg(host);
    case Kind::Conflict:
        return Text::tr("Not possible in the sandbox's current state. Refresh and try again.");
    case Kind::Gone:
        return Text::tr("It was removed.");
    case Kind::TooLarge:
        return status == 507 ? Text::tr("The sandbox disk is full. Delete files there.")
                             : Text::tr("%1 refuses this as too large.").arg(host);
    case Kind::RateLimited:
        return rateLimitText(words, retrySeconds);
    case Kind::ServerError:
        return Text::tr("%1 failed. Try again later.").arg(host);
    case Kind::Unavailable:
        return Text::tr("%1 is not available now. Try again in a moment.").arg(host);
    case Kind::Unsupported:
        return Text::tr("%1 cannot do this.").arg(host);
    default:
        return Text::tr("%1 gave an answer that cannot be understood (HTTP %2). Check the address.")
            .arg(host)
            .arg(status);
    }
}

} // namespace

QString hostOf(const QUrl &url)
{
    return url.port() < 0 ? url.host() : url.host() + u':' + QString::number(url.port());
}

Error errorFromAnswer(const QString &host, const HttpAnswer &answer)
{
    Error error;
    error.kind = errorKindFromHttpStatus(answer.status);
    error.httpStatus = answer.status;
    const Words words = wordsFrom(answer);
    const std::int64_t seconds =
        answer.retryAfter.toLongLong() > 0 ? answer.retryAfter.toLongLong() : words.retryAfterSeconds;
    if (seconds > 0)
        error.retryAfter = std::chrono::seconds(seconds);
    QString message = sentenceFor(error.kind, answer.status, host, words, seconds);
    if (answer.status >= 300 && answer.status < 400)
        message = Text::tr("%1 sends this request on to another address. Check the address.").arg(host);
    if (!words.text.isEmpty())
        message += u' ' + Text::tr("It answered \"%1\".").arg(words.text);
    error.message = message.toStdString();
    error.detail = shortDetail(answer.body);
    return error;
}

Error errorFromTransport(const QNetworkReply &reply)
{
    const QString host = hostOf(reply.url());
    Error error{Kind::Unreachable, {}, redacted(reply.errorString().toStdString())};
    QString message;
    switch (reply.error()) {
    case QNetworkReply::SslHandshakeFailedError:
        error.kind = Kind::TlsError;
        message = Text::tr("The certificate of %1 is not trusted.").arg(host);
        break;
    case QNetworkReply::OperationCanceledError:
        error.kind = Kind::Cancelled;
        message = Text::tr("Cancelled.");
        break;
    case QNetworkReply::InsecureRedirectError:
    case QNetworkReply::TooManyRedirectsError:
        error.kind = Kind::Protocol;
        message = Text::tr("%1 sends this request on to another address. Check the address.").arg(host);
        break;
    case QNetworkReply::RemoteHostClosedError:
    case QNetworkReply::ContentReSendError:
    case QNetworkReply::UnknownNetworkError:
        error.kind = Kind::ConnectionLost;
        message = Text::tr("%1 closed the connection before its answer was complete. Try again.").arg(host);
        break;
    default:
        message = Text::tr("Cannot reach %1. Check the address and the network.").arg(host);
        break;
    }
    error.message = message.toStdString();
    return error;
}

Error errorFromForeignAnswer(const QString &host, const HttpAnswer &answer)
{
    const QString message = Text::tr("%1 does not answer as a sandbox service does. Check the address.").arg(host);
    return Error{Kind::Protocol, message.toStdString(), shortDetail(answer.body), answer.status};
}

} // namespace sandfish
