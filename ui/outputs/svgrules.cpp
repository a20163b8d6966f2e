#include "ui/outputs/svgrules.h"

#include <QRegularExpression>
#include <QSet>
#include <QXmlStreamAttributes>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr double kMaxSidePx = 20000;
constexpr qsizetype kMaxImageChars = 4 << 20;
constexpr qsizetype kMaxSheetChars = 64 << 10;
// A pattern finer than this on a long line makes millions of dashes.
constexpr double kMinDash = 0.25;

/// A length in px; 0 if it is none or relative.
double lengthPx(QStringView text)
{
    static const QRegularExpression expression(u"^\\s*([0-9.]+(?:[eE][+-]?\\d+)?)\\s*(px|pt|pc|mm|cm|in|)\\s*$"_s);
    const auto match = expression.match(text.toString());
    const double value = match.captured(1).toDouble();
    const QString unit = match.captured(2);
    const double factor = unit == "pt"_L1 ? 96.0 / 72
        : unit == "pc"_L1                 ? 16
        : unit == "mm"_L1                 ? 96 / 25.4
        : unit == "cm"_L1                 ? 96 / 2.54
        : unit == "in"_L1                 ? 96
                                          : 1;
    return std::isfinite(value) ? value * factor : 0;
}

bool isHarmlessDash(const QString &value)
{
    static const QRegularExpression separator(u"[\\s,]+"_s);
    if (value.trimmed() == "none"_L1 || value.trimmed() == "inherit"_L1)
        return true;
    double sum = 0;
    const auto parts = QStringView(value).split(separator, Qt::SkipEmptyParts);
    for (const QStringView part : parts)
        sum += lengthPx(part);
    return sum >= kMinDash;
}

/// url(...) with anything but a fragment, expressions, and imports.
bool pointsOutside(const QString &value)
{
    static const QRegularExpression outside(
        u"url\\s*\\(\\s*['\"]?\\s*(?!#)|@import|expression\\s*\\(|javascript:|\\\\"_s,
        QRegularExpression::CaseInsensitiveOption);
    return outside.match(value).hasMatch();
}

bool isHarmlessStyle(const QString &value)
{
    static const QRegularExpression dash(u"stroke-dasharray\\s*:\\s*([^;}]*)"_s);
    for (auto matches = dash.globalMatch(value); matches.hasNext();) {
        if (!isHarmlessDash(matches.next().captured(1)))
            return false;
    }
    return true;
}

} // namespace

bool isAllowedSvgElement(const QString &name)
{
    static const QSet<QString> allowed{u"svg"_s, u"g"_s, u"defs"_s, u"symbol"_s, u"use"_s, u"path"_s, u"rect"_s,
        u"circle"_s, u"ellipse"_s, u"line"_s, u"polyline"_s, u"polygon"_s, u"text"_s, u"tspan"_s, u"textArea"_s,
        u"tbreak"_s, u"image"_s, u"linearGradient"_s, u"radialGradient"_s, u"stop"_s, u"solidColor"_s, u"clipPath"_s,
        u"title"_s, u"desc"_s, u"switch"_s};
    return allowed.contains(name);
}

bool isAllowedSvgAttribute(const QString &name, const QString &value)
{
    if (name.startsWith("on"_L1, Qt::CaseInsensitive) || name == "base"_L1 || name == "filter"_L1)
        return false;
    if (name == "stroke-dasharray"_L1)
        return isHarmlessDash(value);
    return !pointsOutside(value) && (name != "style"_L1 || isHarmlessStyle(value));
}

bool isAllowedSvgStyleSheet(const QString &sheet)
{
    return sheet.size() <= kMaxSheetChars && !pointsOutside(sheet) && isHarmlessStyle(sheet);
}

bool isAllowedSvgLink(const QString &element, const QString &value)
{
    if (value.startsWith(u'#'))
        return value.size() > 1;
    static const QRegularExpression raster(u"^data:image/(?:png|jpeg);base64,"_s);
    return element == "image"_L1 && value.size() <= kMaxImageChars && raster.match(value).hasMatch();
}

QSizeF svgSize(const QXmlStreamAttributes &attributes)
{
    static const QRegularExpression separator(u"[\\s,]+"_s);
    QSizeF box;
    const QStringList view = attributes.value("viewBox"_L1).toString().split(separator, Qt::SkipEmptyParts);
    if (view.size() == 4 && view[2].toDouble() > 0 && view[3].toDouble() > 0)
        box = {view[2].toDouble(), view[3].toDouble()};
    QSizeF size(lengthPx(attributes.value("width"_L1)), lengthPx(attributes.value("height"_L1)));
    if (size.width() > 0 && size.height() <= 0 && !box.isEmpty())
        size.setHeight(size.width() * box.height() / box.width());
    else if (size.height() > 0 && size.width() <= 0 && !box.isEmpty())
        size.setWidth(size.height() * box.width() / box.height());
    if (size.isEmpty())
        size = box.isEmpty() ? QSizeF(300, 150) : box;
    if (std::max(size.width(), size.height()) > kMaxSidePx)
        size.scale(kMaxSidePx, kMaxSidePx, Qt::KeepAspectRatio);
    return size.expandedTo({1, 1});
}

} // namespace sandfish
