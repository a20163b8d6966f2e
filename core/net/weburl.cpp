#include "core/net/weburl.h"

#include <QHostAddress>

namespace sandfish {

using namespace Qt::StringLiterals;

QUrl urlBelow(const QUrl &base, const QString &path)
{
    QUrl url = base;
    const QString prefix = base.path(QUrl::FullyEncoded);
    const QString whole = (prefix.endsWith(u'/') ? prefix.chopped(1) : prefix) + path;
    const qsizetype mark = whole.indexOf(u'?');
    url.setPath(whole.left(mark < 0 ? whole.size() : mark), QUrl::StrictMode);
    if (mark >= 0)
        url.setQuery(whole.mid(mark + 1), QUrl::StrictMode);
    return url;
}

bool isLoopbackHost(const QString &host)
{
    return host == "localhost"_L1 || host.endsWith(".localhost"_L1) || QHostAddress(host).isLoopback();
}

} // namespace sandfish
