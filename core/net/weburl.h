#pragma once

#include <QString>
#include <QUrl>

namespace sandfish {

/// \a path, which may carry a query, below the path of \a base.
QUrl urlBelow(const QUrl &base, const QString &path);
/// True for the names and addresses of this computer, the names below `localhost` among them (RFC 6761 §6.3).
bool isLoopbackHost(const QString &host);

} // namespace sandfish
