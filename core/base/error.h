#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace sandfish {

/// Why an operation failed, as a value: what callers branch on, what people read, what goes into the log.
struct Error
{
    /// The neutral kinds of protocols.md §0-7, and the local ones.
    enum class Kind
    {
        Cancelled,       ///< the caller asked for it
        Unreachable,     ///< refused, DNS, network down
        TlsError,        ///< certificate not trusted
        BadRequest,      ///< 400, 405, 422
        Unauthenticated, ///< 401
        PaymentRequired, ///< 402
        Forbidden,       ///< 403
        NotFound,        ///< 404
        Timeout,         ///< 408, 504, or our own clock
        Conflict,        ///< 409
        Gone,            ///< 410
        TooLarge,        ///< 413, 507, or a local bound
        RateLimited,     ///< 429
        ServerError,     ///< 500
        Unavailable,     ///< 502, 503
        Unsupported,     ///< 501, or the provider cannot do this
        ConnectionLost,  ///< a stream ended without its end marker
        Protocol,        ///< an answer that cannot be understood
        Io,              ///< a local file or device
        Internal,        ///< a fault of ours
    };

    Kind kind = Kind::Internal;
    std::string message; ///< UTF-8, for people: what was tried and what to do next
    std::string detail;  ///< UTF-8, for the log and "Copy details"; never holds a secret
    int httpStatus = 0;  ///< 0 if no HTTP answer is behind it
    std::optional<std::chrono::seconds> retryAfter = std::nullopt;

    /// True if the same call may be repeated without a change by the user (idempotent calls only).
    bool isRetryable() const;
};

/// The kind that protocols.md §0-7 gives to an HTTP status; Protocol for a status it does not name.
Error::Kind errorKindFromHttpStatus(int status);

/// A short stable name such as "not-found", for logs and for `--json` output.
std::string_view errorKindName(Error::Kind kind);

} // namespace sandfish
