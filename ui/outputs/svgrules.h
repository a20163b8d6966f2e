#pragma once

#include <QSizeF>
#include <QString>

class QXmlStreamAttributes;

namespace sandfish {

/// What of SVG is drawing: the lists behind sanitizeSvg().
bool isAllowedSvgElement(const QString &name);
/// Any attribute but an href. A value may point into its own document only.
bool isAllowedSvgAttribute(const QString &name, const QString &value);
bool isAllowedSvgStyleSheet(const QString &sheet);
/// An href: to an element of the document or, of an image, to a small raster picture inside the file.
bool isAllowedSvgLink(const QString &element, const QString &value);

/// The logical size of a root element: width and height in px, pt, mm, cm, in, else the view box, else 300 x 150;
/// scaled down to sides of 20,000.
QSizeF svgSize(const QXmlStreamAttributes &attributes);

} // namespace sandfish
