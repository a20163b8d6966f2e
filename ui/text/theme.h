#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

#include <array>

namespace sandfish {

/// The colour tokens of DESIGN.md §2.1, in the order of its table.
enum class ColorToken
{
    Window,
    Panel,
    Canvas,
    Code,
    Raised,
    Hover,
    Selected,
    SelectedIdle,
    AccentTint,
    Border,
    Control,
    Text,
    Text2,
    Text3,
    Accent,
    AccentHover,
    OnAccent,
    Run,
    RunTint,
    Sand,
    SandTint,
    SandMark,
    Warn,
    WarnTint,
    Error,
    ErrorTint,
    Unknown,
    UnknownTint,
    Keyword,
    StringLiteral,
    Number,
    Function,
    Comment,
    Find,
    FindCurrent,
    Count_
};

/// The text styles of DESIGN.md §2.4.
enum class TextStyle
{
    Small,
    Base,
    Strong,
    Title,
    TitleLarge,
    MarkdownBody,
    MarkdownH1,
    MarkdownH2,
    MarkdownH3,
    Code,
    CodeStrong,
    CodeSmall,
    Count_
};

/// Colours, fonts and measures of one look. An immutable value, cheap to copy by reference; Theme::changed is a matter
/// of whoever holds it. Thread: any for the colours, GUI for the fonts.
class Theme
{
public:
    enum class Mode
    {
        Light,
        Dark
    };

    /// \a uiFont is the system's; sizes scale with it (DESIGN.md §2.4). \a codeFont gives the family; a pixel size set
    /// on it is kept, otherwise it scales with the system font too.
    static Theme make(Mode mode, const QFont &uiFont, const QFont &codeFont);
    /// For the application's fonts and the given mode.
    static Theme forApplication(Mode mode);

    Mode mode() const { return m_mode; }
    bool isDark() const { return m_mode == Mode::Dark; }
    QColor color(ColorToken token) const { return m_colors[static_cast<std::size_t>(token)]; }
    QColor series(int index) const; ///< DESIGN.md §2.2, 0 to 7, repeats
    QColor ansi(int index) const;   ///< 16 colours stepped to 4.5 on canvas
    QPalette palette() const;       ///< the mapping of DESIGN.md §2.1

    const QFont &font(TextStyle style) const { return m_fonts[static_cast<std::size_t>(style)]; }
    /// Whole logical px from one line to the next; never less than the font needs.
    qreal linePx(TextStyle style) const { return m_linesPx[static_cast<std::size_t>(style)]; }

    const QFont &uiFont() const { return font(TextStyle::Base); }
    const QFont &smallFont() const { return font(TextStyle::Small); }
    const QFont &strongFont() const { return font(TextStyle::Strong); }
    const QFont &titleFont() const { return font(TextStyle::Title); }
    const QFont &markdownFont(int headingLevel) const; ///< 1 to 3; 0: body
    const QFont &codeFont() const { return font(TextStyle::Code); }
    const QFont &codeSmallFont() const { return font(TextStyle::CodeSmall); }
    /// Design pixels to this font size: factor = system size / 13 px.
    qreal scaled(qreal designPx) const { return designPx * m_scale; }

private:
    void setFonts(const QFont &uiFont, const QFont &codeFont);

    Mode m_mode = Mode::Light;
    std::array<QColor, static_cast<std::size_t>(ColorToken::Count_)> m_colors;
    std::array<QColor, 16> m_ansi;
    std::array<QFont, static_cast<std::size_t>(TextStyle::Count_)> m_fonts;
    std::array<qreal, static_cast<std::size_t>(TextStyle::Count_)> m_linesPx{};
    qreal m_scale = 1;
};

} // namespace sandfish
