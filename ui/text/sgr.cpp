#include "ui/text/sgr.h"

#include "ui/text/colorcontrast.h"
#include "ui/text/theme.h"

#include <QTextCharFormat>

#include <array>
#include <optional>

namespace sandfish {
namespace {

using Codes = std::vector<int>;

std::optional<Codes> parseCodes(std::string_view parameters)
{
    Codes codes{0};
    for (const char c : parameters) {
        if (c == ';' || c == ':')
            codes.push_back(0);
        else if (c < '0' || c > '9')
            return std::nullopt;
        else if (codes.back() < 1000)
            codes.back() = codes.back() * 10 + (c - '0');
    }
    return codes;
}

/// Reads "5;n" or "2;r;g;b" after position \a at of a 38 or 48 and moves \a at to the last code it used.
AnsiColor extendedColor(const Codes &codes, std::size_t &at)
{
    const std::size_t left = codes.size() - at - 1;
    if (left >= 2 && codes[at + 1] == 5) {
        at += 2;
        return codes[at] < 256 ? AnsiColor{AnsiColor::Kind::Indexed, static_cast<std::uint32_t>(codes[at])}
                               : AnsiColor();
    }
    if (left >= 4 && codes[at + 1] == 2) {
        std::uint32_t value = 0;
        for (std::size_t i = at + 2; i < at + 5; ++i)
            value = value << 8 | static_cast<std::uint32_t>(std::min(codes[i], 255));
        at += 4;
        return {AnsiColor::Kind::Rgb, value};
    }
    at = codes.size();
    return {};
}

AnsiColor indexed(int index)
{
    return {AnsiColor::Kind::Indexed, static_cast<std::uint32_t>(index)};
}

/// What a code does to one attribute. 22 ends two of them, so a code may have several rows.
struct AttributeChange
{
    int code;
    bool AnsiStyle::*attribute;
    bool value;
};

constexpr std::array kAttributeChanges{
    AttributeChange{1, &AnsiStyle::isBold, true},
    AttributeChange{2, &AnsiStyle::isFaint, true},
    AttributeChange{3, &AnsiStyle::isItalic, true},
    AttributeChange{4, &AnsiStyle::isUnderlined, true},
    AttributeChange{7, &AnsiStyle::isInverse, true},
    AttributeChange{8, &AnsiStyle::isHidden, true},
    AttributeChange{9, &AnsiStyle::isStruckOut, true},
    AttributeChange{21, &AnsiStyle::isUnderlined, true},
    AttributeChange{22, &AnsiStyle::isBold, false},
    AttributeChange{22, &AnsiStyle::isFaint, false},
    AttributeChange{23, &AnsiStyle::isItalic, false},
    AttributeChange{24, &AnsiStyle::isUnderlined, false},
    AttributeChange{27, &AnsiStyle::isInverse, false},
    AttributeChange{28, &AnsiStyle::isHidden, false},
    AttributeChange{29, &AnsiStyle::isStruckOut, false},
};

void applyAttribute(int code, AnsiStyle &style)
{
    if (code == 0)
        style = {};
    else if (code == 39)
        style.foreground = {};
    else if (code == 49)
        style.background = {};
    for (const AttributeChange &change : kAttributeChanges) {
        if (change.code == code)
            style.*change.attribute = change.value;
    }
}

QColor xtermColor(std::uint32_t index)
{
    if (index >= 232) {
        const int grey = 8 + 10 * static_cast<int>(index - 232);
        return QColor(grey, grey, grey);
    }
    const auto level = [](std::uint32_t step) { return step == 0 ? 0 : static_cast<int>(55 + 40 * step); };
    const std::uint32_t cube = index - 16;
    return QColor(level(cube / 36), level(cube / 6 % 6), level(cube % 6));
}

QColor resolve(const AnsiColor &color, const Theme &theme, const QColor &fallback)
{
    if (color.kind == AnsiColor::Kind::Rgb)
        return QColor(QRgb(0xff000000u | color.value));
    if (color.kind == AnsiColor::Kind::Indexed)
        return color.value < 16 ? theme.ansi(static_cast<int>(color.value)) : xtermColor(color.value);
    return fallback;
}

} // namespace

void applySgr(std::string_view parameters, AnsiStyle &style)
{
    const std::optional<Codes> codes = parseCodes(parameters);
    if (!codes)
        return;
    for (std::size_t at = 0; at < codes->size(); ++at) {
        const int code = (*codes)[at];
        if (code >= 30 && code <= 37)
            style.foreground = indexed(code - 30);
        else if (code >= 90 && code <= 97)
            style.foreground = indexed(code - 90 + 8);
        else if (code >= 40 && code <= 47)
            style.background = indexed(code - 40);
        else if (code >= 100 && code <= 107)
            style.background = indexed(code - 100 + 8);
        else if (code == 38)
            style.foreground = extendedColor(*codes, at);
        else if (code == 48)
            style.background = extendedColor(*codes, at);
        else
            applyAttribute(code, style);
    }
}

QTextCharFormat ansiFormat(const AnsiStyle &style, const Theme &theme, const QColor &background)
{
    QColor ink = resolve(style.foreground, theme, theme.color(ColorToken::Text));
    QColor paper = resolve(style.background, theme, background);
    if (style.isFaint && style.foreground.kind == AnsiColor::Kind::Default)
        ink = theme.color(ColorToken::Text3);
    if (style.isInverse)
        std::swap(ink, paper);
    const bool hasPaper = style.isInverse || style.background.kind != AnsiColor::Kind::Default;
    QTextCharFormat format;
    if (hasPaper)
        format.setBackground(paper);
    format.setForeground(style.isHidden ? QColor(Qt::transparent) : legibleOn(paper, ink));
    if (style.isBold)
        format.setFontWeight(QFont::DemiBold);
    if (style.isItalic)
        format.setFontItalic(true);
    if (style.isUnderlined)
        format.setFontUnderline(true);
    if (style.isStruckOut)
        format.setFontStrikeOut(true);
    return format;
}

QList<QTextLayout::FormatRange> ansiFormats(const std::vector<AnsiSpan> &spans, const Theme &theme)
{
    QList<QTextLayout::FormatRange> formats;
    formats.reserve(static_cast<qsizetype>(spans.size()));
    for (const AnsiSpan &span : spans)
        formats.append({span.start, span.length, ansiFormat(span.style, theme, theme.color(ColorToken::Canvas))});
    return formats;
}

} // namespace sandfish
