#include "core/support/logging.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace sandfish {

using namespace Qt::StringLiterals;

Q_LOGGING_CATEGORY(lcNet, "sandfish.net", QtInfoMsg)
Q_LOGGING_CATEGORY(lcProvider, "sandfish.provider", QtInfoMsg)
Q_LOGGING_CATEGORY(lcExec, "sandfish.exec", QtInfoMsg)
Q_LOGGING_CATEGORY(lcUi, "sandfish.ui", QtInfoMsg)

namespace {

// The engine's data plane is protected by an unguessable path segment, so such a segment is a secret.
bool looksLikeCapability(const QString &segment)
{
    if (segment.size() < 20)
        return false;
    return std::all_of(segment.begin(), segment.end(),
        [](QChar c) { return c.isLetterOrNumber() || c == u'-' || c == u'_' || c == u'.'; });
}

} // namespace

QString loggable(const QUrl &url)
{
    QUrl shown = url.adjusted(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment);
    QStringList segments = shown.path().split(u'/');
    for (QString &segment : segments) {
        if (looksLikeCapability(segment))
            segment = segment.left(6) + u'…';
    }
    shown.setPath(segments.join(u'/'));
    return shown.toDisplayString();
}

std::string redacted(std::string_view text)
{
    static const QRegularExpression secret(
        uR"re(((?:[\w-]*(?:api[_-]?key|token|password|passwd|secret|authorization|cookie))["']?\s*[:=]\s*["']?)re"
        uR"re((?:(?:bearer|basic|token)\s+)?|\bbearer\s+)([^\s"',;&}]+))re"_s,
        QRegularExpression::CaseInsensitiveOption);
    QString result = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    result.replace(secret, u"\\1…"_s);
    return result.toStdString();
}

} // namespace sandfish
