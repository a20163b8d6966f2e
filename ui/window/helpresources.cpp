#include "ui/window/helpresources.h"

#include <QFile>

using namespace Qt::StringLiterals;

// Q_INIT_RESOURCE must stand outside of any namespace.
static void initHelpResource()
{
    Q_INIT_RESOURCE(help);
}

namespace sandfish {
namespace {

QByteArray readResource(const QString &path)
{
    static const bool isInitialised = (initHelpResource(), true);
    Q_UNUSED(isInitialised)
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

QByteArray tourNotebook()
{
    return readResource(u":/sandfish/tour/tour.ipynb"_s);
}

QString helpPage(const QString &page)
{
    return QString::fromUtf8(readResource(u":/sandfish/help/"_s + page + u".md"_s));
}

} // namespace sandfish
