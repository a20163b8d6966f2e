#include "ui/text/coderows.h"

#include "ui/text/theme.h"

#include <QFontInfo>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace sandfish {

LineStyle codeLineStyle(const Theme &theme, qreal widthPx)
{
    return {theme.codeFont(), theme.linePx(TextStyle::Code), widthPx, LineStyle::Wrap::Anywhere};
}

CodeRows::CodeRows(const LineStyle &style)
    : m_style(style)
{
    const QFontMetricsF metrics(style.font);
    const qreal narrow = metrics.horizontalAdvance(u'i');
    if (std::abs(narrow - metrics.horizontalAdvance(u'W')) < 0.01)
        m_columnPx = narrow;
}

bool CodeRows::isPlainRow(const QString &line) const
{
    const auto length = static_cast<qreal>(line.size());
    // One column of slack: hinting may round advances up.
    if (m_columnPx <= 0 || (length + 1) * m_columnPx > m_style.widthPx)
        return false;
    return std::all_of(line.begin(), line.end(), [](QChar c) { return c >= u' ' && c < u'\x7f'; });
}

int CodeRows::count(const QString &line) const
{
    if (isPlainRow(line))
        return 1;
    QTextLayout layout(line);
    return static_cast<int>(std::lround(layoutOnGrid(layout, m_style) / m_style.linePx));
}

qreal CodeRows::firstRowWidth(const QString &line) const
{
    if (isPlainRow(line))
        return static_cast<qreal>(line.size()) * m_columnPx;
    QTextLayout layout(line);
    layoutOnGrid(layout, m_style);
    return layout.lineCount() > 0 ? layout.lineAt(0).naturalTextWidth() : 0;
}

} // namespace sandfish
