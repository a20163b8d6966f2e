#include "ui/text/durationtext.h"

#include <QCoreApplication>
#include <QLocale>

namespace sandfish {

using namespace Qt::StringLiterals;

QString clockText(std::chrono::seconds elapsed)
{
    const qint64 total = elapsed.count();
    const QString tail = u"%1:%2"_s;
    if (total < 3600)
        return tail.arg(total / 60).arg(total % 60, 2, 10, QChar(u'0'));
    return u"%1:%2:%3"_s.arg(total / 3600).arg(total / 60 % 60, 2, 10, QChar(u'0')).arg(total % 60, 2, 10, QChar(u'0'));
}

QString durationText(std::chrono::milliseconds duration)
{
    using namespace std::chrono;
    if (duration >= minutes(1))
        return clockText(duration_cast<seconds>(duration));
    const double value = static_cast<double>(duration.count()) / 1000;
    return QCoreApplication::translate("sandfish::Duration", "%1 s").arg(QLocale().toString(value, 'f', 1));
}

} // namespace sandfish
