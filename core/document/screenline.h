#pragma once

#include "core/document/sgrstate.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sandfish {

/// One line as a terminal sees it: characters in columns, each with its style; what a line becomes while the cursor
/// is moved in it. Cost: 20 bytes a column.
class ScreenLine
{
public:
    /// Reads a line of UTF-8 with SGR sequences; \a style is in force at its start. The column becomes 0.
    void load(std::string_view bytes, const SgrState &style);
    /// The line as UTF-8 with the SGR sequences that lead from \a before through the columns to \a after.
    std::string toBytes(const SgrState &before, const SgrState &after) const;

    /// Columns taken.
    std::size_t width() const { return m_cells.size(); }
    /// Overwrites from \a column on with printable UTF-8, filling a gap with blanks; returns the column after it.
    /// Stops at column \a maxColumn and sets \a taken to the bytes read.
    std::size_t write(
        std::string_view text, std::size_t column, const SgrState &style, std::size_t maxColumn, std::size_t &taken);
    void eraseFrom(std::size_t column);
    /// Blanks the columns up to and including \a column.
    void eraseTo(std::size_t column);

private:
    struct Cell
    {
        char32_t character;  ///< 0: the right half of a wide character
        std::uint32_t marks; ///< 1 + index into m_marks; 0: none
        SgrState style;
    };

    void put(char32_t character, std::size_t &column, const SgrState &style);
    void splitWideAt(std::size_t column);

    std::vector<Cell> m_cells;
    std::vector<std::u32string> m_marks; ///< characters of no width that follow a cell's own
};

/// Columns that a terminal gives to a character: 0, 1 or 2.
int columnsOf(char32_t character);

} // namespace sandfish
