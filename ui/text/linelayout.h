#pragma once

#include <QFont>
#include <QString>
#include <QTextLayout>

#include <list>
#include <memory>
#include <unordered_map>

namespace sandfish {

/// How a text is set: what the painter and the live editor must agree on.
struct LineStyle
{
    enum class Wrap
    {
        None,    ///< one line, as long as it is
        Anywhere ///< at the width, at word borders where there are any
    };
    QFont font;
    qreal linePx = 19; ///< from one line to the next
    qreal widthPx = 0; ///< ignored without wrap
    Wrap wrap = Wrap::None;
};

/// Lays \a layout out on a grid of equal lines: each base line stands where that of the main font stands, so glyphs of
/// a fallback font do not push lines apart. Returns the height in logical px, at least one line.
qreal layoutOnGrid(QTextLayout &layout, const LineStyle &style);

/// The distance from the top of a line of \a linePx to its base line, in whole px.
qreal baselineInLine(const QFont &font, qreal linePx);

/// Shaped texts, the least recently used ones dropped beyond a capacity. Thread: GUI.
///
/// Cost: a hit hashes the text and its formats; a miss shapes, some 20 to 200 µs a line.
class LineLayoutCache
{
public:
    /// \a capacity in layouts; a layout of a line of 80 characters takes about 4 KiB.
    explicit LineLayoutCache(std::size_t capacity = 2000);
    ~LineLayoutCache();
    LineLayoutCache(const LineLayoutCache &) = delete;
    LineLayoutCache &operator=(const LineLayoutCache &) = delete;

    /// The layout of \a text; valid until the next call.
    const QTextLayout &layout(
        const QString &text, const QList<QTextLayout::FormatRange> &formats, const LineStyle &style);
    void clear();
    std::size_t size() const { return m_order.size(); }

private:
    struct Entry;
    std::size_t m_capacity;
    std::list<std::unique_ptr<Entry>> m_order; // most recent first
    std::unordered_multimap<std::size_t, std::list<std::unique_ptr<Entry>>::iterator> m_index;
};

} // namespace sandfish
