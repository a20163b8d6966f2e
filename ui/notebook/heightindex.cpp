#include "ui/notebook/heightindex.h"

#include <algorithm>
#include <bit>

namespace sandfish {

namespace {

constexpr std::size_t lowestBit(std::size_t value)
{
    return value & (~value + 1);
}

} // namespace

void HeightIndex::ensureTree() const
{
    if (!m_isStale)
        return;
    const std::size_t size = m_heights.size();
    m_tree.assign(size + 1, 0);
    for (std::size_t i = 1; i <= size; ++i) {
        m_tree[i] += m_heights[i - 1];
        const std::size_t parent = i + lowestBit(i);
        if (parent <= size)
            m_tree[parent] += m_tree[i];
    }
    m_isStale = false;
}

qreal HeightIndex::totalHeight() const
{
    return top(count());
}

qreal HeightIndex::top(qsizetype index) const
{
    ensureTree();
    qreal sum = 0;
    for (auto i = static_cast<std::size_t>(index); i > 0; i -= lowestBit(i))
        sum += m_tree[i];
    return sum;
}

qsizetype HeightIndex::indexAt(qreal y) const
{
    const std::size_t size = m_heights.size();
    if (size == 0)
        return -1;
    if (y <= 0)
        return 0;
    ensureTree();
    std::size_t position = 0;
    qreal rest = y;
    for (std::size_t step = std::bit_floor(size); step > 0; step >>= 1) {
        const std::size_t next = position + step;
        if (next <= size && m_tree[next] <= rest) {
            position = next;
            rest -= m_tree[next];
        }
    }
    return static_cast<qsizetype>(std::min(position, size - 1));
}

void HeightIndex::assign(std::vector<qreal> heights)
{
    m_heights = std::move(heights);
    m_isStale = true;
}

void HeightIndex::setHeight(qsizetype index, qreal height)
{
    qreal &stored = m_heights[static_cast<std::size_t>(index)];
    const qreal difference = height - stored;
    stored = height;
    if (m_isStale || difference == 0)
        return;
    for (auto i = static_cast<std::size_t>(index) + 1; i < m_tree.size(); i += lowestBit(i))
        m_tree[i] += difference;
}

void HeightIndex::insert(qsizetype first, const std::vector<qreal> &heights)
{
    m_heights.insert(m_heights.begin() + first, heights.begin(), heights.end());
    m_isStale = true;
}

void HeightIndex::remove(qsizetype first, qsizetype count)
{
    m_heights.erase(m_heights.begin() + first, m_heights.begin() + first + count);
    m_isStale = true;
}

void HeightIndex::move(qsizetype first, qsizetype count, qsizetype to)
{
    const auto begin = m_heights.begin();
    if (to < first)
        std::rotate(begin + to, begin + first, begin + first + count);
    else
        std::rotate(begin + first, begin + first + count, begin + to + count);
    m_isStale = true;
}

} // namespace sandfish
