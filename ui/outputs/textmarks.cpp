#include "ui/outputs/textmarks.h"

#include <algorithm>

namespace sandfish {

TextRange wordInLine(QStringView text, const TextPoint &point)
{
    const auto isWord = [&text](qsizetype at) { return text[at].isLetterOrNumber() || text[at] == u'_'; };
    const qsizetype size = text.size();
    qsizetype from = std::clamp<qsizetype>(point.column, 0, size);
    qsizetype to = from;
    while (from > 0 && isWord(from - 1))
        --from;
    while (to < size && isWord(to))
        ++to;
    if (from == to && to < size)
        ++to;
    return {{point.line, static_cast<int>(from)}, {point.line, static_cast<int>(to)}};
}

} // namespace sandfish
