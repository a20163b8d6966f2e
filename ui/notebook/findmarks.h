#pragma once

#include "core/document/cell.h"
#include "ui/outputs/textmarks.h"

#include <optional>

namespace sandfish {

/// A hit of a search in a notebook.
struct FindHit
{
    CellId cell;
    std::uint64_t serial = 0; ///< of the output; 0: in the source
    int ordinal = 0;          ///< among the hits of that output or source, from 0
    TextPoint point;          ///< in a stream its line and column, else line 0 and the offset in the text
    bool operator==(const FindHit &) const = default;
};

/// What a page marks of a search.
struct FindMarks
{
    QString needle; ///< empty: nothing
    Qt::CaseSensitivity sensitivity = Qt::CaseInsensitive;
    bool inCode = true;
    bool inText = true;
    bool inOutput = true;
    std::optional<FindHit> current;
    bool operator==(const FindMarks &) const = default;
};

} // namespace sandfish
