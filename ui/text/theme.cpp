#include "ui/text/theme.h"

#include "ui/text/colorcontrast.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace sandfish {
namespace {

struct Pair
{
    QRgb light;
    QRgb dark;
    QColor color(bool isDark) const { return QColor(QRgb(0xff000000u | (isDark ? dark : light))); }
};

// The table of DESIGN.md §2.1: light, dark; the order is that of ColorToken.
constexpr std::array<Pair, static_cast<std::size_t>(ColorToken::Count_)> kTokens{{
    {0xf3f0ea, 0x1f1d1b}, // window
    {0xf9f7f3, 0x22201e}, // panel
    {0xfefdfb, 0x191816}, // canvas
    {0xf5f2ec, 0x22201d}, // code
    {0xffffff, 0x2b2926}, // raised
    {0xe9e4da, 0x34312c}, // hover
    {0xd6e8ee, 0x1e3f4a}, // selected
    {0xe6e0d5, 0x36322d}, // selectedidle
    {0xdfeef2, 0x1a3039}, // accenttint
    {0xe0dace, 0x38342f}, // border
    {0x8a8375, 0x857d70}, // control
    {0x262219, 0xeae6de}, // text
    {0x575145, 0xb8b1a4}, // text2
    {0x686153, 0xa39c8e}, // text3
    {0x0b6781, 0x5cb9d3}, // accent
    {0x08546a, 0x80cce2}, // accenthover
    {0xffffff, 0x08222a}, // onaccent
    {0x1b7040, 0x6fc78f}, // run
    {0xe0f0e4, 0x1b3124}, // runtint
    {0x7a520c, 0xe5b86f}, // sand
    {0xf8ecd4, 0x352a17}, // sandtint
    {0xb07a22, 0xc99644}, // sandmark
    {0x9c4500, 0xf2a066}, // warn
    {0xfbe8d8, 0x3a2616}, // warntint
    {0xb3261e, 0xf58d83}, // error
    {0xfbe7e4, 0x3d211e}, // errortint
    {0x63489b, 0xbca8ec}, // unknown
    {0xece6f6, 0x2d2740}, // unknowntint
    {0x7a3e9d, 0xcba6ec}, // kw
    {0x2b6830, 0xa6cb8c}, // str
    {0x9a4a00, 0xe3ac7e}, // num
    {0x0b5d78, 0x82c7dc}, // fn
    {0x686153, 0xa39c8e}, // com
    {0xffe9a8, 0x5a4a1c}, // find
    {0xffc94d, 0x6e520c}, // findcur
}};

constexpr std::array<Pair, 8> kSeries{{
    {0x0a5ca8, 0x4e97ea},
    {0xdb5a1e, 0xf0763c},
    {0x00a483, 0x63c992},
    {0x90347a, 0xac5db1},
    {0x6d540a, 0xf3df7e},
    {0x3282b1, 0x8adbfa},
    {0x232b5e, 0x885f3a},
    {0x78746d, 0x938e87},
}};

// The 16 terminal colours near the tokens of the same meaning, before they are stepped to contrast.
constexpr std::array<Pair, 16> kAnsi{{
    {0x262219, 0x857d70}, // black
    {0xb3261e, 0xf58d83}, // red
    {0x1b7040, 0x6fc78f}, // green
    {0x7a520c, 0xe5b86f}, // yellow
    {0x0a5ca8, 0x4e97ea}, // blue
    {0x90347a, 0xc07ac5}, // magenta
    {0x0b6781, 0x5cb9d3}, // cyan
    {0x686153, 0xd2ccc0}, // white
    {0x575145, 0xa39c8e}, // bright black
    {0xd93a30, 0xffa89f}, // bright red
    {0x24894f, 0x8fdcab}, // bright green
    {0x9a6a10, 0xf5d08f}, // bright yellow
    {0x1b74cc, 0x82b6f4}, // bright blue
    {0xb0479a, 0xd9a0dd}, // bright magenta
    {0x0e7f9e, 0x8ad6ea}, // bright cyan
    {0x78746d, 0xf7f4ee}, // bright white
}};

struct StyleMeasure
{
    int sizePx;
    int linePx;
    QFont::Weight weight;
    bool isCode;
};

// DESIGN.md §2.4, in the order of TextStyle.
constexpr std::array<StyleMeasure, static_cast<std::size_t>(TextStyle::Count_)> kStyles{{
    {12, 16, QFont::Normal, false},
    {13, 18, QFont::Normal, false},
    {13, 18, QFont::DemiBold, false},
    {15, 22, QFont::DemiBold, false},
    {16, 22, QFont::DemiBold, false},
    {14, 21, QFont::Normal, false},
    {21, 28, QFont::DemiBold, false},
    {17, 24, QFont::DemiBold, false},
    {15, 22, QFont::DemiBold, false},
    {13, 19, QFont::Normal, true},
    {13, 19, QFont::DemiBold, true},
    {12, 18, QFont::Normal, true},
}};

constexpr qreal kBasePx = 13;

int pixelSizeOf(const QFont &font)
{
    return font.pixelSize() > 0 ? font.pixelSize() : QFontInfo(font).pixelSize();
}

} // namespace

Theme Theme::make(Mode mode, const QFont &uiFont, const QFont &codeFont)
{
    Theme theme;
    theme.m_mode = mode;
    const bool isDark = theme.isDark();
    for (std::size_t i = 0; i < kTokens.size(); ++i)
        theme.m_colors[i] = kTokens[i].color(isDark);
    const QColor canvas = theme.color(ColorToken::Canvas);
    for (std::size_t i = 0; i < kAnsi.size(); ++i)
        theme.m_ansi[i] = legibleOn(canvas, kAnsi[i].color(isDark));
    theme.setFonts(uiFont, codeFont);
    return theme;
}

Theme Theme::forApplication(Mode mode)
{
    QFont codeFont = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    // Its size is the platform's default, not the user's choice; the design scales code with the system font.
    const QFont uiFont = QGuiApplication::font();
    if (uiFont.pointSizeF() > 0)
        codeFont.setPointSizeF(uiFont.pointSizeF());
    else
        codeFont.setPixelSize(uiFont.pixelSize());
    return make(mode, uiFont, codeFont);
}

void Theme::setFonts(const QFont &uiFont, const QFont &codeFont)
{
    const qreal uiPx = pixelSizeOf(uiFont);
    m_scale = uiPx / kBasePx;
    const qreal codeScale = codeFont.pixelSize() > 0 ? codeFont.pixelSize() / kBasePx : m_scale;
    for (std::size_t i = 0; i < kStyles.size(); ++i) {
        const StyleMeasure &style = kStyles[i];
        const qreal scale = style.isCode ? codeScale : m_scale;
        QFont font = style.isCode ? codeFont : uiFont;
        font.setPixelSize(std::max(1, qRound(style.sizePx * scale)));
        font.setWeight(style.weight);
        if (style.isCode) {
            font.setFixedPitch(true);
            font.setStyleHint(QFont::Monospace);
        }
        m_fonts[i] = font;
        m_linesPx[i] = std::round(style.linePx * scale);
    }
    // Only the code font is measured: measuring each style would load a dozen font engines before the first paint.
    const qreal neededPx = std::ceil(QFontMetricsF(codeFont).height() * codeScale * kBasePx / pixelSizeOf(codeFont));
    for (TextStyle style : {TextStyle::Code, TextStyle::CodeStrong})
        m_linesPx[static_cast<std::size_t>(style)] = std::max(linePx(style), neededPx);
}

QColor Theme::series(int index) const
{
    return kSeries[static_cast<std::size_t>(std::abs(index)) % kSeries.size()].color(isDark());
}

QColor Theme::ansi(int index) const
{
    return m_ansi[static_cast<std::size_t>(index) % m_ansi.size()];
}

const QFont &Theme::markdownFont(int headingLevel) const
{
    switch (headingLevel) {
    case 1:
        return font(TextStyle::MarkdownH1);
    case 2:
        return font(TextStyle::MarkdownH2);
    case 0:
        return font(TextStyle::MarkdownBody);
    default:
        return font(TextStyle::MarkdownH3);
    }
}

QPalette Theme::palette() const
{
    using Role = QPalette::ColorRole;
    const std::pair<Role, ColorToken> roles[] = {
        {QPalette::Window, ColorToken::Window},
        {QPalette::Base, ColorToken::Canvas},
        {QPalette::AlternateBase, ColorToken::Code},
        {QPalette::Button, ColorToken::Raised},
        {QPalette::Text, ColorToken::Text},
        {QPalette::WindowText, ColorToken::Text},
        {QPalette::ButtonText, ColorToken::Text},
        {QPalette::BrightText, ColorToken::Error},
        {QPalette::PlaceholderText, ColorToken::Text3},
        {QPalette::Highlight, ColorToken::Selected},
        {QPalette::HighlightedText, ColorToken::Text},
        {QPalette::Link, ColorToken::Accent},
        {QPalette::LinkVisited, ColorToken::Accent},
        {QPalette::ToolTipBase, ColorToken::Raised},
        {QPalette::ToolTipText, ColorToken::Text},
        {QPalette::Light, ColorToken::Raised},
        {QPalette::Midlight, ColorToken::Hover},
        {QPalette::Mid, ColorToken::Border},
        {QPalette::Dark, ColorToken::Control},
        {QPalette::Shadow, ColorToken::Control},
#if QT_VERSION >= QT_VERSION_CHECK(6, 6, 0)
        {QPalette::Accent, ColorToken::Accent},
#endif
    };
    QPalette palette;
    for (const auto &[role, token] : roles)
        palette.setColor(QPalette::All, role, color(token));
    palette.setColor(QPalette::Inactive, QPalette::Highlight, color(ColorToken::SelectedIdle));
    for (Role role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, color(ColorToken::Text3));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, color(ColorToken::SelectedIdle));
    return palette;
}

} // namespace sandfish
