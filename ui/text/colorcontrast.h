#pragma once

#include <QColor>

namespace sandfish {

/// WCAG 2 contrast ratio, 1 to 21; alpha is ignored.
double contrastRatio(const QColor &a, const QColor &b);

/// \a color, stepped in lightness away from \a background until it reaches \a ratio; hue and saturation stay. Black or
/// white if no step of the colour is enough. Cost: a few µs.
QColor legibleOn(const QColor &background, const QColor &color, double ratio = 4.5);

} // namespace sandfish
