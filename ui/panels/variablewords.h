#pragma once

#include "core/protocol/lookinside.h"
#include "core/session/variablewatch.h"

#include <QString>

namespace sandfish {

/// "248 B", "1.1 kB", "18.5 MB": decimal units, the locale's separators.
QString objectSizeText(std::int64_t sizeBytes);
/// "604,800 × 4", "7 items"; empty without a shape.
QString shapeText(const VariableInfo &info);
/// Without the package: "DataFrame" of "pandas.DataFrame".
QString shortTypeText(const VariableInfo &info);
/// What a list of variables says of one: "DataFrame 604,800 × 4", "list, 7 items", "float 40.0", "function".
QString summaryText(const VariableInfo &info);
/// The value alone, or why there is none.
QString valueText(const VariableInfo &info);

/// What stands where there are no variables to show (DESIGN.md §3.10).
struct EmptyWords
{
    QString icon;
    QString title;
    QString text;
};
EmptyWords emptyWordsOf(const VariableWatch &watch);
/// The line below the list: how many, how large, from when, and why not newer.
QString noteText(const VariableWatch &watch);

} // namespace sandfish
