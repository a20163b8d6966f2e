#pragma once

#include <QStringView>

#include <algorithm>

namespace sandfish {

// Kernels count code points, QString counts UTF-16 units: a pair of surrogates is one code point and two units.
// A surrogate that stands alone is one of each.

/// Code points of \a text before the unit at \a units. Within a pair: without the character that it cuts.
inline qsizetype codePointsBefore(QStringView text, qsizetype units)
{
    const qsizetype end = std::clamp<qsizetype>(units, 0, text.size());
    qsizetype count = 0;
    for (qsizetype at = 0; at < end; ++count) {
        const bool isPair = text[at].isHighSurrogate() && at + 1 < text.size() && text[at + 1].isLowSurrogate();
        at += isPair ? 2 : 1;
        if (at > end)
            break;
    }
    return count;
}

/// The unit at which the code point number \a codePoints begins; the end of the text if there are fewer.
inline qsizetype unitsBefore(QStringView text, qsizetype codePoints)
{
    qsizetype at = 0;
    for (qsizetype count = 0; count < codePoints && at < text.size(); ++count) {
        const bool isPair = text[at].isHighSurrogate() && at + 1 < text.size() && text[at + 1].isLowSurrogate();
        at += isPair ? 2 : 1;
    }
    return at;
}

} // namespace sandfish
