#include "core/base/error.h"

namespace sandfish {

bool Error::isRetryable() const
{
    return kind == Kind::Unreachable || kind == Kind::Unavailable || kind == Kind::Timeout || kind == Kind::RateLimited
        || kind == Kind::ServerError;
}

Error::Kind errorKindFromHttpStatus(int status)
{
    switch (status) {
    case 400:
    case 405:
    case 422:
        return Error::Kind::BadRequest;
    case 401:
        return Error::Kind::Unauthenticated;
    case 402:
        return Error::Kind::PaymentRequired;
    case 403:
        return Error::Kind::Forbidden;
    case 404:
        return Error::Kind::NotFound;
    case 408:
    case 504:
        return Error::Kind::Timeout;
    case 409:
        return Error::Kind::Conflict;
    case 410:
        return Error::Kind::Gone;
    case 413:
    case 507:
        return Error::Kind::TooLarge;
    case 429:
        return Error::Kind::RateLimited;
    case 500:
        return Error::Kind::ServerError;
    case 501:
        return Error::Kind::Unsupported;
    case 502:
    case 503:
        return Error::Kind::Unavailable;
    default:
        return Error::Kind::Protocol;
    }
}

std::string_view errorKindName(Error::Kind kind)
{
    switch (kind) {
    case Error::Kind::Cancelled:
        return "cancelled";
    case Error::Kind::Unreachable:
        return "unreachable";
    case Error::Kind::TlsError:
        return "tls-error";
    case Error::Kind::BadRequest:
        return "bad-request";
    case Error::Kind::Unauthenticated:
        return "unauthenticated";
    case Error::Kind::PaymentRequired:
        return "payment-required";
    case Error::Kind::Forbidden:
        return "forbidden";
    case Error::Kind::NotFound:
        return "not-found";
    case Error::Kind::Timeout:
        return "timeout";
    case Error::Kind::Conflict:
        return "conflict";
    case Error::Kind::Gone:
        return "gone";
    case Error::Kind::TooLarge:
        return "too-large";
    case Error::Kind::RateLimited:
        return "rate-limited";
    case Error::Kind::ServerError:
        return "server-error";
    case Error::Kind::Unavailable:
        return "unavailable";
    case Error::Kind::Unsupported:
        return "unsupported";
    case Error::Kind::ConnectionLost:
        return "connection-lost";
    case Error::Kind::Protocol:
        return "protocol";
    case Error::Kind::Io:
        return "io";
    case Error::Kind::Internal:
        return "internal";
    }
    return "internal";
}

} // namespace sandfish
