#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sandfish {

/// The graphic rendition that `ESC[...m` sequences add up to: colours and attributes of a terminal character.
struct SgrState
{
    enum Attribute : std::uint32_t
    {
        Bold = 0x1,
        Faint = 0x2,
        Italic = 0x4,
        Underline = 0x8,
        DoubleUnderline = 0x10,
        Blink = 0x20,
        Inverse = 0x40,
        Hidden = 0x80,
        StruckOut = 0x100,
        Overline = 0x200,
    };
    /// Colours: 0 is the default, kPalette | index is one of 256, kRgb | 0xrrggbb is a true colour.
    static constexpr std::uint32_t kPalette = 0x01000000;
    static constexpr std::uint32_t kRgb = 0x02000000;

    std::uint32_t attributes = 0;
    std::uint32_t foreground = 0;
    std::uint32_t background = 0;

    bool isDefault() const { return *this == SgrState{}; }
    bool operator==(const SgrState &) const = default;

    /// Obeys one sequence; \a parameters is the text between `ESC[` and `m`. Unknown codes are ignored.
    void apply(std::string_view parameters);
    /// Appends the shortest sequence that leads from \a before to this state; nothing if they are equal.
    void appendTransition(const SgrState &before, std::string &out) const;
};

} // namespace sandfish
