#pragma once

#include <QByteArray>
#include <QString>

namespace sandfish {

/// What resources/tour and resources/help hold; compiled into the program.
QByteArray tourNotebook();
/// \a page: such as "pausing"; empty text if there is none.
QString helpPage(const QString &page);

} // namespace sandfish
