#pragma once

#include "core/base/error.h"
#include "core/net/httpcall.h"

class QNetworkReply;

namespace sandfish {

/// The Error for an answer of \a host with a status outside 200–299, worded after protocols.md §0-7 with the service's
/// own words in quotes. detail is the body without secrets, at most 500 bytes.
Error errorFromAnswer(const QString &host, const HttpAnswer &answer);

/// The Error for a request that got no answer, or whose answer broke off; Cancelled if it was aborted here.
Error errorFromTransport(const QNetworkReply &reply);

/// For an answer that is no JSON although JSON is due, such as the page of a captive portal.
Error errorFromForeignAnswer(const QString &host, const HttpAnswer &answer);

/// How \a url's host is called in messages: with the port where it is not the scheme's own.
QString hostOf(const QUrl &url);

} // namespace sandfish
