#include "ui/text/colorcontrast.h"

#include <algorithm>
#include <cmath>

namespace sandfish {
namespace {

double linearChannel(double value)
{
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &color)
{
    return 0.2126 * linearChannel(color.redF()) + 0.7152 * linearChannel(color.greenF())
        + 0.0722 * linearChannel(color.blueF());
}

} // namespace

double contrastRatio(const QColor &a, const QColor &b)
{
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

QColor legibleOn(const QColor &background, const QColor &color, double ratio)
{
    if (contrastRatio(background, color) >= ratio)
        return color;
    const bool towardsBlack = contrastRatio(background, Qt::black) > contrastRatio(background, Qt::white);
    const float step = towardsBlack ? -0.01F : 0.01F;
    float hue = 0;
    float saturation = 0;
    float lightness = 0;
    color.getHslF(&hue, &saturation, &lightness);
    for (lightness += step; lightness > 0 && lightness < 1; lightness += step) {
        // Through 8 bits a channel, so that the colour that is painted is the one that was measured.
        const QColor stepped(QColor::fromHslF(hue, saturation, lightness).rgb());
        if (contrastRatio(background, stepped) >= ratio)
            return stepped;
    }
    return towardsBlack ? QColor(Qt::black) : QColor(Qt::white);
}

} // namespace sandfish
