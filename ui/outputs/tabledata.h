#pragma once

#include "ui/outputs/htmltokens.h"

#include <QString>

#include <optional>
#include <vector>

namespace sandfish {

/// A table of texts: what data frames send as HTML.
struct TableData
{
    struct Cell
    {
        QString text;
        bool isHeader = false;
        bool isNumber = false;
        bool isEmptyValue = false; ///< NaN, None, null and the like
        bool isCovered = false;    ///< by a cell to its left or above that spans it
        int columnSpan = 1;
    };
    using Row = std::vector<Cell>;

    std::vector<Row> headerRows;
    std::vector<Row> rows;
    std::size_t columns = 0;
    QString note; ///< the line below, such as "5 rows × 5 columns"
};

/// The one table of plain texts that \a tokens hold, and at most a line of text below it; nothing if there is more,
/// such as pictures, links, colours or a table inside a table. At most 10,000 rows of 1000 columns are read.
std::optional<TableData> tableFromHtml(const std::vector<HtmlToken> &tokens);

} // namespace sandfish
