#pragma once

#include <QString>

namespace sandfish {

/// How people write the name of a language that notebooks know as \a id: "javascript" is JavaScript.
QString languageName(const QString &id);

} // namespace sandfish
