#include "core/support/statefolder.h"

#include <QDir>

namespace sandfish {

using namespace Qt::StringLiterals;

QString userStateFolder()
{
    const QString state = qEnvironmentVariable("XDG_STATE_HOME");
    // The specification says to ignore a relative path.
    const QString base = QDir::isAbsolutePath(state) ? state : QDir::homePath() + u"/.local/state"_s;
    return base + u"/sandfish"_s;
}

} // namespace sandfish
