#include "core/document/sgrstate.h"

#include <array>
#include <utility>

namespace sandfish {
namespace {

constexpr std::size_t kMaxCodes = 32;

struct Codes
{
    std::array<std::uint32_t, kMaxCodes> values{};
    std::size_t count = 0;
};

// Both separators are in use: `38;5;208` and ISO 8613-6's `38:2::0:255:0`, whose empty colour space is dropped.
Codes codesOf(std::string_view parameters)
{
    Codes codes;
    std::uint32_t value = 0;
    char before = ';';
    for (std::size_t i = 0; i <= parameters.size() && codes.count < kMaxCodes; ++i) {
        const char c = i < parameters.size() ? parameters[i] : ';';
        if (c >= '0' && c <= '9') {
            value = value < 100'000 ? value * 10 + static_cast<std::uint32_t>(c - '0') : value;
        } else if (c == ';' || c == ':') {
            const bool isEmptyColourSpace = before == ':' && c == ':';
            if (!isEmptyColourSpace)
                codes.values[codes.count++] = value;
            value = 0;
        }
        before = c;
    }
    return codes;
}

// Reads what follows 38 or 48 and moves \a i to its last code; returns the colour that was before if it is malformed.
std::uint32_t extendedColour(const Codes &codes, std::size_t &i, std::uint32_t before)
{
    const auto code = [&](std::size_t at) { return at < codes.count ? codes.values[at] : 0; };
    if (code(i + 1) == 5 && i + 2 < codes.count) {
        const std::uint32_t index = code(i + 2);
        i += 2;
        return index < 256 ? SgrState::kPalette | index : before;
    }
    if (code(i + 1) == 2 && i + 4 < codes.count) {
        const std::uint32_t red = code(i + 2), green = code(i + 3), blue = code(i + 4);
        i += 4;
        return red < 256 && green < 256 && blue < 256 ? SgrState::kRgb | red << 16 | green << 8 | blue : before;
    }
    i = codes.count;
    return before;
}

struct AttributeCode
{
    std::uint32_t code;
    std::uint32_t set;
    std::uint32_t cleared;
};

constexpr std::array kAttributeCodes{
    AttributeCode{1, SgrState::Bold, 0},
    AttributeCode{2, SgrState::Faint, 0},
    AttributeCode{3, SgrState::Italic, 0},
    AttributeCode{4, SgrState::Underline, SgrState::DoubleUnderline},
    AttributeCode{5, SgrState::Blink, 0},
    AttributeCode{6, SgrState::Blink, 0},
    AttributeCode{7, SgrState::Inverse, 0},
    AttributeCode{8, SgrState::Hidden, 0},
    AttributeCode{9, SgrState::StruckOut, 0},
    AttributeCode{21, SgrState::DoubleUnderline, SgrState::Underline},
    AttributeCode{22, 0, SgrState::Bold | SgrState::Faint},
    AttributeCode{23, 0, SgrState::Italic},
    AttributeCode{24, 0, SgrState::Underline | SgrState::DoubleUnderline},
    AttributeCode{25, 0, SgrState::Blink},
    AttributeCode{27, 0, SgrState::Inverse},
    AttributeCode{28, 0, SgrState::Hidden},
    AttributeCode{29, 0, SgrState::StruckOut},
    AttributeCode{53, SgrState::Overline, 0},
    AttributeCode{55, 0, SgrState::Overline},
};

void appendColour(std::uint32_t colour, std::uint32_t base, std::string &out)
{
    if (colour == 0)
        return;
    const std::uint32_t value = colour & 0xffffff;
    if (colour & SgrState::kRgb) {
        out += std::to_string(base + 8) + ";2;" + std::to_string(value >> 16) + ';' + std::to_string(value >> 8 & 255)
            + ';' + std::to_string(value & 255) + ';';
    } else if (value < 8) {
        out += std::to_string(base + value) + ';';
    } else if (value < 16) {
        out += std::to_string(base + 60 + value - 8) + ';';
    } else {
        out += std::to_string(base + 8) + ";5;" + std::to_string(value) + ';';
    }
}

} // namespace

void SgrState::apply(std::string_view parameters)
{
    const Codes codes = codesOf(parameters);
    for (std::size_t i = 0; i < codes.count; ++i) {
        const std::uint32_t code = codes.values[i];
        if (code == 0)
            *this = {};
        else if (code >= 30 && code <= 37)
            foreground = kPalette | (code - 30);
        else if (code >= 40 && code <= 47)
            background = kPalette | (code - 40);
        else if (code >= 90 && code <= 97)
            foreground = kPalette | (code - 90 + 8);
        else if (code >= 100 && code <= 107)
            background = kPalette | (code - 100 + 8);
        else if (code == 38)
            foreground = extendedColour(codes, i, foreground);
        else if (code == 48)
            background = extendedColour(codes, i, background);
        else if (code == 58) // the colour of underlines: read over
            extendedColour(codes, i, 0);
        else if (code == 39)
            foreground = 0;
        else if (code == 49)
            background = 0;
        else
            for (const AttributeCode &row : kAttributeCodes)
                if (row.code == code)
                    attributes = (attributes & ~row.cleared) | row.set;
    }
}

void SgrState::appendTransition(const SgrState &before, std::string &out) const
{
    if (*this == before)
        return;
    out += "\x1b[";
    if (isDefault()) {
        out += "0m";
        return;
    }
    if (!before.isDefault())
        out += "0;";
    for (const AttributeCode &row : kAttributeCodes)
        if (row.code != 6 && (attributes & row.set))
            out += std::to_string(row.code) + ';';
    appendColour(foreground, 30, out);
    appendColour(background, 40, out);
    out.back() = 'm';
}

} // namespace sandfish
