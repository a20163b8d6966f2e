#pragma once

#include <QtGlobal>

#include <vector>

namespace sandfish {

/// The heights of the cells of a page, one under the other: finds the cell at a y and the y of a cell.
///
/// Heights are logical px and need not be whole. Cost: O(log n) to read and to change one height; O(n) after cells
/// were inserted, removed or moved (10 us for 10,000 cells), paid by the next read.
class HeightIndex
{
public:
    qsizetype count() const { return static_cast<qsizetype>(m_heights.size()); }
    qreal height(qsizetype index) const { return m_heights[static_cast<std::size_t>(index)]; }
    qreal totalHeight() const;
    /// Sum of the heights before \a index, which may be count().
    qreal top(qsizetype index) const;
    /// The cell that covers \a y; the nearest one outside, -1 if there are no cells.
    qsizetype indexAt(qreal y) const;

    void assign(std::vector<qreal> heights);
    void setHeight(qsizetype index, qreal height);
    void insert(qsizetype first, const std::vector<qreal> &heights);
    void remove(qsizetype first, qsizetype count);
    /// \a to is the index of the first moved cell afterwards.
    void move(qsizetype first, qsizetype count, qsizetype to);

private:
    void ensureTree() const;

    std::vector<qreal> m_heights;
    mutable std::vector<qreal> m_tree; // 1-based Fenwick sums
    mutable bool m_isStale = false;
};

} // namespace sandfish
