#pragma once

#include <QString>

namespace sandfish::bench {

/// Writes a notebook as Jupyter does: code cells of five lines with two lines of output.
/// \a pictureBytes: every fourth cell has a picture of about that size, as base64; 0: none.
void writeNotebook(const QString &path, int cells, int pictureBytes = 0);

} // namespace sandfish::bench
