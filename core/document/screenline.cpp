#include "core/document/screenline.h"

#include <QChar>

#include <algorithm>
#include <array>

namespace sandfish {
namespace {

struct Range
{
    char32_t first;
    char32_t last;
};

// East Asian wide and fullwidth characters, and what is shown as an emoji by default (Unicode 15, UAX 11).
constexpr std::array kWide{
    Range{0x1100, 0x115f},
    Range{0x231a, 0x231b},
    Range{0x2329, 0x232a},
    Range{0x23e9, 0x23ec},
    Range{0x23f0, 0x23f0},
    Range{0x23f3, 0x23f3},
    Range{0x25fd, 0x25fe},
    Range{0x2614, 0x2615},
    Range{0x2648, 0x2653},
    Range{0x267f, 0x267f},
    Range{0x2693, 0x2693},
    Range{0x26a1, 0x26a1},
    Range{0x26aa, 0x26ab},
    Range{0x26bd, 0x26be},
    Range{0x26c4, 0x26c5},
    Range{0x26ce, 0x26ce},
    Range{0x26d4, 0x26d4},
    Range{0x26ea, 0x26ea},
    Range{0x26f2, 0x26f3},
    Range{0x26f5, 0x26f5},
    Range{0x26fa, 0x26fa},
    Range{0x26fd, 0x26fd},
    Range{0x2705, 0x2705},
    Range{0x270a, 0x270b},
    Range{0x2728, 0x2728},
    Range{0x274c, 0x274c},
    Range{0x274e, 0x274e},
    Range{0x2753, 0x2755},
    Range{0x2757, 0x2757},
    Range{0x2795, 0x2797},
    Range{0x27b0, 0x27b0},
    Range{0x27bf, 0x27bf},
    Range{0x2b1b, 0x2b1c},
    Range{0x2b50, 0x2b50},
    Range{0x2b55, 0x2b55},
    Range{0x2e80, 0x303e},
    Range{0x3041, 0x33ff},
    Range{0x3400, 0x4dbf},
    Range{0x4e00, 0x9fff},
    Range{0xa000, 0xa4cf},
    Range{0xa960, 0xa97f},
    Range{0xac00, 0xd7a3},
    Range{0xf900, 0xfaff},
    Range{0xfe10, 0xfe19},
    Range{0xfe30, 0xfe6f},
    Range{0xff00, 0xff60},
    Range{0xffe0, 0xffe6},
    Range{0x1f004, 0x1f004},
    Range{0x1f0cf, 0x1f0cf},
    Range{0x1f18e, 0x1f18e},
    Range{0x1f191, 0x1f19a},
    Range{0x1f200, 0x1f320},
    Range{0x1f32d, 0x1f335},
    Range{0x1f337, 0x1f37c},
    Range{0x1f37e, 0x1f393},
    Range{0x1f3a0, 0x1f3ca},
    Range{0x1f3cf, 0x1f3d3},
    Range{0x1f3e0, 0x1f3f0},
    Range{0x1f3f4, 0x1f3f4},
    Range{0x1f3f8, 0x1f43e},
    Range{0x1f440, 0x1f440},
    Range{0x1f442, 0x1f4fc},
    Range{0x1f4ff, 0x1f53d},
    Range{0x1f54b, 0x1f54e},
    Range{0x1f550, 0x1f567},
    Range{0x1f57a, 0x1f57a},
    Range{0x1f595, 0x1f596},
    Range{0x1f5a4, 0x1f5a4},
    Range{0x1f5fb, 0x1f64f},
    Range{0x1f680, 0x1f6c5},
    Range{0x1f6cc, 0x1f6cc},
    Range{0x1f6d0, 0x1f6d2},
    Range{0x1f6d5, 0x1f6d7},
    Range{0x1f6dc, 0x1f6df},
    Range{0x1f6eb, 0x1f6ec},
    Range{0x1f6f4, 0x1f6fc},
    Range{0x1f7e0, 0x1f7eb},
    Range{0x1f7f0, 0x1f7f0},
    Range{0x1f90c, 0x1f9ff},
    Range{0x1fa70, 0x1faff},
    Range{0x20000, 0x3fffd},
};

constexpr std::size_t kMaxMarks = 4096;

char32_t nextCharacter(std::string_view text, std::size_t &i)
{
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length == 1 || i + length > text.size()) {
        ++i;
        return lead < 0x80 ? lead : 0xfffd;
    }
    char32_t value = lead & (0xff >> (length + 1));
    for (std::size_t k = 1; k < length; ++k)
        value = value << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3f);
    i += length;
    return value;
}

void appendUtf8(char32_t c, std::string &out)
{
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (c >> shift & 0x3f)); };
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xc0 | c >> 6);
        tail(0);
    } else if (c < 0x10000) {
        out += static_cast<char>(0xe0 | c >> 12);
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xf0 | c >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

} // namespace

int columnsOf(char32_t character)
{
    if (character < 0x300)
        return 1;
    const QChar::Category category = QChar::category(character);
    if (category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing || category == QChar::Other_Format)
        return 0;
    const auto range =
        std::lower_bound(kWide.begin(), kWide.end(), character, [](const Range &r, char32_t c) { return r.last < c; });
    return range != kWide.end() && range->first <= character ? 2 : 1;
}

void ScreenLine::load(std::string_view bytes, const SgrState &style)
{
    m_cells.clear();
    m_marks.clear();
    SgrState state = style;
    std::size_t column = 0;
    std::size_t i = 0;
    while (i < bytes.size()) {
        if (bytes.compare(i, 2, "\x1b[") == 0) {
            const std::size_t end = bytes.find('m', i);
            if (end == std::string_view::npos)
                return;
            state.apply(bytes.substr(i + 2, end - i - 2));
            i = end + 1;
        } else {
            put(nextCharacter(bytes, i), column, state);
        }
    }
}

std::string ScreenLine::toBytes(const SgrState &before, const SgrState &after) const
{
    std::string bytes;
    bytes.reserve(m_cells.size() + 32);
    SgrState state = before;
    for (const Cell &cell : m_cells) {
        if (cell.character == 0)
            continue;
        cell.style.appendTransition(state, bytes);
        state = cell.style;
        appendUtf8(cell.character, bytes);
        if (cell.marks != 0)
            for (const char32_t mark : m_marks[cell.marks - 1])
                appendUtf8(mark, bytes);
    }
    after.appendTransition(state, bytes);
    return bytes;
}

std::size_t ScreenLine::write(
    std::string_view text, std::size_t column, const SgrState &style, std::size_t maxColumn, std::size_t &taken)
{
    if (column > m_cells.size() && !text.empty())
        m_cells.resize(column, Cell{U' ', 0, {}});
    taken = 0;
    while (taken < text.size() && column < maxColumn)
        put(nextCharacter(text, taken), column, style);
    return column;
}

void ScreenLine::put(char32_t character, std::size_t &column, const SgrState &style)
{
    const int columns = columnsOf(character);
    if (columns == 0 && column > 0 && column <= m_cells.size()) {
        std::size_t owner = column - 1;
        if (m_cells[owner].character == 0 && owner > 0)
            --owner;
        if (m_cells[owner].marks == 0 && m_marks.size() < kMaxMarks) {
            m_marks.emplace_back();
            m_cells[owner].marks = static_cast<std::uint32_t>(m_marks.size());
        }
        if (m_cells[owner].marks != 0)
            m_marks[m_cells[owner].marks - 1] += character;
        return;
    }
    const std::size_t end = column + (columns == 2 ? 2 : 1);
    if (m_cells.size() < end)
        m_cells.resize(end, Cell{U' ', 0, {}});
    splitWideAt(column);
    splitWideAt(end);
    m_cells[column] = Cell{character, 0, style};
    if (columns == 2)
        m_cells[column + 1] = Cell{0, 0, style};
    column = end;
}

// A wide character that loses one half leaves a blank.
void ScreenLine::splitWideAt(std::size_t column)
{
    if (column == 0 || column >= m_cells.size() || m_cells[column].character != 0)
        return;
    m_cells[column - 1] = Cell{U' ', 0, m_cells[column - 1].style};
    m_cells[column].character = U' ';
}

void ScreenLine::eraseFrom(std::size_t column)
{
    if (column >= m_cells.size())
        return;
    splitWideAt(column);
    m_cells.resize(column, Cell{U' ', 0, {}});
}

void ScreenLine::eraseTo(std::size_t column)
{
    const std::size_t end = std::min(column + 1, m_cells.size());
    splitWideAt(end);
    std::fill(m_cells.begin(), m_cells.begin() + static_cast<std::ptrdiff_t>(end), Cell{U' ', 0, {}});
}

} // namespace sandfish
