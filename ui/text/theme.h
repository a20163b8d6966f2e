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

    /// \a uiFont is the system's; sizes scale with it (DESIGN.md §2.4).
    static Theme make(Mode mode, const QFont &uiFont, const QFont &codeFont);
    /// For the application's fonts and the given mode.
    static Theme forApplication(Mode mode);

    Mode mode() const { return m_mode; }
    bool isDark() const { return m_mode == Mode::Dark; }
    QColor color(ColorToken token) const { return m_colors[static_cast<std::size_t>(token)]; }
    QColor series(int index) const; ///< DESIGN.md §2.2, 0 to 7, repeats
    QColor ansi(int index) const;   ///< 16 colours stepped to 4.5 on canvas
    QPalette palette() const;       ///< the mapping of DESIGN.md §2.1

    const QFont &uiFont() const { return m_uiFont; } ///< base
    QFont smallFont() const;
    QFont strongFont() const;
    QFont titleFont() const;
    QFont markdownFont(int headingLevel) const; ///< 1 to 3; 0: body
    const QFont &codeFont() const { return m_codeFont; }
    QFont codeSmallFont() const;
    /// Design pixels to this font size: factor = system size / 13 px.
    qreal scaled(qreal designPx) const { return designPx * m_scale; }

private:
    Mode m_mode = Mode::Light;
    std::array<QColor, static_cast<std::size_t>(ColorToken::Count_)> m_colors;
    QFont m_uiFont;
    QFont m_codeFont;
    qreal m_scale = 1;
};

} // namespace sandfish
