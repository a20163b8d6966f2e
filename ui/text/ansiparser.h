#pragma once

#include <QString>
#include <QTextLayout>

#include <cstdint>
#include <string_view>
#include <vector>

class QTextCharFormat;

namespace sandfish {

class Theme;

/// A colour as a terminal names it.
struct AnsiColor
{
    enum class Kind : std::uint8_t
    {
        Default,
        Indexed, ///< value 0 to 255
        Rgb      ///< value 0xRRGGBB
    };
    Kind kind = Kind::Default;
    std::uint32_t value = 0;
    bool operator==(const AnsiColor &) const = default;
};

/// What SGR sequences have set.
struct AnsiStyle
{
    AnsiColor foreground;
    AnsiColor background;
    bool isBold = false;
    bool isFaint = false;
    bool isItalic = false;
    bool isUnderlined = false;
    bool isStruckOut = false;
    bool isInverse = false;
    bool isHidden = false;
    bool isDefault() const { return *this == AnsiStyle(); }
    bool operator==(const AnsiStyle &) const = default;
};

/// A stretch of the text in one style that is not the default; in UTF-16 units.
struct AnsiSpan
{
    int start = 0;
    int length = 0;
    AnsiStyle style;
    bool operator==(const AnsiSpan &) const = default;
};

/// Text without escape sequences, and its styles in order and without overlap.
struct AnsiText
{
    QString text;
    std::vector<AnsiSpan> spans;
};

/// Takes SGR sequences (16, 256 and true colours, bold, faint, italic, underline, inverse, strike) out of text and
/// swallows every other escape and control character but TAB and LF; nothing is ever answered (agents-and-sandboxes.md
/// §5). A sequence may be cut anywhere between two chunks. An OSC or DCS string ends at a line end at the latest, so
/// that an unclosed one cannot hide what follows. Cost: O(bytes). Thread: any.
class AnsiParser
{
public:
    /// \a utf8 must end between two characters.
    AnsiText parse(std::string_view utf8);
    const AnsiStyle &style() const { return m_style; }
    void reset();

private:
    enum class State
    {
        Text,
        Escape,       ///< after ESC
        Intermediate, ///< ESC and an intermediate byte: one more byte follows
        Csi,
        String,      ///< OSC, DCS, APC, PM, SOS
        StringEscape ///< ESC inside such a string
    };
    void take(unsigned char byte, std::string &plain, AnsiText &out);
    void takeEscape(unsigned char byte);
    void takeCsi(unsigned char byte, std::string &plain, AnsiText &out);
    void closeSpan(std::string &plain, AnsiText &out);

    State m_state = State::Text;
    std::string m_parameters; // of the open CSI
    AnsiStyle m_style;
};

/// \a text without its escape sequences, for copy and search.
QString withoutAnsi(std::string_view utf8);

/// The colours and weights of \a style, made legible on \a background (contrast 4.5) unless hidden.
QTextCharFormat ansiFormat(const AnsiStyle &style, const Theme &theme, const QColor &background);
/// The formats of a whole text on the canvas.
QList<QTextLayout::FormatRange> ansiFormats(const std::vector<AnsiSpan> &spans, const Theme &theme);

} // namespace sandfish
