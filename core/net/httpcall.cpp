#include "core/net/httpcall.h"

#include <QIODevice>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QNetworkRequest>

#include <algorithm>
#include <cstring>
#include <memory>

namespace sandfish {
namespace {

// A body that cannot be rewound, so that Qt cannot run the user's code twice.
class OneShotBody : public QIODevice
{
public:
    explicit OneShotBody(std::string bytes)
        : m_bytes(std::move(bytes))
    {
        open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    }
    qint64 size() const override { return static_cast<qint64>(m_bytes.size()); }
    bool reset() override { return false; }

protected:
    qint64 readData(char *data, qint64 maxSize) override
    {
        const qint64 count = std::min(maxSize, size() - pos());
        std::memcpy(data, m_bytes.data() + pos(), static_cast<std::size_t>(count));
        return count;
    }
    qint64 writeData(const char *, qint64) override { return -1; }

private:
    std::string m_bytes;
};

} // namespace

QByteArray verbName(HttpCall::Verb verb)
{
    switch (verb) {
    case HttpCall::Verb::Get:
        return "GET";
    case HttpCall::Verb::Post:
        return "POST";
    case HttpCall::Verb::Put:
        return "PUT";
    case HttpCall::Verb::Patch:
        return "PATCH";
    case HttpCall::Verb::Delete:
        return "DELETE";
    }
    return {};
}

QNetworkRequest toNetworkRequest(const HttpCall &call)
{
    QNetworkRequest request(call.url);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArray("application/json"));
    // An explicit coding switches Qt's own off: a compressed stream would arrive in blocks, not as it is written.
    request.setRawHeader("Accept-Encoding", "identity");
    for (const auto &[name, value] : call.headers)
        request.setRawHeader(name, value);
    // Qt turns a redirected POST into a GET, so only GET follows, and never with a credential to another origin.
    const bool follows = call.verb == HttpCall::Verb::Get;
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute,
        follows ? QNetworkRequest::SameOriginRedirectPolicy : QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    return request;
}

QNetworkReply *sendCall(QNetworkAccessManager &manager, const HttpCall &call)
{
    const QNetworkRequest request = toNetworkRequest(call);
    if (call.body.empty())
        return manager.sendCustomRequest(request, verbName(call.verb));
    auto body = std::make_unique<OneShotBody>(call.body);
    QNetworkReply *reply = manager.sendCustomRequest(request, verbName(call.verb), body.get());
    body.release()->setParent(reply);
    return reply;
}

} // namespace sandfish
