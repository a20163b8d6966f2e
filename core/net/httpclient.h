#pragma once

#include "core/base/json.h"
#include "core/net/httpcall.h"
#include "core/support/request.h"

#include <QObject>

#include <memory>

class QNetworkAccessManager;

namespace sandfish {

/// A manager for HTTP that asks no proxy for hosts of this computer.
std::unique_ptr<QNetworkAccessManager> makeNetworkManager();

/// Short calls of a control plane: one request, one JSON answer. Long answers go through HttpStream, on connections of
/// their own, since Qt lets six running requests to one host block all others. Thread: the owner's.
///
/// A GET is tried up to three times, with growing random pauses, where protocols.md §0-7 allows it; what creates,
/// changes or pays is sent once. An answer of more than 16 MiB is refused.
class HttpClient : public QObject
{
    Q_OBJECT
public:
    static constexpr int kMaxTries = 3;

    explicit HttpClient(QObject *parent = nullptr);
    ~HttpClient() override;

    /// Any answer with a status of 200–299; others are errors with the service's words.
    Request send(const HttpCall &call, QObject *receiver, Done<HttpAnswer> done);
    /// The same, parsed; an empty body is null. Anything but JSON gives Error::Kind::Protocol.
    Request sendJson(const HttpCall &call, QObject *receiver, Done<Json> done);

private:
    std::unique_ptr<QNetworkAccessManager> m_manager;
};

} // namespace sandfish
