#pragma once

#include "ui/text/linelayout.h"

namespace sandfish {

class Theme;

/// The grid on which code is set at a width, for painted cells and the live editor alike.
LineStyle codeLineStyle(const Theme &theme, qreal widthPx);

/// Counts the rows that lines of code take on the grid, without shaping those that plainly fit on one.
class CodeRows
{
public:
    explicit CodeRows(const LineStyle &style);

    const LineStyle &style() const { return m_style; }
    /// True if \a line takes one row whatever the shaping gives: plain ASCII in a fixed font, short enough.
    bool isPlainRow(const QString &line) const;
    /// At least 1. Cost: O(length) if isPlainRow(), else a shaping.
    int count(const QString &line) const;
    /// Width of the first row in logical px.
    qreal firstRowWidth(const QString &line) const;

private:
    LineStyle m_style;
    qreal m_columnPx = 0; // 0: the font is not fixed
};

} // namespace sandfish
