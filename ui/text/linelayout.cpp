#include "ui/text/linelayout.h"

#include <QFontMetricsF>
#include <QHashFunctions>
#include <QTextOption>

#include <algorithm>
#include <cmath>

namespace sandfish {
namespace {

// A tab stop every eight columns, as terminals have it.
constexpr int kTabColumns = 8;
constexpr qreal kUnboundedPx = 1 << 20;

bool isSameStyle(const LineStyle &a, const LineStyle &b)
{
    return a.wrap == b.wrap && a.linePx == b.linePx && (a.wrap == LineStyle::Wrap::None || a.widthPx == b.widthPx)
        && a.font == b.font;
}

std::size_t keyOf(const QString &text, const QList<QTextLayout::FormatRange> &formats, const LineStyle &style)
{
    std::size_t seed = qHashMulti(0, text, style.linePx, style.font.pixelSize(), style.font.weight());
    if (style.wrap != LineStyle::Wrap::None)
        seed = qHashMulti(seed, style.widthPx);
    for (const QTextLayout::FormatRange &range : formats)
        seed = qHashMulti(seed, range.start, range.length, range.format.foreground().color().rgba());
    return seed;
}

} // namespace

struct LineLayoutCache::Entry
{
    std::size_t key = 0;
    LineStyle style;
    QTextLayout layout;
};

qreal baselineInLine(const QFont &font, qreal linePx)
{
    const QFontMetricsF metrics(font);
    return std::round((linePx - metrics.ascent() - metrics.descent()) / 2 + metrics.ascent());
}

qreal layoutOnGrid(QTextLayout &layout, const LineStyle &style)
{
    QTextOption option;
    option.setTabStopDistance(kTabColumns * QFontMetricsF(style.font).horizontalAdvance(u' '));
    option.setWrapMode(
        style.wrap == LineStyle::Wrap::None ? QTextOption::NoWrap : QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setFont(style.font);
    layout.setTextOption(option);
    layout.setCacheEnabled(true);
    const qreal baselinePx = baselineInLine(style.font, style.linePx);
    qreal top = 0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        // Setting a width is what shapes the line; before that it has no ascent.
        line.setLineWidth(style.wrap == LineStyle::Wrap::None ? kUnboundedPx : style.widthPx);
        line.setPosition(QPointF(0, top + baselinePx - line.ascent()));
        top += style.linePx;
    }
    layout.endLayout();
    return std::max(top, style.linePx);
}

LineLayoutCache::LineLayoutCache(std::size_t capacity)
    : m_capacity(std::max<std::size_t>(capacity, 1))
{
}

LineLayoutCache::~LineLayoutCache() = default;

const QTextLayout &LineLayoutCache::layout(
    const QString &text, const QList<QTextLayout::FormatRange> &formats, const LineStyle &style)
{
    const std::size_t key = keyOf(text, formats, style);
    const auto [first, last] = m_index.equal_range(key);
    for (auto it = first; it != last; ++it) {
        const Entry &entry = **it->second;
        if (entry.layout.text() != text || entry.layout.formats() != formats || !isSameStyle(entry.style, style))
            continue;
        m_order.splice(m_order.begin(), m_order, it->second);
        return entry.layout;
    }
    if (m_order.size() >= m_capacity) {
        const auto oldest = std::prev(m_order.end());
        const auto [from, to] = m_index.equal_range((*oldest)->key);
        m_index.erase(std::find_if(from, to, [oldest](const auto &item) { return item.second == oldest; }));
        m_order.erase(oldest);
    }
    auto entry = std::make_unique<Entry>();
    entry->key = key;
    entry->style = style;
    entry->layout.setText(text);
    entry->layout.setFormats(formats);
    layoutOnGrid(entry->layout, style);
    m_order.push_front(std::move(entry));
    m_index.emplace(key, m_order.begin());
    return m_order.front()->layout;
}

void LineLayoutCache::clear()
{
    m_index.clear();
    m_order.clear();
}

} // namespace sandfish
