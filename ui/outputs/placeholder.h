#pragma once

#include <QRectF>
#include <QString>

class QPainter;

namespace sandfish {

class Theme;

/// The dashed box that stands where an output cannot be shown, or not yet: an icon and one line of words.
class Placeholder
{
public:
    static qreal heightPx(const Theme &theme);
    static void paint(
        QPainter &painter, const QRectF &rect, const QString &icon, const QString &text, const Theme &theme);
};

} // namespace sandfish
