#pragma once

#include <QLoggingCategory>
#include <QUrl>

#include <string>
#include <string_view>

namespace sandfish {

/// One category per area. User code, outputs and headers are never logged above debug; secrets never at all.
Q_DECLARE_LOGGING_CATEGORY(lcNet)      // sandfish.net
Q_DECLARE_LOGGING_CATEGORY(lcProvider) // sandfish.provider
Q_DECLARE_LOGGING_CATEGORY(lcExec)     // sandfish.exec
Q_DECLARE_LOGGING_CATEGORY(lcUi)       // sandfish.ui

/// \a url for a log: without user, query and fragment, and with only the first six characters of path segments that
/// may be capabilities (20 or more letters, digits, '-', '_' and '.').
QString loggable(const QUrl &url);

/// \a text with the values of what looks like a key, token, password or cookie replaced by "…".
/// For service answers and command output before they become Error::detail. Cost: O(text).
std::string redacted(std::string_view text);

} // namespace sandfish
