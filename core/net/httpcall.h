#pragma once

#include <QByteArray>
#include <QList>
#include <QUrl>

#include <chrono>
#include <string>
#include <utility>

class QNetworkAccessManager;
class QNetworkReply;
class QNetworkRequest;

namespace sandfish {

/// One HTTP request, before it is sent.
struct HttpCall
{
    enum class Verb
    {
        Get,
        Post,
        Put,
        Patch,
        Delete
    };
    using Headers = QList<std::pair<QByteArray, QByteArray>>;

    Verb verb = Verb::Get;
    QUrl url;
    std::string body; ///< JSON; empty: none is sent
    Headers headers;  ///< credentials among them: never logged, never sent to another origin
    /// For one try, head and body together. HttpStream uses it until the request is on its way, no longer.
    std::chrono::milliseconds timeout{15000};
};

struct HttpAnswer
{
    int status = 0;
    QByteArray contentType; ///< as sent, with parameters
    QByteArray retryAfter;  ///< the header's value
    std::string body;
};

QByteArray verbName(HttpCall::Verb verb);
/// The request for Qt: no cookies, cache, compression, HTTP/2 or redirect to another origin.
QNetworkRequest toNetworkRequest(const HttpCall &call);
/// Sends \a call; the manager owns the reply. A body goes out once: where Qt would send the request a second time after
/// a server that closed without an answer, the reply fails with ContentReSendError instead. Without a body Qt repeats.
QNetworkReply *sendCall(QNetworkAccessManager &manager, const HttpCall &call);

} // namespace sandfish
